import Database
import Digest
import Files
import HTTPCore
import PrimaryStore
import Styling
import TestLibrary
import TestSupport
import Testing
import TileLog
import TileMath
import TrackStore
import Tracks

@testable import PictureStore
@testable import TileDrawing

/// A remote database is asked in as few messages as the picture allows: each is a round trip, and a tile without a cache
/// shall wait for one of them.
@Suite(
    .enabled(if: StoreKind.installed.contains(.postgresql), "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct DatabaseRoundTripTests {
    private func withRenderer(
        denseDays: Int64 = 0, flights: Int64 = 0, _ body: (TileRenderer, PictureCache, Library) throws -> Void
    ) async throws {
        try await StoreKind.postgresql.run {
            let folder = try TemporaryFolder()
            let library = try Library(in: folder)
            try library.ride(day: 0, activity: "ride")
            try library.ride(day: 1, activity: "walk")
            for day in 0..<denseDays {
                try library.ride(
                    day: day, latitude: Town.latitude + Double(day % 7) * 1e-4, count: 600, activity: "ride")
            }
            for day in 0..<flights {
                let time = (Town.firstDay + day * 86_400) * 1000
                try library.database.add(
                    [.degrees([(8.57, 50.03, time), (-73.78, 40.64, time + 28_000_000)])],
                    RecordingHeader(source: "flight-\(day).gpx"))
            }
            try library.catchUp()
            let pictures = PictureCache(try #require(try library.database.storage.pictureTables()))
            try body(
                try TileRenderer(library: library, styles: .builtIn, workers: 1, disk: pictures), pictures, library)
        }
    }

    /// The round trips of a tile that nothing is cached of, after those of other tiles have prepared statements and colours.
    private func trips(
        _ request: TileRequest, _ renderer: TileRenderer, _ library: Library
    ) throws -> (trips: Int, picture: TilePicture) {
        // A renderer knows colours of zoom levels, and no tiles, after a tile that is far away.
        var elsewhere = request
        elsewhere.tile = try #require(TileCoordinate(zoom: request.tile.zoom, x: 0, y: 0))
        for _ in 0..<2 { _ = try renderer.picture(elsewhere) }
        renderer.tileCounts.invalidate()
        _ = try renderer.picture(request)
        renderer.tileCounts.invalidate()
        let before = library.roundTrips
        let picture = try renderer.picture(request)
        return (library.roundTrips - before, picture)
    }

    private func request(_ style: String, zoom: Int, _ change: (inout TileRequest) -> Void = { _ in }) throws
        -> TileRequest
    {
        var request = TileRequest(tile: try Town.tile(zoom))
        request.style = style
        change(&request)
        return request
    }

    @Test func `a plain tile of each style takes one round trip`() async throws {
        try await withRenderer(flights: 2) { renderer, _, library in
            for style in [
                "heat", "heat-cells", "heat-glow", "tracks", "tracks-activity", "tracks-speed", "heat-tracks",
            ] {
                for zoom in [5, 12, 15, 16] {
                    let (trips, picture) = try trips(try request(style, zoom: zoom), renderer, library)
                    #expect(trips == 1, "\(style), zoom \(zoom)")
                    #expect(!picture.isEmpty)
                }
            }
            let activity = try request("heat", zoom: 14) { $0.selection.layer = "ride" }
            #expect(try trips(activity, renderer, library).trips == 1)
            let far = TileRequest(tile: try #require(TileCoordinate(zoom: .deepestGrid, x: 1, y: 1)))
            let (trips, picture) = try trips(far, renderer, library)
            #expect(trips == 1 && picture.isEmpty)
        }
    }

    @Test func `a prerendered tile takes one round trip`() async throws {
        try await withRenderer { renderer, pictures, library in
            let request = try request("heat", zoom: 14)
            let drawn = try renderer.picture(request)
            let key = PictureKey(request)
            try pictures.store(
                [PictureCache.Entry(key: key, digest: drawn.digest, bytes: drawn.bytes)], drawnIn: pictures.generation()
            )
            let (trips, picture) = try trips(request, renderer, library)
            #expect(trips == 1 && picture.timing.fromDisk && picture.bytes == drawn.bytes)
            // A picture of other content is not served.
            try pictures.store(
                [PictureCache.Entry(key: key, digest: Digester().finish(), bytes: [1])], drawnIn: pictures.generation())
            let again = try renderer.picture(request)
            #expect(!again.timing.fromDisk && again.bytes.shown == drawn.bytes.shown)
        }
    }

    @Test func `a window over dense tiles takes two round trips`() async throws {
        try await withRenderer(denseDays: 400) { renderer, _, library in
            // The day of the first ride is 18,048.
            let window = TimeWindow(DayWindow(from: 18_080, to: 18_338))
            for style in ["heat", "heat-cells", "tracks"] {
                for zoom in [12, 14] {
                    let windowed = try request(style, zoom: zoom) { $0.selection.window = window }
                    let (trips, picture) = try trips(windowed, renderer, library)
                    // The lines of these tiles are not so many that they are stored by month.
                    #expect(trips == (style == "tracks" ? 1 : 2), "\(style), zoom \(zoom)")
                    #expect(!picture.isEmpty)
                    let plain = try self.trips(try request(style, zoom: zoom), renderer, library)
                    #expect(plain.trips <= (style == "tracks" ? 2 : 1), "\(style), zoom \(zoom)")
                }
            }
        }
    }
}
