import Files
import HTTPCore
import Locking
import SQLite
import TestSupport
import Testing
import TileMath
import Tracks

@testable import GridStorage
@testable import PictureStore
@testable import PrimaryStore
@testable import TileDrawing
@testable import TileService
@testable import TrackStore

/// Servers of libraries whose grid is damaged, or that can only be read, and pictures drawn during a removal.
@Suite struct GridRepairTests {
    private func alter(_ town: Town, _ sql: String) throws {
        try Connection(path: town.library.folder + "/grid.sqlite").execute(sql)
    }

    private func server(
        _ library: Library, _ reports: Locked<[String]> = Locked([]), disk: PictureCache? = nil
    ) throws -> TileServer {
        try library.server(disk: disk) { configuration in
            configuration.report = { error in reports.withLock { $0.append("\(error)") } }
        }
    }

    @Test(arguments: [
        "UPDATE tiles SET data = CAST(x'00' || data AS BLOB)", "UPDATE tiles SET visits = visits + 1",
        "UPDATE lines SET data = CAST(x'00' || data AS BLOB)", "UPDATE histograms SET data = x''",
        "UPDATE tracks SET activity = 0", "DROP TABLE histograms", "DELETE FROM meta WHERE name = 'layers'",
        "UPDATE layers SET name = 'other'", "UPDATE activities SET name = 'other' || number",
        "UPDATE tiles SET data = (SELECT max(data) FROM tiles)", "ALTER TABLE tiles RENAME COLUMN visits TO visit",
    ])
    func `a tile of an altered grid is drawn as before, or not before the repair`(sql: String)
        throws
    {
        let town = try Town()
        let path = try Town.path(14, ".png?style=lines")
        let heat = try Town.path(14)
        let sound = [path, heat].map { town.get($0).bytes.shown }
        try alter(town, sql)
        let reports = Locked<[String]>([])
        let library = try town.otherProcess()
        let server = try server(library, reports)
        for target in [path, heat] {
            let answer = server.get(target)
            #expect(
                answer.status == .serviceUnavailable || sound.contains(answer.bytes.shown), "\(target): \(answer.text)")
            if answer.status == .serviceUnavailable { #expect(answer[.retryAfter] != nil) }
        }
        server.poll()
        server.poll()
        let again = [path, heat].map { server.get($0).bytes.shown }
        #expect(again == sound)
        #expect(server.get("/health").text.contains("\"status\":\"ok\""), "\(server.get("/health").text)")
        #expect(reports.withLock { $0 }.count <= 1)
    }

    @Test(arguments: [
        "DELETE FROM tiles WHERE key >> 32 = 14", "UPDATE tiles SET key = key + 8388608 WHERE key >> 32 = 14",
    ])
    func `missing rows are found by the check of all rows, and repaired`(sql: String) throws {
        let town = try Town()
        let path = try Town.path(14)
        let sound = town.get(path).bytes.shown
        try town.library.grid.checkRows()
        try alter(town, sql)
        let library = try town.otherProcess()
        let server = try server(library)
        #expect(throws: LibraryError.self) { try library.grid.checkRows() }
        server.poll()
        #expect(server.get(path).bytes.shown == sound)
        try library.grid.checkRows()
    }

    @Test(arguments: ["no database", "", "cut", "folder"])
    func `a file that is not a grid is replaced at opening, or reported`(kind: String) throws {
        let town = try Town()
        let path = try Town.path(14)
        let sound = town.get(path).bytes.shown
        let copy = town.folder.path + "/copy"
        try Folder.make(copy)
        for name in ["tracks.sqlite", "tracks.sqlite-wal"] {
            guard let bytes = try? AtomicFile.read(town.library.folder + "/" + name) else { continue }
            try AtomicFile.write(bytes, to: copy + "/" + name)
        }
        try town.library.grid.truncateLog()
        let grid = try #require(try AtomicFile.read(town.library.folder + "/grid.sqlite"))
        switch kind {
        case "no database":
            try AtomicFile.write([UInt8](repeating: 65, count: 9000), to: copy + "/grid.sqlite")
        case "cut": try AtomicFile.write(Array(grid.prefix(grid.count / 2 + 7)), to: copy + "/grid.sqlite")
        case "folder": try Folder.make(copy + "/grid.sqlite/inner")
        default: try AtomicFile.write([], to: copy + "/grid.sqlite")
        }
        if kind == "folder" {
            #expect(throws: LibraryError.self) { try Library(folder: copy) }
            return
        }
        let reports = Locked<[String]>([])
        let server = try server(try Library(folder: copy), reports)
        server.poll()
        server.poll()
        #expect(server.get(path).bytes.shown == sound)
        if kind == "no database" { #expect(reports.withLock { $0 }.count == 1) }
    }

    @Test func `a grid whose file is deleted or replaced under a server is rebuilt`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let sound = town.get(path).bytes.shown
        for name in ["", "-wal", "-shm"] { try AtomicFile.remove(town.library.folder + "/grid.sqlite" + name) }
        town.server.poll()
        town.server.poll()
        #expect(town.get(path).bytes.shown == sound)
        #expect(try town.otherProcess().gridIsCurrent())
        try town.library.ride(day: 7, latitude: Town.latitude + 0.004)
        let start = ContinuousClock.now
        for step in 1...3 { town.server.poll(now: start + .seconds(step)) }
        #expect(town.get(path).bytes.shown != sound)
    }

    // MARK: Read-only libraries

    @Test func `a read-only library is served, and changes are refused`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let sound = town.get(path).bytes.shown
        let server = try server(try Library(folder: town.library.folder, isReadOnly: true))
        try server.start()
        defer { server.stop() }
        #expect(server.get(path).bytes.shown == sound)
        #expect(server.get("/v1/tracks").status == .ok)
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first).id
        for answer in [
            server.get("/v1/tracks/\(id)", method: .delete),
            try server.send(ChangeTests.gpx(day: 3), "", by: town.folder),
            server.get("/v1/record/phone?lat=1&lon=2", method: .post),
        ] {
            #expect(answer.status == .forbidden && answer.text.contains("read-only"), "\(answer.text)")
        }
        #expect(try town.library.database.totals().tracks == 3)
    }

    // MARK: Disk cache

    @Test func `pictures drawn before a removal are not stored after it, but drawn again`() throws {
        let town = try Town()
        let job = PrerenderJob(zooms: 12...14, workers: 1, output: .cache(town.disk))
        var prerender = try Prerender(job, renderer: town.renderer())
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first).id
        let removed = Locked(false)
        let library = try town.otherProcess()
        prerender.beforeStoring = { [disk = town.disk] in
            let isFirst = removed.withLock { removed in
                defer { removed = true }
                return !removed
            }
            if isFirst { _ = try library.remove([id]) { try disk.drop($0) } }
        }
        _ = try prerender.run()
        let renderer = try town.renderer()
        for zoom in 12...14 {
            let request = TileRequest(tile: try Town.tile(zoom))
            let key = PictureKey(request)
            let kept = try town.disk.picture(key, digest: try renderer.picture(request).digest)
            #expect(try kept?.shown == renderer.picture(request).bytes.shown)
        }
    }

    @Test func `a picture of an earlier generation is not stored`() throws {
        let town = try Town()
        let request = TileRequest(tile: try Town.tile(14))
        let picture = try town.renderer().picture(request)
        let entry = PictureCache.Entry(
            key: PictureKey(request), digest: picture.digest, bytes: picture.bytes)
        let generation = try town.disk.generation()
        let state = try #require(try town.library.grid.read { try $0.state() })
        try town.disk.drop(GridChange(before: state, after: state, tiles: []))
        #expect(try town.disk.store([entry], drawnIn: generation) == false)
        #expect(try town.disk.totals().pictures == 0)
        #expect(try town.disk.store([entry], drawnIn: town.disk.generation()))
        #expect(try town.disk.totals().pictures == 1)
        try town.disk.drop(GridChange(before: state, after: state, tiles: []))
        #expect(try town.disk.totals().pictures == 1)
        try town.disk.drop(GridChange(before: nil, after: state, tiles: nil))
        #expect(try town.disk.totals().pictures == 0)
    }
}
