import TileMath

/// Reads the packed keys that a change of the grid names: those of tiles, and those of tiles whose long steps are others.
enum TouchedTiles {
    /// Whether long steps anywhere are others.
    static func haveLongSteps(_ touched: Set<UInt64>) -> Bool {
        touched.contains { $0 >= TileKey.firstOfLongSteps }
    }

    /// Whether long steps that a tile may draw are others.
    static func haveLongSteps(above tile: TileCoordinate, _ touched: Set<UInt64>) -> Bool {
        TileKey(tile).map { $0.ancestors.contains { touched.contains($0.packedLongSteps) } } ?? true
    }
}
