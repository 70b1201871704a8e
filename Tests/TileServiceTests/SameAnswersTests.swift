import Database
import Files
import Foundation
import GridStorage
import HTTPCore
import Locking
import SampleTracks
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackExport
import TrackQuery
import Tracks

@testable import PrimaryStore
@testable import TrackStore

/// A library with the same tracks in each kind of storage, and what a server of it answers.
@Suite(
    .enabled(if: StoreKind.installed.contains(.postgresql), "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct SameAnswersTests {
    /// What a client sees of an answer.
    private struct Answer: Equatable {
        var target: String
        var status: Status
        var type: String?
        var eTag: String?
        /// The complete body, of pictures the pixels.
        var content: ShownContent?
    }

    /// A library with fixed ids: a town, points of a device, a removed track and a layer.
    private static func library(in folder: TemporaryFolder) throws -> Library {
        let clock = Locked<Int64>(1_600_000_000_000)
        let now: @Sendable () -> Int64 = {
            clock.withLock {
                $0 += 1000
                return $0
            }
        }
        let path = folder.path + "/library"
        let storage = try Library.storage(in: path)
        do {
            // Ids are made of the id of the library.
            let new = try TrackDatabase(storage, zoneIfNew: "Europe/Berlin", isReadOnly: nil, now: now)
            try new.write { try $0.session.run("UPDATE meta SET value = 'library' WHERE name = 'library'") }
        }
        let database = try TrackDatabase(storage, zoneIfNew: "Europe/Berlin", isReadOnly: nil, now: now)
        let session = try database.beginImport()
        for track in SampleTracks(SampleSpec(size: .tracks(40), seed: 7)) { _ = try track.write(to: session) }
        try session.finish()
        let seconds = Array(stride(from: Int64(1_600_000_000), to: 1_600_003_000, by: 5))
        let points = PointColumns(
            unit: .decimal(places: 6), longitudes: seconds.map { 13_400_000 + $0 % 1000 },
            latitudes: seconds.map { 52_500_000 + $0 % 977 }, times: seconds.map { $0 * 1000 }, segmentStarts: [])
        try database.add([points], RecordingHeader(device: "phone", source: "day.json"))
        _ = try database.addLayer(name: "long", condition: try TrackCondition(parsing: "metres >= 5000"))
        let removed = try #require(try database.tracks(limit: 100)?.tracks.dropFirst(9).first)
        try database.markRemoved([removed.id])
        _ = try database.eraseRemoved()
        let library = try Library(folder: path)
        try library.catchUp()
        try library.finishLayers()
        return library
    }

    /// Tiles of several zoom levels, in all kinds of styles, with and without windows and layers.
    private static func tiles(_ library: Library) throws -> [String] {
        let days = try library.database.tracks(limit: 100)?.tracks.compactMap(\.start).sorted() ?? []
        let (first, last) = (try #require(days.dropFirst(5).first), try #require(days.dropLast(5).last))
        let window = "from=\(first)&to=\(last)"
        let queries = [
            ("heat", ""), ("heat-glow", "?layer=ride"), ("heat-cells", "?\(window)"), ("heat-local", "?layer=long"),
            ("tracks", ""), ("tracks-speed", "?\(window)"), ("tracks", "?layer=long"), ("points", ""),
        ]
        var targets: [String] = []
        for zoom in [0, 4, 8, 10, 12, 13, 14, 15, 16, 18] {
            // Deeper tiles show those of zoom level 16 enlarged.
            let level = try #require(ZoomLevel(min(zoom, 16)))
            let occupied = try library.grid.read { try $0.occupiedTiles(zoom: level, after: nil, limit: 100_000) }
            let step = max(1, occupied.count / 7)
            for tile in stride(from: 0, to: occupied.count, by: step).prefix(7).map({ occupied[$0].tile }) {
                let shift = max(0, zoom - 16)
                for (style, query) in queries {
                    targets.append("/tiles/\(style)/\(zoom)/\(tile.x << shift)/\(tile.y << shift).png\(query)")
                }
            }
        }
        return targets
    }

    private static func others(_ library: Library) throws -> [String] {
        let tracks = try library.database.tracks(limit: 100)?.tracks ?? []
        let exports = tracks.enumerated().filter { $0.offset % 6 == 0 }.flatMap { track in
            [ExportFormat.allCases.map(\.ending) + ["", "/replay?speed=max", "/replay/manifest"]].joined().map {
                "/v1/tracks/\(track.element.id)\($0)"
            }
        }
        return exports + [
            "/v1/tracks", "/v1/export?format=csv", "/v1/export?format=gpx&layer=long", "/v1/replay?speed=max&tiles=14",
            "/v1/replay/manifest", "/v1/stats?by=month", "/v1/stats.csv?by=day", "/v1/stats?by=year&layer=ride",
            "/v1/calendar?year=2020", "/v1/explorer", "/v1/countries", "/v1/stays", "/v1/stays/places", "/layers",
            "/legend/heat.json", "/tiles/explorer/9/0/0.png", "/v1/at?lon=13.4&lat=52.5&z=13",
        ]
    }

    private static func answers() throws -> (tiles: [Answer], others: [Answer]) {
        let folder = try TemporaryFolder()
        let library = try library(in: folder)
        let server = try library.server()
        func answer(_ target: String) -> Answer {
            let response = server.get(target)
            return Answer(
                target: target, status: response.status, type: response[.contentType], eTag: response[.eTag],
                content: response.allBytes?.shown)
        }
        return (try tiles(library).map(answer), try others(library).map(answer))
    }

    @Test func `tiles, exports, replays and digests are the same for a library in SQLite and in PostgreSQL`()
        async throws
    {
        let all = Locked<[(tiles: [Answer], others: [Answer])]>([])
        for kind in [StoreKind.sqlite, .postgresql] {
            try await kind.run {
                let answers = try Self.answers()
                all.withLock { $0.append(answers) }
            }
        }
        let answers = all.withLock { $0 }
        try #require(answers.count == 2)
        let (one, other) = (answers[0], answers[1])
        #expect(one.tiles.count >= 400)
        #expect(Set(one.tiles.map(\.eTag)).count > 200)
        for answer in one.tiles + one.others {
            #expect(answer.status == .ok && answer.content != nil, "\(answer.target)")
        }
        #expect(one.tiles.map(\.target) == other.tiles.map(\.target))
        #expect(one.others.map(\.target) == other.others.map(\.target))
        for (answer, same) in zip(one.tiles + one.others, other.tiles + other.others) where answer != same {
            Issue.record("\(answer.target): \(answer.eTag ?? "") and \(same.eTag ?? "")")
        }
    }
}
