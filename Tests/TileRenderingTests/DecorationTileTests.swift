import Foundation
import LineGrid
import PNG
import TestSupport
import Testing
import TileMath
import TileRendering
import Tracks

@Suite struct DecorationTileTests {
    /// A track to the north-east across several tiles, in steps of a pixel of zoom level 16 with some noise.
    private static func polyline(longitude: Double, latitude: Double, points: Int = 1500) -> Polyline {
        var detector = OutlierDetector(gap: .none, kind: .file(longSegments: []), outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        var random = SeededRandom(seed: 5)
        let chunk = PointColumns(
            unit: .decimal(places: 7),
            longitudes: (0..<points).map { Int64((longitude + Double($0) * 3e-5) * 1e7) + random.below(90) },
            latitudes: (0..<points).map { Int64((latitude + Double($0) * 1e-5) * 1e7) + random.below(90) },
            times: (0..<points).map { Int64($0) * 1000 }, segmentStarts: [0])
        detector.add(chunk, into: &classified)
        detector.finish(into: &classified)
        var polyline = Polyline()
        polyline.add(classified)
        return polyline
    }

    @Test func `Decorations of a zoom level equal those of its tiles`() throws {
        for (longitude, latitude) in [(13.4, 52.5), (179.999, -40.0)] {
            let polyline = Self.polyline(longitude: longitude, latitude: latitude)
            for number in [0, 3, 8, 12, 15] {
                let zoom = try #require(ZoomLevel(number))
                let all = try #require(polyline.decorations(at: zoom, atMost: 1_000_000))
                let point = WorldPoint(longitude: longitude, latitude: latitude)
                let shift = Int64(32 - number)
                let middle = try #require(
                    TileCoordinate(zoom: zoom, x: Int(point.x >> shift), y: Int(point.y >> shift)))
                for (east, south) in [(0, 0), (1, 0), (-1, 0), (0, 1), (1, -1)] {
                    guard let tile = middle.neighbour(dx: east, dy: south) else { continue }
                    var direct = TileDecorations()
                    polyline.add(to: &direct, in: tile) { $0 % 3 != 0 }
                    var kept = TileDecorations()
                    all.add(to: &kept, in: tile) { $0 % 3 != 0 }
                    #expect(direct == kept)
                }
            }
            #expect(polyline.decorations(at: .deepest, atMost: 3) == nil)
        }
    }

    @Test(arguments: [0, 9, 13, 16, 19], [TileScale.single, .double])
    func `Decorations are complete across tile edges`(zoom: Int, scale: TileScale) throws {
        let polyline = Self.polyline(longitude: 11.1, latitude: 47)
        let level = try #require(ZoomLevel(zoom))
        let place = WorldPoint(longitude: 11.11, latitude: 47.0034)
        let middle = try #require(
            TileCoordinate(zoom: level, x: Int(place.x >> Int64(32 - zoom)), y: Int(place.y >> Int64(32 - zoom))))
        let canvas = try Canvas()
        // Every decoration in the margin of two tiles must have the same place in the world in both.
        var known: [TileCoordinate: TileDecorations] = [:]
        for row in -1...1 {
            for column in -1...1 {
                guard let tile = middle.neighbour(dx: column, dy: row) else { continue }
                var decorations = TileDecorations()
                polyline.add(to: &decorations, in: tile) { _ in true }
                known[tile] = decorations
                canvas.draw(nothing: scale)
                try canvas.draw(decorations, scale: scale)
                let isNear = !decorations.isEmpty
                #expect(try (canvas.png() == scale.emptyPicture) == !isNear)
            }
        }
        #expect(known.values.contains { !$0.isEmpty })
        for (tile, decorations) in known {
            for (other, others) in known where other.y == tile.y && other.x == tile.x + 1 {
                let here = decorations.arrows.filter { $0.x > 249 }.map { [($0.x - 256), $0.y, $0.east] }
                let there = others.arrows.filter { $0.x < 7 }.map { [$0.x, $0.y, $0.east] }
                for arrow in here where arrow[0] < 7 {
                    #expect(there.contains { zip($0, arrow).allSatisfy { abs($0 - $1) < 1e-6 } })
                }
            }
        }
    }

    @Test(arguments: [TileScale.single, .double])
    func `A loop shows its start within the ring of its end`(scale: TileScale) throws {
        let steps = Array(0...100) + (0..<100).reversed()
        var detector = OutlierDetector(gap: .none, kind: .file(longSegments: []), outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: steps.map { 111_000_000 + Int64($0) * 500 },
            latitudes: [Int64](repeating: 470_000_000, count: steps.count),
            times: steps.indices.map { Int64($0) * 1000 }, segmentStarts: [0])
        detector.add(chunk, into: &classified)
        detector.finish(into: &classified)
        var polyline = Polyline()
        polyline.add(classified)
        let place = WorldPoint(longitude: 11.1, latitude: 47)
        let level = try #require(ZoomLevel(15))
        let tile = try #require(
            TileCoordinate(zoom: level, x: Int(place.x >> 17), y: Int(place.y >> 17)))
        var all = TileDecorations()
        polyline.add(to: &all, in: tile) { _ in true }
        let position = try #require(all.starts.first)
        #expect(all.starts == [position] && all.ends == [position])
        let canvas = try Canvas()
        func image(hasStart: Bool, hasEnd: Bool) throws -> RGBAImage {
            var decorations = TileDecorations()
            if hasStart { decorations.starts = all.starts }
            if hasEnd { decorations.ends = all.ends }
            canvas.draw(nothing: scale)
            try canvas.draw(decorations, scale: scale)
            return try PNGReader.image(of: canvas.png())
        }
        let factor = Double(scale.rawValue)
        let (x, y) = (Int(position.x * factor), Int(position.y * factor))
        let ring = x + Int(3.2 * factor)
        let loop = try image(hasStart: true, hasEnd: true)
        let start = try image(hasStart: true, hasEnd: false)
        let end = try image(hasStart: false, hasEnd: true)
        #expect(loop[x, y] == start[x, y] && loop[x, y] != end[x, y])
        #expect(loop[ring, y] == end[ring, y] && start[ring, y] != end[ring, y])
    }

    @Test func `Arrows are evenly spaced and point forward`() throws {
        let polyline = Self.polyline(longitude: 11.1, latitude: 47)
        let level = try #require(ZoomLevel(14))
        let place = WorldPoint(longitude: 11.12, latitude: 47.006)
        let tile = try #require(
            TileCoordinate(zoom: level, x: Int(place.x >> 18), y: Int(place.y >> 18)))
        var decorations = TileDecorations()
        polyline.add(to: &decorations, in: tile) { _ in true }
        #expect(decorations.arrows.count >= 2)
        for arrow in decorations.arrows { #expect(arrow.east > 0.7 && arrow.south < 0.2) }
        for (one, other) in zip(decorations.arrows, decorations.arrows.dropFirst()) {
            let distance = hypot(other.x - one.x, other.y - one.y)
            #expect(distance > 80 && distance < 97)
        }
        var none = TileDecorations()
        polyline.add(to: &none, in: tile) { _ in false }
        #expect(none.isEmpty)
    }
}
