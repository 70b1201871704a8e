import Database
import Digest
import Files
import Locking
import SampleTracks
import TestLibrary
import TestPostgreSQL
import Testing
import TileMath
import TrackQuery
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

/// The same library made with each kind of storage.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct BothStoresTests {
    /// What readers of a library can see.
    private struct Content: Equatable {
        var log: [String]
        var tracks: [Track]
        var points: [PointColumns]
        var grid: [String]
        var tiles: [UInt64]
    }

    private static func content(_ library: Library) throws -> Content {
        let tracks = try library.database.allTracks()
        return Content(
            log: try library.database.changes(since: 0).map(\.digest.description), tracks: tracks,
            points: try tracks.map { try library.database.points(of: $0) }, grid: try GridDump.lines(library.grid),
            tiles: try library.grid.read { try $0.occupiedTiles(zoom: .deepestGrid, after: nil, limit: 10_000) }
                .map(\.packed))
    }

    /// Imports, recorded points, edits, layers, pins and a removal, with the content after each.
    private static func story() throws -> [Content] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        let clock = Locked<Int64>(1_600_000_000_000)
        let now: @Sendable () -> Int64 = {
            clock.withLock {
                $0 += 1000; return $0
            }
        }
        do {
            // Ids are made of the id of the library.
            let new = try TrackDatabase(folder: path, zoneIfNew: "Europe/Berlin", now: now)
            try new.write { try $0.session.run("UPDATE meta SET value = 'library' WHERE name = 'library'") }
        }
        let database = try TrackDatabase(folder: path, now: now)
        let session = try database.beginImport()
        for track in SampleTracks(SampleSpec(size: .tracks(40), seed: 7)) { _ = try track.write(to: session) }
        try session.finish()
        let library = try Library(folder: path)
        var contents: [Content] = []
        func look() throws {
            try library.catchUp()
            contents.append(try content(library))
        }
        try look()
        try database.add([trickle(Array(stride(from: 1_600_000_000, to: 1_600_009_000, by: 3)))], device: "phone")
        try database.add(outing(start: 1_500_000_000, count: 9000), source: "long.gpx")
        try look()
        _ = try database.addLayer(name: "long", condition: try TrackCondition(parsing: "metres >= 5000"))
        try library.finishLayers()
        try look()
        let tracks = try database.allTracks()
        // With the clock of the test, which is that of the change log.
        try database.markRemoved([tracks[3].id, tracks[11].id])
        try database.eraseRemoved()
        try look()
        #expect(try library.verify() == [])
        return contents
    }

    @Test func `a library has the same tracks, digests and rows of tiles in both`() async throws {
        let stories = Locked<[[Content]]>([])
        for kind in [StoreKind.sqlite, .postgresql, .plainPostgresql] {
            try await kind.run {
                let story = try Self.story()
                stories.withLock { $0.append(story) }
            }
        }
        let all = stories.withLock { $0 }
        #expect(all.count == 3)
        for (index, content) in all[0].enumerated() {
            #expect(content.grid.count > 500 && content.tiles.count > 50 && content.tracks.count > 35)
            for other in all.dropFirst() {
                #expect(other[index].log == content.log)
                #expect(other[index].tracks == content.tracks)
                #expect(other[index].points == content.points)
                #expect(other[index].grid == content.grid)
                #expect(other[index].tiles == content.tiles)
            }
        }
    }
}
