import Colors
import Foundation
import HTTPCore
import PNG
import PrimaryStore
import SampleTracks
import Styling
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

@testable import TileDrawing

/// Tiles of lines and of recorded points, from import to picture.
@Suite struct LineRendererTests {
    private static let wide = """
        {"name": "wide", "kind": "tracks", "lines": {"color": "#c02020", "width": 4}}
        """
    private static let dotted = """
        {"name": "dotted", "kind": "points",
         "dots": {"color": "#2040c0", "radius": 2, "outline": {"color": "#ffffff", "width": 1}}}
        """

    private func pixels(_ bytes: [UInt8]) throws -> RGBAImage { try PNGReader.image(of: bytes) }

    /// The covered area in pixels: the sum of the alpha values.
    private func area(_ bytes: [UInt8]) throws -> Double {
        let image = try pixels(bytes).bytes
        return Double(stride(from: 3, to: image.count, by: 4).reduce(0) { $0 + Int(image[$1]) }) / 255
    }

    @Test(arguments: 0...22)
    func `lines are drawn with the right length at every zoom level`(zoom: Int) throws {
        let town = try Town()
        let renderer = try TileRenderer(
            library: town.library, styles: StyleSheet(files: [(name: "a.json", text: Array(Self.wide.utf8))]),
            workers: 1, disk: nil)
        // Rides of 59 steps of 0.00007°; a pixel of zoom level 0 is 360 / 256 degrees; lines are 4 pixels wide.
        let degrees = 59 * 0.00007
        let expected = degrees / 360 * 256 * pow(2, Double(zoom)) * 4
        for double in [false, true] {
            var found = 0.0
            let tile = try Town.tile(zoom)
            let reach = min(1, (1 << zoom) - 1)
            for column in -reach...reach where zoom < 18 {
                for row in -reach...reach {
                    guard let near = tile.neighbour(dx: column, dy: row) else { continue }
                    found += try area(try renderer.picture(request(near, style: "wide", double: double)).bytes)
                }
            }
            if zoom >= 18 { found = try area(try renderer.picture(request(tile, style: "wide", double: double)).bytes) }
            let scale = double ? 4.0 : 1
            if (15...16).contains(zoom) {
                // Two different lines, each with round ends and small deviations in latitude.
                #expect(found > 1.8 * expected * scale && found < 2.8 * expected * scale)
            } else {
                #expect(found > 0.5 * scale)
            }
        }
    }

    @Test func `recorded lines continue simplified lines at deeper zoom levels`() throws {
        let town = try Town()
        let renderer = try TileRenderer(
            library: town.library, styles: StyleSheet(files: [(name: "a.json", text: Array(Self.wide.utf8))]),
            workers: 1, disk: nil)
        // The same area once from the log, enlarged four times, and once from the recorded points.
        let parent = try Town.tile(18)
        let coarse = try pixels(try renderer.picture(request(parent, style: "wide")).bytes)
        var (both, either) = (0, 0)
        for (index, child) in parent.children.enumerated() {
            let fine = try pixels(try renderer.picture(request(child, style: "wide")).bytes)
            for y in 0..<128 {
                for x in 0..<128 {
                    let from = coarse[index % 2 * 128 + x, index / 2 * 128 + y].alpha > 127
                    let to = fine[2 * x, 2 * y].alpha > 127
                    if from || to { either += 1 }
                    // In the children, lines are half as wide on the ground.
                    if from && to { both += 1 }
                    #expect(!to || near(coarse, index % 2 * 128 + x, index / 2 * 128 + y), "\(child) \(x),\(y)")
                }
            }
        }
        #expect(both > 100 && Double(both) > 0.35 * Double(either))
    }

    private func near(_ picture: RGBAImage, _ x: Int, _ y: Int) -> Bool {
        (max(0, y - 2)...min(255, y + 2)).contains { y in
            (max(0, x - 2)...min(255, x + 2)).contains { picture[$0, y].alpha > 0 }
        }
    }

    @Test(arguments: ["tracks", "tracks-activity", "tracks-age", "tracks-speed", "points", "heat-tracks"])
    func `after a removal every picture is as before the import`(style: String) throws {
        let (town, other) = (try Town(), try Town())
        let before = try (0...20).map { try town.renderer().picture(request(Town.tile($0), style: style)) }
        try town.library.ride(day: 3, latitude: Town.latitude + 0.0004, activity: "ride")
        try town.library.catchUp()
        let between = try (0...20).map { try town.renderer().picture(request(Town.tile($0), style: style)) }
        for zoom in [16, 17] { #expect(before[zoom].digest != between[zoom].digest) }
        let newest = try #require(try town.library.database.tracks(limit: 1)?.tracks.first)
        _ = try town.library.remove([newest.id]) { _ in }
        for zoom in 0...20 {
            let after = try town.renderer().picture(request(Town.tile(zoom), style: style))
            #expect(after.bytes.shown == before[zoom].bytes.shown && after.digest == before[zoom].digest, "\(zoom)")
            #expect(
                after.bytes.shown == (try other.renderer().picture(request(Town.tile(zoom), style: style)).bytes.shown))
        }
    }

    @Test(arguments: [14, 19])
    func `windows, layers and tracks select lines like counts`(zoom: Int) throws {
        let town = try Town()
        let renderer = try town.renderer()
        let tile = try Town.tile(zoom)
        func area(_ query: String) throws -> Double {
            try self.area(try renderer.picture(request(tile, query, style: "tracks")).bytes)
        }
        let all = try area("")
        #expect(all > 0)
        #expect(try area("from=2019-06-01&to=2019-06-02") == all)
        #expect(try area("to=2019-05-31") == 0)
        #expect(try area("layer=ride") == (try area("from=2019-06-02")))
        let ids = try #require(try town.library.database.tracks(limit: 9)).tracks
        let ride = try #require(ids.first { $0.activity == .ride })
        // Lines of named tracks have exact edges, other lines the quarter pixels of a raster.
        #expect(abs(try area("track=\(ride.id)") / area("layer=ride") - 1) < 0.05)
        if zoom == 14 { #expect(try area("layer=walk") > 0 && area("layer=ride") < all) }
        #expect(throws: TileError.self) { try area("minus=2019-01-01/2019-02-01") }
        #expect(try area("track=\(ride.id)&to=2019-05-31") == 0)
    }

    /// A ride along the northern edge of a tile, some pixels inside it.
    private func rideBelowEdge(_ town: Town, day: Int64) throws -> TileCoordinate {
        let tile = try Town.tile(16, latitude: Town.latitude + 0.02)
        let box = BoundingBox(of: tile)
        let pixel = (box.north - box.south) / 256
        try town.library.ride(day: day, latitude: box.north - 6 * pixel)
        try town.library.catchUp()
        return try #require(tile.neighbour(dx: 0, dy: -1))
    }

    @Test func `a line whose width crosses the edge changes the neighbour's picture and ETag`() throws {
        let town = try Town()
        let above = try rideBelowEdge(town, day: 4)
        let renderer = try town.renderer()
        #expect(try renderer.picture(request(above, style: "heat-cells")).isEmpty)
        let one = try renderer.picture(request(above, style: "tracks-speed"))
        #expect(!one.isEmpty)
        _ = try rideBelowEdge(town, day: 5)
        let changed = try #require(try renderer.refresh())
        #expect(changed.touches(try request(above, style: "tracks-speed")))
        #expect(!changed.touches(try request(try Town.tile(16), style: "tracks-speed")))
        let two = try renderer.picture(request(above, style: "tracks-speed"))
        #expect(one.digest != two.digest)
    }

    @Test(arguments: ["tracks", "heat-tracks", "points"])
    func `prerendering finds every tile that lines reach`(style: String) throws {
        let town = try Town()
        let above = try rideBelowEdge(town, day: 4)
        let renderer = try TileRenderer(library: town.library, styles: .builtIn, workers: 1, disk: town.disk)
        let job = PrerenderJob(zooms: 14...17, style: style, workers: 2, output: .cache(town.disk))
        let receipt = try Prerender(job, renderer: renderer).run()
        #expect(receipt.drawn > 10)
        let kept = try renderer.picture(request(above, style: style))
        #expect(kept.timing.fromDisk)
        #expect(kept.bytes.shown == (try town.renderer().picture(request(above, style: style)).bytes.shown))
        // A changed line near the edge removes the neighbour's picture from the disk cache.
        try town.library.ride(day: 9, latitude: BoundingBox(of: above).south - 0.00008)
        let change = try #require(try town.library.catchUp())
        try town.disk.drop(change)
        #expect(try !renderer.picture(request(above, style: style)).timing.fromDisk)
    }

    @Test func `every recorded point is a dot, and a waypoint is a pin`() throws {
        let town = try Town()
        let longitudes: [Int64] = [0, 4000, 8000].map { 100_000_000 + $0 }
        let points = longitudes.enumerated().map { number, longitude in
            TestPoint(
                longitude: longitude, latitude: 400_000_000, time: Int64(number) * 60_000, isWaypoint: number == 1)
        }
        try town.library.database.add(points.chunks(), RecordingHeader(source: "marks.gpx"))
        try town.library.catchUp()
        let renderer = try TileRenderer(
            library: town.library, styles: StyleSheet(files: [(name: "a.json", text: Array(Self.dotted.utf8))]),
            workers: 1, disk: nil)
        let pin = PointSymbolizer.defaultPin
        for zoom in [15, 17, 20] {
            var seen: [Color] = []
            for longitude in longitudes {
                let tile = try Town.tile(zoom, longitude: Double(longitude) / 1e7, latitude: 40)
                let picture = try pixels(try renderer.picture(request(tile, style: "dotted")).bytes)
                let place = WorldPoint(longitude: Double(longitude) / 1e7, latitude: 40)
                let shift = Int64(24 - zoom)
                seen.append(picture[Int(place.x >> shift & 255), Int(place.y >> shift & 255)])
            }
            let dot = Color(red: 0x20, green: 0x40, blue: 0xc0)
            #expect(seen == [dot, pin, dot], "\(zoom)")
        }
        // At coarser zoom levels than the style's first one, nothing is drawn.
        let coarse = try Town.tile(14, longitude: 10, latitude: 40)
        #expect(try renderer.picture(request(coarse, style: "dotted")).isEmpty)
        let empty = try renderer.picture(request(Town.tile(16), "to=2019-05-01", style: "dotted"))
        #expect(empty.isEmpty)
    }

    @Test func `lines cross the antimeridian from one side of the map to the other`() throws {
        let town = try Town(isPrepared: false)
        try town.library.ride(day: 7, longitude: 179.998, latitude: 10)
        try town.library.catchUp()
        let renderer = try town.renderer()
        for zoom in [3, 10, 16, 19] {
            let east = try Town.tile(zoom, longitude: 179.99999, latitude: 10.00003)
            let west = try Town.tile(zoom, longitude: -179.99999, latitude: 10.00003)
            let pictures = try [east, west].map { try pixels(try renderer.picture(request($0, style: "tracks")).bytes) }
            let rows = pictures.enumerated().map { index, picture in
                (0..<256).map { picture[index == 0 ? 255 : 0, $0].alpha }
            }
            // At zoom level 3 the line is one point on the edge, and each tile has a part of it.
            let least = zoom == 3 ? 40 : 100
            #expect(rows.allSatisfy { $0.contains { $0 > least } }, "\(zoom)")
            #expect(zip(rows[0], rows[1]).allSatisfy { abs(Int($0) - Int($1)) < 200 })
        }
    }

    @Test func `decorations show start and end, for single tracks only`() throws {
        let town = try Town()
        let renderer = try town.renderer()
        let ride = try #require(try town.library.database.tracks(limit: 9)?.tracks.first)
        for style in ["tracks", "heat"] {
            let tile = try Town.tile(17)
            let plain = try renderer.picture(request(tile, "track=\(ride.id)", style: style))
            let decorated = try renderer.picture(request(tile, "track=\(ride.id)&marks=1", style: style))
            #expect(plain.digest != decorated.digest && plain.bytes.shown != decorated.bytes.shown)
            let start = WorldPoint(longitude: Town.longitude, latitude: Town.latitude)
            let place = (Int(start.x >> 7 & 255), Int(start.y >> 7 & 255))
            #expect(
                try pixels(decorated.bytes)[place.0, place.1] == Color(red: 0x1a, green: 0x98, blue: 0x50), "\(style)")
            let before = try renderer.picture(request(tile, "track=\(ride.id)&marks=1&to=2019-05-01", style: style))
            #expect(before.isEmpty)
        }
        #expect(throws: Problem.self) { try request(try Town.tile(17), "marks=1") }
        #expect(throws: Problem.self) { try request(try Town.tile(17), "track=\(ride.id)&marks=yes") }
    }
}
