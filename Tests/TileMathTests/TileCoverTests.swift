import Testing
import TileMath

@Suite("A tile cover")
struct TilePatchTests {
    private func level(_ number: Int) throws -> ZoomLevel { try #require(ZoomLevel(number)) }

    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
        try #require(TileCoordinate(zoom: level(zoom), x: x, y: y))
    }

    @Test("lists each tile once, along the Morton curve")
    func once() throws {
        var patch = TileCover(zoom: try level(3), most: 8)
        #expect(patch.isEmpty)
        for place in [(7, 7), (0, 1), (1, 0), (0, 1)] { patch.insert(try tile(3, place.0, place.1)) }
        #expect(patch.tiles.map { [$0.x, $0.y] } == [[1, 0], [0, 1], [7, 7]] && patch.zoom.number == 3)
    }

    @Test(
        "with too many tiles uses the deepest zoom level at which the ancestors of all of them fit", arguments: 1...20)
    func coarser(most: Int) throws {
        var patch = TileCover(zoom: try level(4), most: most)
        var all: [TileCoordinate] = []
        for x in 0..<16 {
            for y in 0..<5 {
                all.append(try tile(4, x, y))
                patch.insert(all[all.count - 1])
            }
        }
        #expect(patch.count <= most)
        for tile in all { #expect(patch.tiles.contains(tile.ancestor(at: patch.zoom))) }
        if patch.zoom.number < 4 {
            let finer = try level(patch.zoom.number + 1)
            #expect(Set(all.map { $0.ancestor(at: finer) }).count > most)
        }
    }

    @Test("accepts tiles of deeper and coarser zoom levels")
    func levels() throws {
        var patch = TileCover(zoom: try level(5), most: 8)
        patch.insert(try tile(7, 127, 4))
        #expect(patch.tiles == [try tile(5, 31, 1)])
        var other = TileCover(zoom: try level(2), most: 8)
        other.insert(try tile(2, 0, 3))
        patch.formUnion(other)
        #expect(Set(patch.tiles) == [try tile(2, 3, 0), try tile(2, 0, 3)])
    }
}
