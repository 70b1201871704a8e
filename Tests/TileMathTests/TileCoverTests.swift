import Testing
import TileMath

@Suite("A tile cover")
struct TileCoverTests {
    private func level(_ number: Int) throws -> ZoomLevel { try #require(ZoomLevel(number)) }

    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        try #require(TileCoordinate(zoom: level(zoom), x: x, y: y))
    }

    @Test("lists each tile once, along the Morton curve")
    func once() throws {
        var cover = TileCover(zoom: try level(3), limit: 8)
        #expect(cover.isEmpty)
        for place in [(7, 7), (0, 1), (1, 0), (0, 1)] { cover.insert(try tile(3, place.0, place.1)) }
        #expect(cover.tiles.map { [$0.x, $0.y] } == [[1, 0], [0, 1], [7, 7]] && cover.zoom.number == 3)
    }

    @Test(
        "with too many tiles uses the deepest zoom level at which the ancestors of all of them fit", arguments: 1...20)
    func coarser(limit: Int) throws {
        var cover = TileCover(zoom: try level(4), limit: limit)
        var all: [TileCoordinate] = []
        for x in 0..<16 {
            for y in 0..<5 {
                all.append(try tile(4, x, y))
                cover.insert(all[all.count - 1])
            }
        }
        #expect(cover.count <= limit)
        for tile in all { #expect(cover.tiles.contains(tile.ancestor(at: cover.zoom))) }
        if cover.zoom.number < 4 {
            let finer = try level(cover.zoom.number + 1)
            #expect(Set(all.map { $0.ancestor(at: finer) }).count > limit)
        }
    }

    @Test("accepts tiles of deeper and coarser zoom levels")
    func levels() throws {
        var cover = TileCover(zoom: try level(5), limit: 8)
        cover.insert(try tile(7, 127, 4))
        #expect(cover.tiles == [try tile(5, 31, 1)])
        var other = TileCover(zoom: try level(2), limit: 8)
        other.insert(try tile(2, 0, 3))
        cover.formUnion(other)
        #expect(Set(cover.tiles) == [try tile(2, 3, 0), try tile(2, 0, 3)])
    }
}
