import TileMath

/// Reads the packed keys in a change of the grid: keys of tiles, and keys of tiles whose long steps have changed.
enum TouchedTiles {
    /// Whether any long steps have changed.
    static func haveLongSteps(_ touched: Set<UInt64>) -> Bool {
        touched.contains { $0 >= TileKey.firstOfLongSteps }
    }

    /// Whether long steps that a tile may draw have changed.
    static func haveLongSteps(above tile: TileCoordinate, _ touched: Set<UInt64>) -> Bool {
        TileKey(tile).map { $0.ancestors.contains { touched.contains($0.packedLongSteps) } } ?? true
    }
}
