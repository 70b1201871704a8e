import Testing
import TileMath

@testable import TileArchive

@Suite struct PMTileIDTests {
    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        let level = try #require(ZoomLevel(zoom))
        return try #require(TileCoordinate(zoom: level, x: x, y: y))
    }

    @Test func `ids are those of the specification`() throws {
        for (zoom, x, y, id) in [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
        ] {
            #expect(PMTileID.id(of: try tile(zoom, x, y)) == UInt64(id))
        }
    }

    @Test func `on zoom levels 0 to 6 every id belongs to one tile, and neighbours on the curve touch`() throws {
        var expected: UInt64 = 0
        for zoom in 0...6 {
            let side = 1 << zoom
            var tiles: [UInt64: TileCoordinate] = [:]
            for x in 0..<side {
                for y in 0..<side {
                    let tile = try tile(zoom, x, y)
                    let id = PMTileID.id(of: tile)
                    #expect(PMTileID.tile(of: id) == tile)
                    #expect(tiles.updateValue(tile, forKey: id) == nil)
                }
            }
            #expect(tiles.keys.sorted() == Array(expected..<expected + UInt64(side * side)))
            for id in tiles.keys {
                guard let here = tiles[id], let next = tiles[id + 1] else { continue }
                #expect(abs(here.x - next.x) + abs(here.y - next.y) == 1, "\(here) \(next)")
            }
            expected += UInt64(side * side)
        }
    }

    @Test func `the deepest tiles have ids, and no tile is beyond`() throws {
        let last = (1 << 22) - 1
        for (x, y) in [(0, 0), (last, 0), (0, last), (last, last), (2_345_678, 1_234_567)] {
            let tile = try tile(22, x, y)
            #expect(PMTileID.tile(of: PMTileID.id(of: tile)) == tile)
        }
        let count: UInt64 = ((1 << 46) - 1) / 3
        #expect(PMTileID.tile(of: count) == nil && PMTileID.tile(of: count - 1) != nil)
        #expect(PMTileID.tile(of: .max) == nil)
    }
}
