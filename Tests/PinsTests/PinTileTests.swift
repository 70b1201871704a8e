import TestSupport
import Testing
import TileMath
import Tracks

@testable import Pins

@Suite("Pins in tiles") struct PinTileTests {
    private static func local(_ instant: Int64) -> (hour: Int, month: Int) {
        (Int((instant / 3_600_000) % 24), Int((instant / 2_000_000_000) % 12))
    }

    /// Pins anywhere, in heaps, on edges of tiles, at ±180° and at the poles.
    private static func pins(_ count: Int, seed: UInt64) -> [PinFacts] {
        var random = SeededRandom(seed: seed)
        return (0..<count).compactMap { number in
            var longitude = Double(random.below(3_600_000)) / 10_000 - 180
            var latitude = Double(random.below(1_780_000)) / 10_000 - 89
            switch random.below(6) {
            case 0:
                (longitude, latitude) = (
                    13.4 + Double(random.below(1000)) / 1e5, 52.5 + Double(random.below(1000)) / 1e5
                )
            case 1: longitude = [-180, 180, 0, 90, -90, 45][random.below(6)]
            case 2: latitude = [85.0511287798066, -85.0511287798066, 85.06, -85.06, 90, -90, 0][random.below(7)]
            case 3: (longitude, latitude) = (13.4, 52.5)
            default: break
            }
            guard let place = PinPlace(longitude: longitude, latitude: latitude) else { return nil }
            return PinFacts(
                PinID.random(using: &random), place, time: random.below(5) == 0 ? nil : Int64(random.below(1 << 40)),
                category: [nil, "hut", "food"][random.below(3)], person: [nil, "bea"][random.below(2)],
                source: PinSource.allCases[random.below(4)],
                expires: random.below(10) == 0 ? Int64(500 + random.below(1000)) : nil)
        }
    }

    private static var filters: [PinFilter] {
        var filters = [PinFilter()]
        func add(_ change: (inout PinFilter) -> Void) {
            var filter = PinFilter()
            change(&filter)
            filters.append(filter)
        }
        add { $0.category = "hut" }
        add { $0.category = "unknown" }
        add { $0.person = "bea" }
        add { $0.person = "" }
        add { $0.source = .photo }
        add { $0.hours = PinPeriods.hours("22-4") }
        add { $0.months = PinPeriods.months("12-2") }
        add { $0.from = 1 << 38 }
        add { $0.to = 1 << 38 }
        add { filter in
            filter.during = TrackTimes([
                ("bea", 1 << 37, 1 << 38), ("bea", (1 << 37) + 5, 1 << 39), (nil, 0, 1 << 36), ("x", 0, 1 << 40),
            ])
        }
        add { filter in
            (filter.from, filter.to, filter.category) = (1 << 36, 1 << 39, "food")
            filter.hours = PinPeriods.hours("0-11")
        }
        return filters
    }

    private static func tiles(of zoom: Int) -> [TileCoordinate] {
        guard let level = ZoomLevel(zoom) else { return [] }
        return (0..<level.tilesPerSide).flatMap { x in
            (0..<level.tilesPerSide).compactMap { TileCoordinate(zoom: level, x: x, y: $0) }
        }
    }

    @Test(arguments: 0..<11) func `The counts of a tile are those of a scan, and the sum of its four children`(
        filter number: Int
    ) throws {
        let pins = Self.pins(2000, seed: 3)
        let filter = Self.filters[number]
        let now: Int64 = 1000
        let index = PinIndex(pins, now: now, local: Self.local)
        let selection = index.selection(filter)
        let shown = pins.filter { !$0.isExpired(at: now) && filter.admits($0, local: Self.local) }
        let codes = shown.map { PinIndex.code(of: $0.place) }
        for zoom in 0...5 {
            var sum = 0
            for tile in Self.tiles(of: zoom) {
                let found = index.tile(tile, selection)
                let shift = UInt64(64 - 2 * zoom)
                let scanned = codes.count { shift == 64 || $0 >> shift == tile.morton }
                #expect(found.count == scanned, "\(tile)")
                let children = tile.children.reduce(0) { $0 + index.tile($1, selection).count }
                #expect(found.count == children, "\(tile)")
                sum += found.count
            }
            #expect(sum == shown.count)
        }
        // Deeper levels where pins are.
        for code in codes.prefix(50) {
            for zoom in 6...21 {
                let level = try #require(ZoomLevel(zoom))
                let tile = try #require(TileCoordinate(zoom: level, morton: code >> UInt64(64 - 2 * zoom)))
                let found = index.tile(tile, selection)
                #expect(found.count == codes.count { $0 >> UInt64(64 - 2 * zoom) == tile.morton }, "\(tile)")
                #expect(found.count == tile.children.reduce(0) { $0 + index.tile($1, selection).count }, "\(tile)")
            }
        }
    }

    @Test func `Clusters lie within their cells, and single pins at their places`() throws {
        let pins = Self.pins(3000, seed: 9)
        let index = PinIndex(pins, now: 0, local: Self.local)
        let all = index.selection(PinFilter())
        for zoom in 0...5 {
            for tile in Self.tiles(of: zoom) {
                let found = index.tile(tile, all)
                var cells: Set<Int> = []
                for cluster in found.clusters {
                    #expect((PinTile.smallestDiameter...PinTile.largestDiameter).contains(cluster.diameter))
                    let radius = cluster.diameter / 2
                    let (column, row) = (Int(cluster.x / 64), Int(cluster.y / 64))
                    #expect(cells.insert(row * 4 + column).inserted)
                    for (centre, cell) in [(cluster.x, column), (cluster.y, row)] {
                        #expect(centre - radius >= Double(cell) * 64 - 1e-9)
                        #expect(centre + radius <= Double(cell + 1) * 64 + 1e-9)
                    }
                    let ids = index.ids(of: cluster, all)
                    #expect(ids.count == min(cluster.count, PinTile.namedPins) && Set(ids).count == ids.count)
                }
                for pin in found.pins {
                    #expect((0...256).contains(pin.x) && (0...256).contains(pin.y))
                    let id = try #require(index.id(of: pin))
                    let facts = try #require(pins.first { $0.id == id })
                    let world = WorldPoint(longitude: facts.place.degrees.longitude, latitude: 0)
                    let x =
                        Double(world.x) / 4_294_967_296 * Double(tile.zoom.tilesPerSide) * 256 - Double(tile.x) * 256
                    #expect(abs(x - pin.x) < 0.001)
                }
            }
        }
    }

    @Test func `A single pin near an edge is in both tiles, also across 180 degrees`() throws {
        let level = try #require(ZoomLevel(3))
        let place = try #require(PinPlace(longitude: 179.99, latitude: 10))
        let facts = PinFacts(
            try #require(PinID(bytes: [UInt8](repeating: 7, count: 16))), place, time: nil, category: nil,
            person: nil, source: .hand, expires: nil)
        let index = PinIndex([facts], now: 0, local: Self.local)
        let all = index.selection(PinFilter())
        let east = index.tile(try #require(TileCoordinate(zoom: level, x: 7, y: 3)), all)
        let west = index.tile(try #require(TileCoordinate(zoom: level, x: 0, y: 3)), all)
        let (own, neighbour) = (try #require(east.pins.first), try #require(west.neighbours.first))
        #expect(abs(own.x - 256 - neighbour.x) < 1e-6 && abs(own.y - neighbour.y) < 1e-6)
        #expect(west.pins.isEmpty && west.count == 0)
        let whole = index.tile(try #require(Self.tiles(of: 0).first), all)
        #expect(whole.count == 1 && whole.neighbours.contains { $0.x < 0 && $0.x > -1 })
    }

    @Test func `The order of the pins makes no difference`() throws {
        var random = SeededRandom(seed: 2)
        let pins = Self.pins(500, seed: 4)
        let index = PinIndex(pins, now: 0, local: Self.local)
        let shuffled = PinIndex(pins.shuffled(using: &random), now: 0, local: Self.local)
        for tile in Self.tiles(of: 3) {
            let (one, other) = (
                index.tile(tile, index.selection(PinFilter())), shuffled.tile(tile, shuffled.selection(PinFilter()))
            )
            #expect(one == other)
            #expect(
                one.clusters.map { index.ids(of: $0, index.selection(PinFilter())) }
                    == other.clusters.map { shuffled.ids(of: $0, shuffled.selection(PinFilter())) })
        }
    }

    @Test func `The index knows when other pins are expired, after and before its time`() {
        let pins = Self.pins(300, seed: 8)
        let shown = pins.filter { !$0.isHidden }
        let index = PinIndex(pins, now: 700, local: Self.local)
        #expect(index.validTimes.upperBound == shown.compactMap(\.expires).filter { $0 > 700 }.min())
        #expect(index.validTimes.lowerBound == shown.compactMap(\.expires).filter { $0 <= 700 }.max())
        #expect(index.count == shown.count { !$0.isExpired(at: 700) })
        let empty = PinIndex([], now: 0, local: Self.local)
        #expect(empty.validTimes == .min ..< .max && empty.count == 0)
    }
}
