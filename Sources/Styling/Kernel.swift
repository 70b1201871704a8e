import Foundation

/// How far a style spreads each cell's count over the cells around it.
public enum KernelRadius: Hashable, Sendable {
    /// Pixels of a 256-pixel tile.
    case pixels(Double)
    /// Metres on the ground.
    case metres(Double)

    /// The radii in pixels that a style file may give. `maxCells` is the limit of a kernel in cells in either unit,
    /// so that a tile and its direct neighbours are enough.
    public static let pixelLimits = 0.5...24.0
    public static let metreLimits = 1.0...10_000.0
    public static let maxCells = 64
}

/// A separable kernel with integer weights, so that every machine computes the same sums.
///
/// A cell at a distance of (dx, dy) contributes `weights[|dx|] × weights[|dy|]` of its count. A straight line of one
/// count, one cell wide, keeps that count along its middle, so that a scale made of counts fits.
public struct Kernel: Hashable, Sendable {
    /// The weight by distance in cells, descending.
    public let weights: [UInt32]
    /// A weighted sum is shifted right by this many bits to be in units of `unit`.
    public let shift: UInt32
    /// The value of one count after the shift: 64…127.
    public let unit: UInt32

    /// The weight at distance 0.
    private static let middle = 64

    /// The kernel with a radius in cells: (1 − (d / (radius + 1))²)².
    public init(radius: Int) {
        precondition((0...KernelRadius.maxCells).contains(radius), "a kernel within a tile")
        let square = (radius + 1) * (radius + 1)
        weights = (0...radius).map { distance in
            let rest = square - distance * distance
            return UInt32((2 * Self.middle * rest * rest + square * square) / (2 * square * square))
        }
        let across = weights.reduce(0, +) * 2 - weights[0]
        let count = across * weights[0]
        shift = UInt32(UInt32.bitWidth - 1 - count.leadingZeroBitCount - 6)
        unit = count >> shift
    }

    public var radius: Int { weights.count - 1 }

    /// The sum of all weights in one direction.
    public var across: UInt32 { weights.reduce(0, +) * 2 - weights[0] }
}
