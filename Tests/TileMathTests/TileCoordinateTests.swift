import Testing
import TileMath

/// All tiles of zoom levels 0–6.
private let tiles: [TileCoordinate] = (0...6).flatMap { zoom -> [TileCoordinate] in
    guard let level = ZoomLevel(zoom) else { return [] }
    return (0..<level.tilesPerSide).flatMap { y in
        (0..<level.tilesPerSide).compactMap { TileCoordinate(zoom: level, x: $0, y: y) }
    }
}

@Suite struct TileCoordinateTests {
    /// The tiles for which a condition does not hold.
    private func failures(_ holds: (TileCoordinate) -> Bool) -> [TileCoordinate] { tiles.filter { !holds($0) } }

    @Test func `There are 4 to the power of z tiles at zoom level z`() {
        #expect(tiles.count == 1 + 4 + 16 + 64 + 256 + 1024 + 4096)
        #expect(Set(tiles).count == tiles.count)
        #expect(Set(tiles.map(\.description)).count == tiles.count)
    }

    @Test(arguments: 0...22) func `No tile exists beyond the edges of a zoom level`(zoom: Int) throws {
        let level = try #require(ZoomLevel(zoom))
        let last = level.tilesPerSide - 1
        for inside in [0, last / 2, last] {
            for outside in [-1, last + 1, Int.min, Int.max] {
                #expect(TileCoordinate(zoom: level, x: outside, y: inside) == nil)
                #expect(TileCoordinate(zoom: level, x: inside, y: outside) == nil)
            }
        }
        let corner = try #require(TileCoordinate(zoom: level, x: last, y: last))
        #expect(TileCoordinate(zoom: level, morton: corner.morton) == corner)
        for morton in [corner.morton + 1, .max] { #expect(TileCoordinate(zoom: level, morton: morton) == nil) }
    }

    @Test(arguments: [-1, 23, .min, .max]) func `No zoom level exists outside 0–22`(zoom: Int) {
        #expect(ZoomLevel(zoom) == nil)
    }

    @Test func `A tile is found again by its position on the Morton curve`() {
        #expect(failures { TileCoordinate(zoom: $0.zoom, morton: $0.morton) == $0 } == [])
    }

    @Test func `The children of a tile are its four quarters, and the tile is their ancestor`() {
        let wrong = failures { tile in
            let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].compactMap { dx, dy -> TileCoordinate? in
                guard let level = ZoomLevel(tile.zoom.number + 1) else { return nil }
                return TileCoordinate(zoom: level, x: 2 * tile.x + dx, y: 2 * tile.y + dy)
            }
            return tile.children == quarters && quarters.allSatisfy { $0.ancestor(at: tile.zoom) == tile }
        }
        #expect(wrong == [])
        #expect(TileCoordinate(northWestOf: .deepest).children.isEmpty)
    }

    @Test func `An ancestor is reached step by step as well as at once`() {
        let wrong = failures { tile in
            var step = tile
            for zoom in (0...tile.zoom.number).reversed().compactMap({ ZoomLevel($0) }) {
                step = step.ancestor(at: zoom)
                guard step == tile.ancestor(at: zoom), step.zoom == zoom else { return false }
            }
            return step == TileCoordinate(northWestOf: step.zoom)
        }
        #expect(wrong == [])
    }

    @Test func `Columns wrap round the world and rows do not`() {
        let wrong = failures { tile in
            let side = tile.zoom.tilesPerSide
            for dx in [-1, 0, 1, side, -side, 3 * side + 1, -5 * side - 1] {
                let column = ((tile.x + dx) % side + side) % side
                for dy in [-1, 0, 1] {
                    let expected = TileCoordinate(zoom: tile.zoom, x: column, y: tile.y + dy)
                    guard tile.neighbour(dx: dx, dy: dy) == expected else { return false }
                }
            }
            return true
        }
        #expect(wrong == [])
    }

    @Test func `A neighbour's neighbour back is the tile itself`() {
        let wrong = failures { tile in
            [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1)].allSatisfy { dx, dy in
                tile.neighbour(dx: dx, dy: dy).map { $0.neighbour(dx: -dx, dy: -dy) == tile } ?? true
            }
        }
        #expect(wrong == [])
    }

    @Test func `Tiles are ordered by zoom level, then along the Morton curve`() {
        let sorted = tiles.shuffled().sorted()
        #expect(sorted.map(\.zoom.number) == tiles.map(\.zoom.number))
        for zoom in 0...6 {
            let positions = sorted.filter { $0.zoom.number == zoom }.map(\.morton)
            #expect(positions == Array(0..<UInt64(1) << UInt64(2 * zoom)))
        }
    }
}

@Suite struct TileKeyTests {
    @Test func `Every tile has a key that gives back the tile`() {
        let wrong = tiles.filter { tile in
            guard let key = TileKey(tile) else { return true }
            return key.tile != tile || key.zoom != tile.zoom.number || key.morton != tile.morton
                || TileKey(packed: key.packed) != key || TileKey(zoom: key.zoom, morton: key.morton) != key
        }
        #expect(wrong == [])
    }

    @Test func `Keys are ordered as their tiles`() throws {
        let sorted = tiles.sorted()
        let keys = sorted.compactMap { TileKey($0) }
        #expect(keys.count == tiles.count && keys == keys.sorted())
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.packed < $1.packed })
    }

    @Test(arguments: 0...22) func `Only tiles of zoom levels 0–16 have a key`(zoom: Int) throws {
        let level = try #require(ZoomLevel(zoom))
        let last = try #require(TileCoordinate(zoom: level, x: level.tilesPerSide - 1, y: level.tilesPerSide - 1))
        for tile in [TileCoordinate(northWestOf: level), last] { #expect((TileKey(tile) != nil) == (zoom <= 16)) }
        let packed = UInt64(zoom) << 32 | last.morton
        #expect((TileKey(packed: packed) != nil) == (zoom <= 16))
        if zoom < 16 { #expect(TileKey(packed: packed + 1) == nil) }
    }

    @Test func `No other number is a key`() {
        for bit in UInt64(37)..<64 { #expect(TileKey(packed: 1 << bit) == nil, "bit \(bit)") }
        #expect(TileKey(packed: .max) == nil)
        #expect(TileKey(packed: 16 << 32 | 0xFFFF_FFFF) != nil && TileKey(packed: 17 << 32) == nil)
    }

    @Test func `The ancestors of a tile are all tiles that contain it, coarsest first`() {
        let wrong = tiles.filter { tile in
            TileKey(tile)?.ancestors.map(\.tile)
                != (0..<tile.zoom.number).compactMap { ZoomLevel($0) }.map { tile.ancestor(at: $0) }
        }
        #expect(wrong == [])
    }

    @Test func `Keys of long steps follow all keys of tiles and give back the tile`() {
        let keys = tiles.compactMap { TileKey($0) }
        #expect(keys.allSatisfy { TileKey(packedLongSteps: $0.packedLongSteps) == $0 })
        #expect(keys.allSatisfy { $0.packedLongSteps >= TileKey.firstOfLongSteps })
        #expect(keys.allSatisfy { TileKey(packed: $0.packedLongSteps) == nil && $0.packed < TileKey.firstOfLongSteps })
        #expect(keys.allSatisfy { TileKey(packedLongSteps: $0.packed) == nil })
    }

    @Test func `Keys on disk keep their values`() throws {
        let known: [(Int, Int, Int, UInt64)] = [
            (0, 0, 0, 0), (1, 1, 0, 0x1_0000_0001), (12, 2200, 1343, 0xC_0062_4BEA),
            (16, 35_210, 21_493, 0x10_624B_EA66), (16, 65_535, 65_535, 0x10_FFFF_FFFF),
        ]
        for (zoom, x, y, packed) in known {
            let level = try #require(ZoomLevel(zoom))
            let tile = try #require(TileCoordinate(zoom: level, x: x, y: y))
            let key = try #require(TileKey(tile))
            #expect(key.packed == packed, "\(zoom)/\(x)/\(y)")
            #expect(key.packedLongSteps == packed + 0x20_0000_0000)
        }
    }
}
