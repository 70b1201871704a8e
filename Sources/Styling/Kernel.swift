import Foundation

/// How far a style spreads each cell's count over the cells around it.
public enum KernelRadius: Hashable, Sendable {
    /// Pixels of a tile of 256.
    case pixels(Double)
    /// Metres on the ground.
    case metres(Double)

    /// What a style may ask for in pixels, and how many cells a kernel reaches at most, whatever the unit: a tile's
    /// own neighbours are enough for that.
    public static let pixelLimits = 0.5...24.0
    public static let metreLimits = 1.0...10_000.0
    public static let mostCells = 64
}

/// The weights by which a cell counts for those around it, as whole numbers: every machine adds up the same.
///
/// A cell at a distance of (dx, dy) takes `weights[|dx|] × weights[|dy|]` of a count. A straight line of one count, a
/// cell wide, has that same count along its middle, so that a scale made of counts fits.
public struct Kernel: Hashable, Sendable {
    /// By distance in cells, the greatest first.
    public let weights: [UInt32]
    /// A weighed sum is moved down by so many bits to count in `unit`s.
    public let shift: UInt32
    /// What one count is worth behind the shift: 64 or more, below 128.
    public let unit: UInt32

    /// The weight in the middle.
    private static let middle = 64

    /// The kernel that reaches `radius` cells to each side: (1 − (d / (radius + 1))²)².
    public init(radius: Int) {
        precondition((0...KernelRadius.mostCells).contains(radius), "a kernel within a tile")
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
