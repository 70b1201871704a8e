import Foundation
import HTTPCore
import PrimaryStore
import Styling
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

@testable import TileDrawing

/// Flights whose steps are too long for heat at some zoom levels, and which lines show at every zoom level.
@Suite struct LongStepServingTests {
    private typealias Stop = (longitude: Double, latitude: Double)

    private static let frankfurt: Stop = (8.57, 50.03)
    private static let newYork: Stop = (-73.78, 40.64)

    private struct Answer: Decodable {
        var count: Int
        var days: Int
        var first: String?
    }

    private func fly(_ library: Library, from start: Stop, to end: Stop, day: Int64) throws {
        let time = 1_700_000_000_000 + day * 86_400_000
        let chunk = PointColumns.degrees([
            (start.longitude, start.latitude, time), (end.longitude, end.latitude, time + 28_000_000),
        ])
        try library.database.add([chunk], RecordingHeader(source: "flight-\(day).gpx"))
        try library.catchUp()
    }

    /// The place on the straight line on the map between two places, at a fraction of its length.
    private func place(_ start: Stop, _ end: Stop, at share: Double) -> WorldPoint {
        let (from, to) = (
            WorldPoint(longitude: start.longitude, latitude: start.latitude),
            WorldPoint(longitude: end.longitude, latitude: end.latitude)
        )
        return WorldPoint(
            x: from.x + Int64(Double(from.eastwards(to: to)) * share), y: from.y + Int64(Double(to.y - from.y) * share))
    }

    private func tile(_ place: WorldPoint, _ zoom: Int) throws -> TileCoordinate {
        try Town.tile(zoom, longitude: place.longitude, latitude: place.latitude)
    }

    @Test func `a place lists a flight at the zoom levels at which heat shows it, and its ends at all`() throws {
        let town = try Town()
        try fly(town.library, from: Self.frankfurt, to: Self.newYork, day: 0)
        let (server, renderer) = (try town.library.server(), try town.renderer())
        let middle = place(Self.frankfurt, Self.newYork, at: 0.5)
        let start = place(Self.frankfurt, Self.newYork, at: 0)
        for window in ["", "from=2023-11-14T20:00:00Z&to=2023-11-15T09:00:00Z"] {
            for zoom in 0...18 {
                for (place, isEnd) in [(middle, false), (start, true)] {
                    let query = "lon=\(place.longitude)&lat=\(place.latitude)&z=\(zoom)&radius=1&\(window)"
                    let response = server.get("/v1/at?\(query)")
                    #expect(response.status == .ok, "\(response.text)")
                    let answer = try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
                    let isShown = isEnd || zoom <= 6
                    #expect((answer.count > 0) == isShown, "\(zoom) \(window)")
                    #expect((answer.first != nil) == isShown)
                    let picture = try renderer.picture(request(try tile(place, zoom), window))
                    #expect(picture.isEmpty == !isShown, "\(zoom) \(window)")
                }
            }
        }
    }

    @Test func `lines show a flight at every zoom level, joined at the tiles' edges`() throws {
        let town = try Town()
        try fly(town.library, from: Self.frankfurt, to: Self.newYork, day: 0)
        let renderer = try town.renderer()
        for zoom in 0...22 {
            for share in [0.1, 0.37, 0.5, 0.93] {
                let place = place(Self.frankfurt, Self.newYork, at: share)
                let tile = try tile(place, zoom)
                #expect(try !renderer.picture(request(tile, style: "tracks")).isEmpty, "\(zoom) \(share)")
                #expect(try !renderer.picture(request(tile, style: "tracks", double: true)).isEmpty)
                #expect(try renderer.picture(request(tile, "to=2019-01-01", style: "tracks")).isEmpty)
            }
        }
        // Where a line leaves a tile, it continues in the next.
        var tile = try tile(place(Self.frankfurt, Self.newYork, at: 0.4), 12)
        var crossed = 0
        for _ in 0..<6 {
            let west = try #require(tile.neighbour(dx: -1, dy: 0))
            let below = try #require(west.neighbour(dx: 0, dy: 1))
            let next = try [west, below, try #require(tile.neighbour(dx: 0, dy: 1))].first {
                try !renderer.picture(request($0, style: "tracks")).isEmpty
            }
            guard let next else { break }
            (tile, crossed) = (next, crossed + 1)
        }
        #expect(crossed == 6)
    }

    @Test(arguments: ["tracks", "tracks-speed", "heat-tracks", "points", "heat"])
    func `after a removal every picture is as before the flight`(style: String) throws {
        let town = try Town()
        try fly(town.library, from: Self.frankfurt, to: Self.newYork, day: 0)
        let middle = place(Self.frankfurt, Self.newYork, at: 0.3)
        func pictures() throws -> [TilePicture] {
            let renderer = try town.renderer()
            return try (0...20).map { try renderer.picture(request(try tile(middle, $0), style: style)) }
        }
        let before = try pictures()
        let renderer = try town.renderer()
        // The same route on another day: the same pixels, but other digests.
        try fly(town.library, from: Self.frankfurt, to: Self.newYork, day: 3)
        let change = try #require(try renderer.refresh())
        let between = try pictures()
        let hasLines = style != "heat"
        for zoom in 0...20 where hasLines || zoom <= 6 {
            #expect(change.touches(try request(try tile(middle, zoom), style: style)), "\(zoom)")
            if style != "points" || zoom > 14 { #expect(between[zoom].digest != before[zoom].digest, "\(zoom)") }
        }
        // Far from the route nothing has changed.
        #expect(!change.touches(try request(try Town.tile(14, longitude: 30, latitude: 10), style: style)))
        let newest = try #require(
            try town.library.database.tracks(limit: 9)?.tracks.max {
                ($0.start ?? 0) < ($1.start ?? 0)
            })
        _ = try town.library.remove([newest.id]) { try town.disk.drop($0) }
        let after = try pictures()
        for zoom in 0...20 {
            #expect(
                after[zoom].bytes.shown == before[zoom].bytes.shown && after[zoom].digest == before[zoom].digest,
                "\(zoom)")
        }
    }

    @Test func `prerendering finds the tiles that only a long step crosses, each once`() throws {
        let town = try Town()
        try fly(town.library, from: Self.frankfurt, to: (10.0, 50.5), day: 0)
        try fly(town.library, from: Self.frankfurt, to: (8.9, 50.2), day: 1)
        let renderer = try TileRenderer(library: town.library, styles: .builtIn, workers: 1, disk: town.disk)
        for style in ["tracks", "heat-tracks"] {
            let job = PrerenderJob(zooms: 12...14, style: style, workers: 2, output: .cache(town.disk))
            let receipt = try Prerender(job, renderer: renderer).run()
            #expect(receipt.totalTiles > 100)
            #expect(style != "tracks" || receipt.tiles == receipt.totalTiles)
            for zoom in 12...14 {
                for share in stride(from: 0.05, to: 1, by: 0.1) {
                    let tile = try tile(place(Self.frankfurt, (10.0, 50.5), at: share), zoom)
                    let kept = try renderer.picture(request(tile, style: style))
                    #expect(kept.timing.fromDisk && !kept.isEmpty, "\(tile)")
                }
            }
        }
        // A change of the step removes them from the disk cache.
        let tracks = try #require(try town.library.database.tracks(limit: 9)?.tracks)
        let flights = tracks.filter { ($0.end ?? 0) - ($0.start ?? 0) == 28_000_000 }
        #expect(flights.count == 2)
        _ = try town.library.remove(flights.map(\.id)) { try town.disk.drop($0) }
        let tile = try tile(place(Self.frankfurt, (10.0, 50.5), at: 0.55), 14)
        let picture = try renderer.picture(request(tile, style: "tracks"))
        #expect(!picture.timing.fromDisk && picture.isEmpty)
    }
}
