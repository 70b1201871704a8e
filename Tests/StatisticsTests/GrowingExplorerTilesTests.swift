import Statistics
import TestSupport
import Testing

@Suite struct GrowingExplorerTilesTests {
    @Test(arguments: 0..<60)
    func `after each tile, the figures equal those of the whole set`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let zoom = [0, 1, 2, 3, 4, 14][Int(seed % 6)]
        let side = 1 << min(zoom, 4)
        var tiles: [ExplorerTile] = []
        for y in 0..<side {
            for x in 0..<side where random.below(100) < [70, 95, 100][random.below(3)] {
                // At zoom level 14, around the antimeridian.
                tiles.append(
                    zoom == 14 ? ExplorerTile(x: (x + 16_376) % 16_384, y: y + 5000) : ExplorerTile(x: x, y: y))
            }
        }
        // In any order, or row by row.
        if seed % 3 > 0 { tiles.shuffle(using: &random) }
        tiles += tiles.prefix(3)
        var growing = GrowingExplorerTiles(zoom: zoom)
        for (index, tile) in tiles.enumerated() {
            growing.insert(tile)
            let whole = ExplorerTiles(Array(tiles[...index]), zoom: zoom)
            #expect(
                growing.count == whole.tiles.count && growing.cluster == whole.cluster
                    && growing.square == whole.square, "after \(index + 1) tiles")
        }
    }

    @Test func `a hundred thousand tiles in any order take little time`() {
        var random = SeededRandom(seed: 5)
        // A full square of 300 × 300 tiles, with a few holes that are filled last, among scattered tiles.
        var tiles = (0..<90_000).map { ExplorerTile(x: 8000 + $0 % 300, y: 5000 + $0 / 300) }
        tiles.shuffle(using: &random)
        tiles += (0..<30_000).map { _ in ExplorerTile(x: 9000 + random.below(1000), y: 5000 + random.below(1000)) }
        var growing = GrowingExplorerTiles(zoom: 14)
        let duration = ContinuousClock().measure { for tile in tiles { growing.insert(tile) } }
        #expect(growing.square?.side == 300)
        // Optimised it takes half a second; tests run on busy machines.
        #expect(duration < .seconds(10))
    }
}
