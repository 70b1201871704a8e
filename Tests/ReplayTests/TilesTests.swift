import Replay
import TestSupport
import Testing
import TileMath
import Tracks

@Suite("A replay's tiles")
struct TilesTests {
    private let noon = SyntheticLibrary.noon

    private struct Named: Equatable {
        var z: Int
        var asof: Int64
        var tiles: [[Int]]

        init?(_ event: ReplayEvent) {
            guard event.name == .tiles, let z = event.number("z"), let asof = event.number("asof"),
                let tiles = event.value("tiles") as? [[Int]]
            else { return nil }
            (self.z, self.asof, self.tiles) = (Int(z), asof, tiles)
        }
    }

    private func level(_ number: Int) throws -> ZoomLevel { try #require(ZoomLevel(number)) }

    /// The tile of a zoom level that contains a place in 1e-7°.
    private func tile(_ zoom: Int, _ longitude: Int64, _ latitude: Int64) -> [Int] {
        let place = WorldPoint(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7)
        return [Int(place.x >> Int64(32 - zoom)), Int(place.y >> Int64(32 - zoom))]
    }

    private func named(
        _ dots: [TestPoint], zoom: Int, pace: ReplayQuery.Pace = .max, isStream: Bool = false
    ) throws -> [Named] {
        var library = SyntheticLibrary()
        library.add(dots.chunks(of: 3), isStream: isStream)
        return try events(ReplayQuery(.track(id: "t1"), pace: pace, tiles: try level(zoom)), library)
            .compactMap { Named($0) }
    }

    /// A track eastwards from 0°, 0.0002° a second.
    private func eastwards(_ count: Int64, from longitude: Int64 = 100) -> [TestPoint] {
        (0..<count).map { TestPoint(longitude: longitude + $0 * 2000, latitude: 1000, time: noon + $0 * 1000) }
    }

    @Test("are listed at maximum speed only when the track enters another tile, and at its end")
    func crossings() throws {
        // A tile of zoom level 14 is 0.02197° wide: 109.9 steps.
        let named = try named(eastwards(250), zoom: 14)
        #expect(
            named.map(\.tiles) == [[[8192, 8191], [8193, 8191]], [[8193, 8191], [8194, 8191]], [[8194, 8191]]])
        #expect(named.map(\.asof) == [noon + 110_001, noon + 220_001, noon + 249_001])
        #expect(named.allSatisfy { $0.z == 14 })
    }

    @Test("are listed once a playback second while the track stays in one tile")
    func paced() throws {
        let named = try named(eastwards(101), zoom: 14, pace: try ReplayQuery.steady(20_000, fps: 5))
        // 0, 20, … 100 s, and the end.
        #expect(named.map(\.asof) == [0, 20, 40, 60, 80, 100, 100].map { noon + $0 * 1000 + 1 })
        #expect(named.allSatisfy { $0.tiles == [[8192, 8191]] })
    }

    @Test("at the antimeridian are those on both sides, and none between")
    func antimeridian() throws {
        let dots = eastwards(20, from: 1_799_990_000).map { dot in
            var dot = dot
            if dot.longitude > 1_800_000_000 { dot.longitude -= 3_600_000_000 }
            return dot
        }
        let named = try named(dots, zoom: 10)
        #expect(named.map { Set($0.tiles) } == [[[1023, 511], [0, 511]], [[0, 511]]])
    }

    @Test("beyond 85.0511° are not listed")
    func poles() throws {
        let dots = (0..<5).map { TestPoint(longitude: 0, latitude: 880_000_000 + $0, time: noon + $0 * 1000) }
        #expect(try named(dots, zoom: 3).isEmpty)
    }

    @Test("on both sides of a gap are listed, those between are not")
    func gaps() throws {
        var dots = eastwards(10)
        dots += eastwards(10, from: 900_000_000).map {
            TestPoint(longitude: $0.longitude, latitude: 0, time: ($0.time ?? 0) + 7_200_000)
        }
        let named = try named(dots, zoom: 12, isStream: true)
        #expect(named.map(\.tiles) == [[tile(12, 100, 1000)], [tile(12, 900_000_000, 0)]])
        #expect(named.map(\.asof) == [noon + 9001, noon + 7_209_001])
    }

    @Test("of a line over half of the world have a lower zoom level")
    func far() throws {
        let dots = [
            TestPoint(longitude: -1_000_000_000, latitude: 0, time: noon),
            TestPoint(longitude: 700_000_000, latitude: 500_000_000, time: noon + 80_000_000),
        ]
        let named = try named(dots, zoom: 16)
        let zoom = try #require(named.first?.z)
        #expect(zoom < 16 && named.allSatisfy { $0.tiles.count <= 256 })
        #expect(try #require(named.first).tiles.contains(tile(zoom, -1_000_000_000, 0)))
        #expect(try #require(named.first).tiles.contains(tile(zoom, 700_000_000, 500_000_000)))
    }

    @Test("together cover the whole track", arguments: 0..<8)
    func complete(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for zoom in [9, 14, 18, 22] {
            for pace in [ReplayQuery.Pace.max, try ReplayQuery.steady(700_000, fps: 7)] {
                let scope = ReplayQuery.everything
                let all = try events(ReplayQuery(scope, pace: pace, tiles: try level(zoom)), library)
                let named = all.compactMap { Named($0) }
                var seen: [Int: Set<[Int]>] = [:]
                for event in named { seen[event.z, default: []].formUnion(event.tiles) }
                // Every recorded position that is played lies in one of them.
                for event in try events(ReplayQuery(scope), library) where event.isFrame {
                    let place = try #require(event.degrees.count >= 2 ? event.degrees : nil)
                    let held = seen.contains { level, tiles in
                        tiles.contains(
                            tile(level, Int64((place[0] * 1e7).rounded()), Int64((place[1] * 1e7).rounded())))
                    }
                    #expect(held, "\(place) at \(zoom)")
                }
                // All other events are the same as without tiles.
                let plain = try events(ReplayQuery(scope, pace: pace), library)
                #expect(all.filter { $0.name != .tiles }.map(\.line) == plain.map(\.line))
                if pace == .max { #expect(named.count < all.filter(\.isFrame).count) }
            }
        }
    }
}
