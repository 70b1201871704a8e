import Cairo
import Colors
import Foundation
import GEOS
import Styling
import Testing
import TileMath
import Venues

@testable import FloorRendering

@Suite struct FloorTileTests {
    private let light = FloorStyle.builtIn(.light)

    private static func words(_ surface: consuming ImageSurface) -> [UInt32] {
        surface.withWords { words in words.indices.map { words[$0] } }
    }

    /// Pixels and not PNG files: see `PNGWriter` for the bytes of these.
    private static func pixels(_ tile: FloorTile, _ scenes: [FloorScene]) throws -> [UInt32] {
        words(try tile.surface(FloorView(tile.tile, tile.scale), scenes))
    }

    /// How tiles differ from the same blocks of 2 × 2 tiles drawn at once.
    private struct Seams {
        /// Pixels that are not transparent.
        var drawn = 0
        var different = 0
        /// The largest difference of a channel.
        var largest = 0

        mutating func add(_ one: UInt32, _ other: UInt32) {
            if one != 0 { drawn += 1 }
            guard one != other else { return }
            different += 1
            for shift in [0, 8, 16, 24] as [UInt32] {
                largest = max(largest, abs(Int(one >> shift & 255) - Int(other >> shift & 255)))
            }
        }
    }

    private func seams(
        _ tiles: [TileCoordinate], _ scale: TileScale,
        _ draw: (FloorTile, FloorView) throws -> [UInt32]
    ) throws -> Seams {
        var seams = Seams()
        let side = scale.side
        for tile in tiles {
            let block = FloorView(tile, columns: 2, rows: 2, scale)
            let whole = try draw(FloorTile(tile, scale, style: light), block)
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let part = try #require(tile.neighbour(dx: dx, dy: dy))
                let pixels = try draw(FloorTile(part, scale, style: light), FloorView(part, scale))
                for y in 0..<side {
                    for x in 0..<side {
                        seams.add(pixels[y * side + x], whole[(dy * side + y) * 2 * side + dx * side + x])
                    }
                }
            }
        }
        return seams
    }

    @Test(arguments: [15, 16, 17, 18, 19, 20], TileScale.allCases)
    func `Tiles fit their neighbours pixel by pixel`(zoom: Int, scale: TileScale) throws {
        let campus = try Campus()
        let scene = try campus.scene(campus.levels(0))
        let found = try seams(Array(campus.tiles(zoom).prefix(9)), scale) { tile, view in
            Self.words(try tile.surface(view, [scene]))
        }
        #expect(found.drawn > 100)
        #expect(found.different == 0, "\(found)")
    }

    @Test(arguments: [17, 18, 19, 20]) func `Halves of names and symbols of a real building fit pixel by pixel`(
        zoom: Int
    ) throws {
        guard let building = try Campus.realBuilding() else { return }
        let tiles = Array(building.tiles(zoom).prefix(zoom < 19 ? 4 : 16))
        for level in [0, 3] {
            let scene = try building.scene([level])
            let marks = try seams(tiles, .single) { tile, view in Self.words(try tile.marks(view, scene)) }
            #expect(zoom < 19 || marks.drawn > 100)
            #expect(marks.different == 0, "level \(level): \(marks)")
            // Where a pixel is partly covered by a slanted edge, cairo estimates how much in two ways, and chooses by what else
            // is in the same row.
            let all = try seams(tiles, .single) { tile, view in Self.words(try tile.surface(view, [scene])) }
            #expect(all.different * 100 < all.drawn && all.largest <= 20, "level \(level): \(all)")
        }
    }

    @Test func `Names cross the edges of tiles`() throws {
        // Else the tests of neighbouring tiles show nothing about names.
        let campus = try Campus()
        var crossing = 0
        for zoom in 17...22 {
            for mark in try campus.scene(campus.levels(0)).marks(zoom: zoom) {
                guard case .text = mark.content else { continue }
                let box = mark.box
                if box.x >> 8 != (box.x + box.width - 1) >> 8 || box.y >> 8 != (box.y + box.height - 1) >> 8 {
                    crossing += 1
                }
            }
        }
        #expect(crossing > 3)
    }

    @Test func `The order of features does not matter`() throws {
        let (one, other) = (try Campus(), try Campus(reversed: true))
        let (scene, second) = (try one.scene(one.levels(0)), try other.scene(other.levels(0)))
        #expect(scene.digest == second.digest)
        for zoom in 16...19 {
            for tile in one.tiles(zoom) {
                let picture = FloorTile(tile, style: light)
                #expect(try Self.pixels(picture, [scene]) == Self.pixels(picture, [second]), "\(tile)")
            }
        }
    }

    @Test func `Tiles are the same on every thread, and for every order of scenes`() async throws {
        let campus = try Campus()
        let scenes = [try campus.scene([0]), try campus.scene([1])]
        let tiles = campus.tiles(18)
        let expected = try tiles.map { try Self.pixels(FloorTile($0, style: light), scenes) }
        #expect(expected.contains { $0.contains { $0 != 0 } })
        try await withThrowingTaskGroup(of: [[UInt32]].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try tiles.map {
                        try Self.pixels(FloorTile($0, style: .builtIn(.light)), scenes.reversed())
                    }
                }
            }
            for try await found in group { #expect(found == expected) }
        }
    }

    @Test func `Light and dark tiles differ, and so do levels`() throws {
        let campus = try Campus()
        let scene = try campus.scene(campus.levels(0))
        let upper = try campus.scene(campus.levels(2))
        let tiles = campus.tiles(18)
        func pictures(_ theme: Theme, _ scene: FloorScene) throws -> [[UInt8]?] {
            try tiles.map { try FloorTile($0, style: .builtIn(theme)).draw([scene]) }
        }
        let ground = try pictures(.light, scene)
        #expect(try ground != pictures(.dark, scene))
        #expect(try ground != pictures(.light, upper))
        #expect(ground.contains { $0 != nil })
    }

    @Test func `A tile without anything of the venue is nil`() throws {
        let campus = try Campus()
        let scene = try campus.scene([0])
        let overview = try FloorOverview([VenueOutline(campus.venue)])
        for (zoom, x, y) in [(18, 5, 5), (15, 0, 0), (22, 4_194_303, 7)] {
            let tile = try #require(ZoomLevel(zoom).flatMap { TileCoordinate(zoom: $0, x: x, y: y) })
            #expect(try FloorTile(tile, style: light).draw([scene]) == nil)
        }
        let far = try #require(ZoomLevel(14).flatMap { TileCoordinate(zoom: $0, x: 1, y: 1) })
        #expect(try FloorTile(far, style: light).draw(overview) == nil)
        #expect(try FloorTile(try #require(campus.tiles(18).first), style: light).draw([]) == nil)
    }

    @Test func `A venue is its outline below zoom level 15`() throws {
        let campus = try Campus()
        let overview = try FloorOverview([VenueOutline(campus.venue)])
        let scene = try campus.scene([0])
        for zoom in [10, 14] {
            let tiles = campus.tiles(zoom)
            #expect(try tiles.contains { try FloorTile($0, style: light).draw(overview) != nil })
            #expect(try tiles.allSatisfy { try FloorTile($0, style: light).draw([scene]) == nil })
        }
        #expect(overview.marks(zoom: 14).count == 1)
        #expect(try campus.tiles(15).contains { try FloorTile($0, style: light).draw([scene]) != nil })
    }

    @Test func `A route is drawn with its ends`() throws {
        let campus = try Campus()
        let scene = try campus.scene(campus.levels(0))
        let frame = campus.venue.frame
        let line = [(-20.0, 0.0), (0, 3), (20, 0)].map { frame.place(.init(x: $0.0, y: $0.1)) }
        let route = FloorRoute(lines: [line], start: line[0], end: line[2])
        var counts: [UInt32: Int] = [:]
        for tile in campus.tiles(19) {
            let picture = FloorTile(tile, style: light, route: route)
            for word in Self.words(try picture.surface(FloorView(tile, .single), [scene])) {
                counts[word, default: 0] += 1
            }
            #expect(picture.digest(of: [scene]) != FloorTile(tile, style: light).digest(of: [scene]))
        }
        // 40 m are 200 pixels here, the line is 4 wide.
        #expect(counts[light[.route].premultiplied, default: 0] > 300)
        #expect(counts[light[.start].premultiplied, default: 0] > 40)
        #expect(counts[light[.end].premultiplied, default: 0] > 40)
    }

    @Test func `Digests differ by all that changes the picture`() throws {
        let campus = try Campus()
        let tile = try #require(campus.tiles(18).first)
        let scenes = [try campus.scene([0]), try campus.scene([1]), try campus.scene([0], language: "de")]
        var digests = scenes.map { FloorTile(tile, style: light).digest(of: [$0]) }
        digests.append(FloorTile(tile, .double, style: light).digest(of: [scenes[0]]))
        digests.append(FloorTile(tile, style: .builtIn(.dark)).digest(of: [scenes[0]]))
        digests.append(FloorTile(try #require(campus.tiles(18).last), style: light).digest(of: [scenes[0]]))
        digests.append(FloorTile(tile, style: light).digest(of: scenes))
        #expect(Set(digests).count == digests.count)
        #expect(
            FloorTile(tile, style: light).digest(of: scenes)
                == FloorTile(tile, style: light).digest(of: scenes.reversed()))
    }

    @Test func `A venue at 180° is drawn on both sides of it`() throws {
        let json = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"indoor":"room","level":"0","name":"East","id":"1"},"geometry":{"type":"Polygon",
            "coordinates":[[[179.9995,10],[179.9999,10],[179.9999,10.0004],[179.9995,10.0004],[179.9995,10]]]}},
            {"type":"Feature","properties":{"indoor":"room","level":"0","name":"West","id":"2"},"geometry":{"type":"Polygon",
            "coordinates":[[[-179.9999,10],[-179.9995,10],[-179.9995,10.0004],[-179.9999,10.0004],[-179.9999,10]]]}}]}
            """
        let campus = try Campus(Venue.reading([try FeatureCollection(Array(json.utf8))], name: "x").venue)
        let scene = try campus.scene([0])
        let overview = try FloorOverview([VenueOutline(campus.venue)])
        for zoom in [13, 14, 17, 18] {
            let level = try #require(ZoomLevel(zoom))
            let row = Int(WorldPoint(longitude: 0, latitude: 10.0002).y >> Int64(32 - zoom))
            for column in [0, level.tilesPerSide - 1] {
                let tile = FloorTile(try #require(TileCoordinate(zoom: level, x: column, y: row)), style: light)
                let picture = zoom < 15 ? try tile.draw(overview) : try tile.draw([scene])
                #expect(picture != nil, "\(tile.tile)")
            }
        }
    }

    @Test func `Tiles that show something of a venue reach its bounds`() throws {
        let campus = try Campus()
        let scene = try campus.scene(campus.levels(0))
        var counts = (reached: 0, drawn: 0)
        for zoom in 15...19 {
            // Two rings around the venue, so that some are not reached.
            let tiles = Set(
                campus.tiles(zoom).flatMap { tile in (-1...1).compactMap { tile.neighbour(dx: $0, dy: $0) } })
            for tile in tiles.map({ FloorTile($0, style: light) }) {
                let isDrawn = try tile.draw([scene]) != nil
                if tile.reaches(campus.venue.bounds) { counts.reached += 1 } else { #expect(!isDrawn, "\(tile.tile)") }
                if isDrawn { counts.drawn += 1 }
            }
            #expect(tiles.contains { !FloorTile($0, style: light).reaches(campus.venue.bounds) })
        }
        #expect(counts.drawn > 5 && counts.reached > counts.drawn)
    }
}
