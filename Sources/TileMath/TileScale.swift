/// How many pixels a tile's picture has.
public enum TileScale: Int, Hashable, Sendable, CaseIterable {
    /// 256 × 256.
    case single = 1
    /// 512 × 512, for screens with twice the pixel density (`@2x`).
    case double = 2

    /// Pixels along one side.
    public var side: Int { TileCoordinate.cellsPerSide * rawValue }
}
