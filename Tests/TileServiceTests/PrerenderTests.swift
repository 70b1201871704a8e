import Files
import Foundation
import Locking
import PictureStore
import Styling
import Testing
import TileMath

@testable import TileDrawing

/// Runs of `Prerender` whose drawing or writing fails.
@Suite struct PrerenderTests {
    private struct WritingFailure: Error {}

    /// A run of two zoom levels, a batch each; drawing the second batch fails, because its folder is a file.
    private func prerender(_ town: Town) throws -> (run: Prerender, index: String) {
        let (folder, index) = (town.folder.path + "/out", town.folder.path + "/index.sqlite")
        try Folder.make(folder)
        try AtomicFile.write([], to: folder + "/15")
        let job = PrerenderJob(zooms: 14...15, workers: 1, output: .folder(folder, index: index))
        let renderer = try town.renderer()
        let style = renderer.styles[job.style]
        var first = OccupiedTiles(
            zoom: try #require(ZoomLevel(14)), scale: .single, style: style, library: renderer.library)
        let tiles = try #require(try first.next(limit: .max))
        return (try Prerender(job, renderer: renderer, batchTiles: tiles.count), index)
    }

    @Test func `if drawing fails, the batch before is written before the run ends`() throws {
        let town = try Town()
        let (prerender, index) = try prerender(town)
        var run = prerender
        let isWritten = Locked(false)
        run.beforeStoring = {
            // Longer than the second batch takes to fail.
            Thread.sleep(forTimeInterval: 0.5)
            isWritten.withLock { $0 = true }
        }
        #expect(throws: (any Error).self) { try run.run() }
        #expect(isWritten.withLock { $0 })
        let request = TileRequest(tile: try Town.tile(14))
        let digest = try town.renderer().picture(request).digest
        #expect(try PictureCache(path: index).holds(PictureKey(request), digest: digest))
    }

    @Test func `if writing a batch fails while the next one is drawn, that error is thrown`() throws {
        let town = try Town()
        var run = try prerender(town).run
        run.beforeStoring = {
            Thread.sleep(forTimeInterval: 0.5)
            throw WritingFailure()
        }
        #expect(throws: WritingFailure.self) { try run.run() }
    }
}
