import Foundation
import Journeys
import TestSupport
import Testing
import TileMath
import Tracks

@Suite struct LineThinningTests {
    private static func line(_ seed: Int, _ count: Int) throws -> [GeoPoint] {
        var random = SeededRandom(seed: seed)
        var (x, y) = (179.9, 10.0)
        return try (0..<count).map { _ in
            x += Double(random.below(1000)) / 1e5
            y += (Double(random.below(1000)) - 500) / 1e5
            // Over 180°.
            return try #require(GeoPoint(longitude: x > 180 ? x - 360 : x, latitude: y))
        }
    }

    /// Metres between a point and the nearest one of a line.
    private static func distance(_ point: GeoPoint, _ measure: RouteMeasure) -> Double {
        measure.nearest(to: point).distance
    }

    @Test(arguments: 0..<8) func `a thinned line has its ends and corners of the line, and fewer are farther away`(
        seed: Int
    ) throws {
        let line = try Self.line(seed, 400)
        var last = 0.0
        for count in [400, 300, 120, 40, 10, 3, 2] {
            let thinned = LineThinning.thinned(line, to: count)
            #expect(thinned.count == count && thinned.first == line.first && thinned.last == line.last)
            var rest = line[...]
            for corner in thinned {
                let index = try #require(rest.firstIndex(of: corner))
                rest = rest[(index + 1)...]
            }
            let places = [JourneyPlace("A", at: line[0]), JourneyPlace("B", at: line[399])]
            let measure = RouteMeasure(try JourneyRoute("Thinned", line: thinned, places: places))
            let farthest = line.map { Self.distance($0, measure) }.max() ?? 0
            // Of a line with fewer corners, some part is as far away or farther; the bound is not the distance itself.
            #expect(farthest >= last * 0.5, "\(count): \(farthest) after \(last)")
            last = farthest
        }
    }

    @Test func `corners on a straight line go first, and short lines stay as they are`() throws {
        let straight = try (0...100).map { try #require(GeoPoint(longitude: Double($0) / 100, latitude: 0)) }
        let peak = try #require(GeoPoint(longitude: 0.505, latitude: 0.01))
        let line = Array(straight[...50]) + [peak] + Array(straight[51...])
        #expect(LineThinning.thinned(line, to: 5).contains(peak))
        #expect(LineThinning.thinned(line, to: 102) == line && LineThinning.thinned([peak], to: 1) == [peak])
        #expect(LineThinning.thinned([], to: 9).isEmpty)
        #expect(LineThinning.thinned(line, to: 0) == [line[0], line[101]])
    }

    @Test func `a spiral of 100,000 corners is thinned in a moment`() throws {
        let spiral = try (0..<100_000).map { index -> GeoPoint in
            let (angle, radius) = (Double(index) / 30, Double(index) / 2500)
            return try #require(GeoPoint(longitude: radius * cos(angle), latitude: radius * sin(angle)))
        }
        let start = ContinuousClock.now
        #expect(LineThinning.thinned(spiral, to: 5000).count == 5000)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test(arguments: 0..<5) func `the nearest point of a line is as near as any of its points`(seed: Int) throws {
        let line = try Self.line(seed, 30)
        let places = [JourneyPlace("A", at: line[0]), JourneyPlace("B", at: line[29])]
        let measure = RouteMeasure(try JourneyRoute("Line", line: line, places: places))
        var random = SeededRandom(seed: seed + 100)
        func e7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
        for _ in 0..<20 {
            let longitude = 179.9 + Double(random.below(2000)) / 1e4
            let point = try #require(
                GeoPoint(
                    longitude: longitude > 180 ? longitude - 360 : longitude,
                    latitude: 9.95 + Double(random.below(1000)) / 1e4))
            let nearest = measure.nearest(to: point)
            let distances = (0...500).map { step -> Double in
                let other = measure.point(at: measure.length * Double(step) / 500).point
                return Geodesy.metres(e7(point.longitude), e7(point.latitude), e7(other.longitude), e7(other.latitude))
            }
            // The map is not the ellipsoid, but nearly so in such a small area.
            #expect(nearest.distance <= (distances.min() ?? 0) * 1.01 + 0.5)
            #expect((0...measure.length).contains(nearest.metres))
        }
    }
}
