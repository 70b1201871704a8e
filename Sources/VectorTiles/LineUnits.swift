/// The units of lines in a square of tiles, and one tile of it.
public struct LineUnits: Sendable {
    /// Binary digits by which numbers become longer, or shorter if negative.
    private let shift: Int
    private let west: Int64
    private let north: Int64

    /// `unitsPerSide`, a power of two, is for the square, which has 2^`depth` tiles along a side; `column` and `row` are those of
    /// the tile in it.
    public init(perSide unitsPerSide: Int, depth: Int, column: Int, row: Int) {
        shift = (VectorTile.extent << depth).trailingZeroBitCount - unitsPerSide.trailingZeroBitCount
        west = Int64(column * VectorTile.extent)
        north = Int64(row * VectorTile.extent)
    }

    /// Units of the tile, to the nearest one.
    @inline(__always)
    func place(_ x: Int32, _ y: Int32) -> (x: Int64, y: Int64) {
        (moved(Int64(x)) - west, moved(Int64(y)) - north)
    }

    @inline(__always)
    private func moved(_ number: Int64) -> Int64 {
        shift >= 0 ? number << Int64(shift) : (number + 1 << Int64(-shift - 1)) >> Int64(-shift)
    }
}
