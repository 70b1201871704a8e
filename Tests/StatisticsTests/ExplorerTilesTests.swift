import Statistics
import TestSupport
import Testing

@Suite struct ExplorerTilesTests {
    /// The figures by their definition, tile by tile.
    private struct BruteForce {
        var squareSide = 0
        var squares: Set<ExplorerTiles.Square> = []
        var clusterTiles: Set<ExplorerTile> = []
        var clusters: [Set<ExplorerTile>] = []

        init(_ tiles: Set<ExplorerTile>, zoom: Int) {
            let side = 1 << zoom
            func tile(_ x: Int, _ y: Int) -> ExplorerTile? {
                y >= 0 && y < side ? ExplorerTile(x: (x + side) % side, y: y) : nil
            }
            func has(_ x: Int, _ y: Int) -> Bool { tile(x, y).map { tiles.contains($0) } ?? false }
            for corner in tiles {
                var size = 1
                while size < side,
                    (0...size).allSatisfy({ has(corner.x + $0, corner.y + size) && has(corner.x + size, corner.y + $0) }
                    )
                {
                    size += 1
                }
                if size > squareSide { (squareSide, squares) = (size, []) }
                if size == squareSide { squares.insert(ExplorerTiles.Square(side: size, corner: corner)) }
            }
            let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
            clusterTiles = tiles.filter { tile in steps.allSatisfy { has(tile.x + $0.0, tile.y + $0.1) } }
            var rest = clusterTiles
            while let start = rest.popFirst() {
                var cluster: Set<ExplorerTile> = [start]
                var open = [start]
                while let next = open.popLast() {
                    for step in steps {
                        guard let other = tile(next.x + step.0, next.y + step.1), rest.remove(other) != nil else {
                            continue
                        }
                        cluster.insert(other)
                        open.append(other)
                    }
                }
                clusters.append(cluster)
            }
        }
    }

    private func check(_ tiles: [ExplorerTile], zoom: Int) {
        let found = ExplorerTiles(tiles, zoom: zoom)
        let set = Set(tiles)
        let expected = BruteForce(set, zoom: zoom)
        #expect(found.tiles == set.sorted())
        #expect((found.square?.side ?? 0) == expected.squareSide)
        if let square = found.square { #expect(expected.squares.contains(square), "\(square)") }
        #expect(found.cluster == (expected.clusters.map(\.count).max() ?? 0))
        let clusterTiles = Set(zip(found.tiles, found.kinds).filter { $0.1 != .visited }.map(\.0))
        #expect(clusterTiles == expected.clusterTiles)
        let largest = Set(zip(found.tiles, found.kinds).filter { $0.1 == .cluster }.map(\.0))
        #expect(largest.isEmpty || expected.clusters.contains(largest))
        #expect(largest.count == found.cluster)
    }

    @Test(arguments: 0..<120)
    func `the figures equal those of the definition`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let zoom = [2, 3, 4, 5, 14][Int(seed % 5)]
        let side = 1 << min(zoom, 5)
        let percent = [30, 60, 80, 95, 99, 100][random.below(6)]
        var tiles: [ExplorerTile] = []
        for y in 0..<side {
            for x in 0..<side where random.below(100) < percent {
                // At zoom level 14, around the antimeridian.
                tiles.append(
                    zoom == 14 ? ExplorerTile(x: (x + 16_370) % 16_384, y: y + 5000) : ExplorerTile(x: x, y: y))
            }
        }
        tiles.shuffle(using: &random)
        check(tiles + tiles.prefix(5), zoom: zoom)
    }

    @Test func `small sets have their figures`() {
        check([], zoom: 14)
        check([ExplorerTile(x: 0, y: 0)], zoom: 0)
        check([ExplorerTile(x: 0, y: 0), ExplorerTile(x: 1, y: 0)], zoom: 1)
        check((0..<4).map { ExplorerTile(x: $0 & 1, y: $0 >> 1) }, zoom: 1)
        let cross = [(5, 4), (4, 5), (5, 5), (6, 5), (5, 6)].map { ExplorerTile(x: $0.0, y: $0.1) }
        let found = ExplorerTiles(cross, zoom: 14)
        #expect(found.cluster == 1 && found.square?.side == 1 && found.kind(of: cross[2]) == .cluster)
        #expect(found.kind(of: ExplorerTile(x: 9, y: 9)) == nil)
    }

    @Test func `tiles of an area are found by rows and columns`() {
        var random = SeededRandom(seed: 4)
        let tiles = (0..<3000).map { _ in ExplorerTile(x: random.below(100), y: random.below(100)) }
        let found = ExplorerTiles(tiles, zoom: 14)
        for _ in 0..<50 {
            let (x, y) = (random.below(90), random.below(90))
            let (rows, columns) = (y..<y + random.below(30), x..<x + random.below(30))
            let expected = found.tiles.indices.filter {
                rows.contains(found.tiles[$0].y) && columns.contains(found.tiles[$0].x)
            }
            #expect(found.indices(rows: rows, columns: columns) == expected)
        }
    }

    @Test func `a hundred thousand tiles take milliseconds`() {
        var random = SeededRandom(seed: 5)
        let tiles = (0..<140_000).map { _ in ExplorerTile(x: 8000 + random.below(400), y: 5000 + random.below(360)) }
        let duration = ContinuousClock().measure { _ = ExplorerTiles(tiles, zoom: 14) }
        // Optimised it takes some 20 ms; tests run on busy machines.
        #expect(duration < .seconds(1))
    }
}
