import Colors
import HeatGrid
import Styling
import TileMath

/// The levels of counts over a picture, interpolated bilinearly between the centres of tiles. The colour of a count at
/// a pixel depends on the pixel's place in the world, not on the tile that shows it.
struct LocalPaletteIndices {
    let colors: [Color]
    private let fades: Int
    /// Interpolation squares along one side. The corners of a square are the centres of four tiles; the first corner
    /// is the centre of the tile before the picture's first.
    private let squares: Int
    /// For each square and knot, the levels of the north-western, north-eastern, south-western and south-eastern tile.
    private let corners: [SIMD4<UInt32>]

    private static let half = TileCoordinate.cellsPerSide / 2
    private static let shift = TileCoordinate.cellsPerSide.trailingZeroBitCount
    /// Weighted levels have a factor of 256 × 256 from the weights and of 256 from the levels of a step.
    private static let levelShift: UInt32 = 24

    /// `distributions` are those of a square of tiles, row by row.
    init(_ table: LocalTable, _ distributions: [CountDistribution], fades: Int) {
        colors = table.colors
        self.fades = fades
        var side = 2
        while side * side < distributions.count { side += 1 }
        precondition(side * side == distributions.count, "a square of neighbourhoods")
        squares = side - 1
        let levels = distributions.map { table.levels(in: $0) }
        var corners: [SIMD4<UInt32>] = []
        corners.reserveCapacity(squares * squares * CountKnots.count)
        for row in 0..<squares {
            for column in 0..<squares {
                let first = row * side + column
                for knot in 0..<CountKnots.count {
                    corners.append(
                        SIMD4(
                            levels[first][knot], levels[first + 1][knot], levels[first + side][knot],
                            levels[first + side + 1][knot]))
                }
            }
        }
        self.corners = corners
    }

    /// The palette index of a knot at a cell, counted from the north-western corner of the picture's first tile.
    @inline(__always)
    func paletteIndex(ofKnot knot: Int, x: Int, y: Int) -> UInt8 {
        let (column, dx) = ((x + Self.half) >> Self.shift, UInt32((x + Self.half) & 255))
        let (row, dy) = ((y + Self.half) >> Self.shift, UInt32((y + Self.half) & 255))
        let weights =
            SIMD4<UInt32>(256 &- dx, dx, 256 &- dx, dx) &* SIMD4<UInt32>(256 &- dy, 256 &- dy, dy, dy)
        let level = (corners[(row * squares + column) * CountKnots.count + knot] &* weights).wrappedSum()
        return UInt8(truncatingIfNeeded: level >> Self.levelShift) &+ UInt8(fades + 1)
    }
}
