internal import TileMath

/// A tile of a spool, with the number that its archive sorts by.
struct OrderedTile: Sendable {
    var order: UInt64
    var tile: TileCoordinate
    /// An index of the spool's pictures.
    var picture: Int
}

extension TileSpool {
    /// All tiles, sorted by the numbers that `order` gives them.
    func tiles(by order: (TileCoordinate) -> UInt64) -> [OrderedTile] {
        tiles().map { OrderedTile(order: order($0.tile), tile: $0.tile, picture: $0.picture) }
            .sorted { $0.order < $1.order }
    }
}

extension [OrderedTile] {
    /// The zoom levels, from the lowest to the deepest; nil if there are no tiles.
    var zooms: ClosedRange<Int>? {
        guard let lowest = self.min(by: { $0.tile.zoom < $1.tile.zoom }),
            let deepest = self.max(by: { $0.tile.zoom < $1.tile.zoom })
        else { return nil }
        return lowest.tile.zoom.number...deepest.tile.zoom.number
    }
}

extension TileCoordinate {
    /// The row counted from the south, as in TMS and MBTiles.
    var rowFromSouth: Int { zoom.tilesPerSide - 1 - y }

    /// The number by which rows of MBTiles are sorted: zoom level, column, row from the south.
    var orderInMBTiles: UInt64 {
        UInt64(zoom.number) << 44 | UInt64(x) << 22 | UInt64(rowFromSouth)
    }
}
