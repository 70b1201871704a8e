internal import TileMath

/// The number of a tile in PMTiles: tiles are counted along a Hilbert curve on each zoom level, one level after the other.
enum PMTileID {
    /// The number of the first tile of a zoom level: that of all tiles of the levels above.
    private static func first(of zoom: ZoomLevel) -> UInt64 {
        ((1 << UInt64(2 * zoom.number)) - 1) / 3
    }

    /// The number of a tile.
    static func id(of tile: TileCoordinate) -> UInt64 {
        var (x, y) = (UInt64(tile.x), UInt64(tile.y))
        var id: UInt64 = 0
        for level in stride(from: tile.zoom.number - 1, through: 0, by: -1) {
            let side: UInt64 = 1 << UInt64(level)
            let isEast = x & side != 0
            let isSouth = y & side != 0
            let quadrant: UInt64 = isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0)
            id = id << 2 | quadrant
            turn(&x, &y, isEast, isSouth, mask: side - 1)
        }
        return first(of: tile.zoom) + id
    }

    /// The tile of a number; nil beyond zoom level 22.
    static func tile(of id: UInt64) -> TileCoordinate? {
        for number in 0...ZoomLevel.deepest.number {
            guard let zoom = ZoomLevel(number) else { return nil }
            let place = id &- first(of: zoom)
            guard id >= first(of: zoom), place < 1 << UInt64(2 * number) else { continue }
            var (x, y): (UInt64, UInt64) = (0, 0)
            for level in 0..<number {
                let side: UInt64 = 1 << UInt64(level)
                let quadrant = place >> UInt64(2 * level) & 3
                let isEast = quadrant >= 2
                let isSouth = quadrant == 1 || quadrant == 2
                turn(&x, &y, isEast, isSouth, mask: side - 1)
                if isEast { x |= side }
                if isSouth { y |= side }
            }
            return TileCoordinate(zoom: zoom, x: Int(x), y: Int(y))
        }
        return nil
    }

    /// Within the two northern quadrants, the curve runs along the other axis; in the north-eastern one backwards, too.
    private static func turn(_ x: inout UInt64, _ y: inout UInt64, _ isEast: Bool, _ isSouth: Bool, mask: UInt64) {
        (x, y) = (x & mask, y & mask)
        guard !isSouth else { return }
        if isEast { (x, y) = (mask - x, mask - y) }
        swap(&x, &y)
    }
}
