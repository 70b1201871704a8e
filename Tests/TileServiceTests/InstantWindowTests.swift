import Files
import Foundation
import GridStorage
import HTTPCore
import HeatGrid
import PrimaryStore
import Styling
import TestLibrary
import TestSupport
import Testing
import Text
import TileLog
import TileMath
import TrackStore
import Tracks

@testable import TileDrawing
@testable import TileService

/// Windows that begin and end at instants.
@Suite(.eachStore) struct InstantWindowTests {
    private func instant(_ text: String) throws -> Int64 {
        guard case .instant(let instant) = try #require(DateText(text)) else { preconditionFailure("no instant") }
        return instant
    }

    /// The counts of a renderer at a zoom level in a window, by the cell's column and row.
    private func counts(_ renderer: TileRenderer, zoom: Int, _ window: TimeWindow) throws -> [[Int64]: Int] {
        try renderer.library.grid.read { reader in
            let gridSnapshot = try renderer.gridSnapshot(reader)
            let fragments = try renderer.fragments(of: TileSelection(window: window), gridSnapshot, reader)
            var tiles = TileReader()
            var found: [[Int64]: Int] = [:]
            let level = try #require(ZoomLevel(zoom))
            for key in try reader.occupiedTiles(zoom: level, after: nil, limit: 10_000) {
                let counts = try renderer.counts(of: key, fragments, fragments.days, reader, using: &tiles)
                #expect(counts.cells == counts.cells.sorted())
                for (cell, count) in zip(counts.cells, counts.counts) {
                    let code = key.morton << 16 | UInt64(cell)
                    found[[Int64(Morton.x(of: code)), Int64(Morton.y(of: code))]] = Int(count)
                }
            }
            return found
        }
    }

    @Test(arguments: [
        // A leap day, New Year, and the days of clock changes.
        (
            "Europe/Berlin",
            ["2024-02-29T22:30:00Z", "2023-12-31T23:00:00Z", "2024-03-31T01:00:00Z", "2024-10-27T01:00:00Z"]
        ),
        ("America/New_York", ["2024-03-10T07:00:00Z", "2024-11-03T06:00:00Z", "2024-03-01T05:00:00Z"]),
        ("UTC", ["2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"]),
    ])
    func `a window has the counts of a simple rasteriser between its ends`(
        zone: String, moments: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let library = try Library(folder: folder.path, zoneIfNew: zone)
        let middles = try moments.map { try instant($0) / 1000 }
        let model = try InstantModel(zone: zone, round: middles, in: library)
        let renderer = try TileRenderer(library: library, styles: .builtIn, workers: 1, disk: nil)
        var random = SeededRandom(seed: 9)
        var windows: [(Int64?, Int64?)] = [(nil, nil)]
        for middle in middles {
            // Exactly at the instant, seconds around it, within a day, and over several days.
            let near = [0, -1, 1, 3600, -3599, 86_400, -7200].map { (middle + $0) * 1000 }
            windows += [(near[0], nil), (nil, near[0]), (near[1], near[2]), (near[4], near[3]), (near[6], near[5])]
            let begin = middle * 1000 + Int64.random(in: -90_000_000...90_000_000, using: &random)
            windows.append((begin, begin + Int64.random(in: 1...100_000_000, using: &random)))
        }
        for (number, (begin, end)) in windows.enumerated() {
            let window = TimeWindow(from: begin.map { .instant($0) }, to: end.map { .instant($0) })
            for zoom in number == 0 ? [16, 11, 0] : [[16, 9], [14, 0]][number % 2] {
                let expected = model.counts(zoom: zoom, from: begin ?? .min, to: end ?? .max)
                let found = try counts(renderer, zoom: zoom, window)
                #expect(found == expected, "zoom level \(zoom), \(begin ?? 0)…\(end ?? 0)")
            }
        }
    }

    @Test func `a day and the instants at its ends have the same picture and ETag`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let day = town.get("\(path)?from=2019-06-01&to=2019-06-01")
        let utc = town.get("\(path)?from=2019-05-31T22:00:00Z&to=2019-06-01T22:00:00Z")
        let local = town.get("\(path)?from=2019-06-01T00:00:00%2B02:00&to=2019-06-02T00:00:00+02:00")
        let mixed = town.get("\(path)?from=2019-06-01&to=2019-06-01T22:00:00.000Z")
        #expect(day.status == .ok && day.bytes.count > 116)
        for other in [utc, local, mixed] {
            #expect(other.bytes.shown == day.bytes.shown && other[.eTag] == day[.eTag])
        }
    }

    @Test func `an instant in a ride shows the ride so far, growing with every frame`() throws {
        let town = try Town()
        let path = try Town.path(16)
        // The ride begins at noon UTC and takes a minute.
        var tags: Set<String> = []
        let frames = try (0...5).map { frame in
            let answer = town.get("\(path)?track=\(try town.firstRide)&asof=2019-06-01T12:00:\(frame)5Z")
            #expect(answer.status == .ok)
            tags.insert(answer[.eTag] ?? "")
            return answer.bytes
        }
        #expect(tags.count == 6)
        #expect(Set(frames).count > 2)
        #expect(town.get("\(path)?asof=2019-06-01T12:00:00Z").bytes.count == 116)
        #expect(
            town.get("\(path)?asof=2019-06-01T13:00:00Z").bytes.shown == town.get("\(path)?asof=2019-06-01").bytes.shown
        )
    }

    @Test func `a difference accepts instants too`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let days = town.get("\(path)?from=2019-06-02&minus=2019-06-01/2019-06-01")
        let instants = town.get("\(path)?from=2019-06-02&minus=2019-05-31T22:00:00Z/2019-06-01T22:00:00Z")
        let noon = town.get("\(path)?from=2019-06-02&minus=2019-06-01/2019-06-01T12:00:30Z")
        #expect(days.status == .ok && instants.bytes.shown == days.bytes.shown && instants[.eTag] == days[.eTag])
        #expect(noon.status == .ok && noon[.eTag] != days[.eTag])
    }

    @Test(
        .onlySQLite("the request is refused before the library is read"),
        arguments: [
            "from=2024-05-31T12:00:00Z&to=2024-05-31T12:00:00Z", "from=2024-05-31T12:00:00Z&to=2024-05-31T11:00:00Z",
            "from=2024-05-31T12:00:00Z&to=2024-05-30", "from=2024-05-31&to=2024-05-30T22:00:00Z",
            "minus=2024-05-31T12:00:00Z/2024-05-30", "from=2024-05-31T25:00:00Z", "from=2024-05-31T12:00:00",
            "to=2024-05-31T12:00Z",
        ])
    func `a window that is malformed or ends before it begins is a bad request`(query: String) throws {
        let town = try Town()
        #expect(town.get("\(try Town.path(14))?\(query)").status == .badRequest)
        if !query.hasPrefix("minus") { #expect(town.get("/tiles.json?\(query)").status == .badRequest) }
    }

    @Test func `while the grid is behind a changed track, windows of instants give 503, and windows of days do not`()
        throws
    {
        let folder = try TemporaryFolder()
        let library = try Library(folder: folder.path, zoneIfNew: "Europe/Berlin")
        func record(_ seconds: Range<Int64>) throws {
            let chunk = PointColumns(
                unit: .decimal(places: 7), longitudes: seconds.map { 134_000_000 + $0 * 700 },
                latitudes: seconds.map { _ in 525_000_000 }, times: seconds.map { (Town.firstDay + $0) * 1000 },
                segmentStarts: [0])
            try library.database.add([chunk], RecordingHeader(device: "phone", source: "phone"))
        }
        try record(0..<60)
        try library.catchUp()
        let server = try library.server()
        let path = "\(try Town.path(14))?asof=2019-06-01T12:00:30Z"
        let before = server.get(path)
        #expect(before.status == .ok && before.bytes.count > 116)
        try record(60..<120)
        // Cached tiles are unchanged; a tile that must be drawn has to wait.
        let fresh = try library.server()
        let waiting = fresh.get(path)
        #expect(waiting.status == .serviceUnavailable && waiting[.retryAfter] == "1")
        #expect(fresh.get("\(try Town.path(14))?asof=2019-06-01").status == .ok)
        try library.catchUp()
        fresh.poll()
        #expect(fresh.get(path).bytes.shown == before.bytes.shown)
    }

    @Test func `a removed track is not in partial days either`() throws {
        let town = try Town()
        let path = "\(try Town.path(16))?to=2019-06-01T12:00:30Z&layer=ride"
        #expect(town.get(path).bytes.count > 116)
        _ = try town.library.remove([try town.firstRide]) { _ in }
        town.server.poll()
        #expect(town.get(path).bytes.count == 116)
    }
}

extension Town {
    /// The id of the ride of the first day.
    var firstRide: String {
        get throws {
            let tracks = try #require(try library.database.tracks(limit: 9)).tracks
            return try #require(tracks.last { $0.activity == .ride }).id
        }
    }
}
