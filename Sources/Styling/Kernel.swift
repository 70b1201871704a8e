import Foundation

/// How far a style spreads each cell's count over the cells around it.
public enum KernelRadius: Hashable, Sendable {
    /// Pixels of a 256-pixel tile, by zoom level.
    case pixels(ZoomNumbers)
    /// Metres on the ground.
    case metres(Double)

    /// The same number of pixels at all zoom levels.
    public static func pixels(_ number: Double) -> KernelRadius { .pixels(ZoomNumbers(number)) }

    /// The radii in pixels that a style file may give. `maxCells` is the limit of a kernel in cells in either unit,
    /// so that a tile and its direct neighbours are enough.
    public static let pixelLimits = 0.5...24.0
    public static let metreLimits = 1.0...10_000.0
    public static let maxCells = 64
}

/// A separable kernel with integer weights, so that every machine computes the same sums.
///
/// The weight at the distance d from the centre of a cell is (1 − (d / extent)²)², 0 from the extent on. A straight
/// line of one count, one cell wide, has the value `unit` for each count along its middle, so that a scale made of
/// counts fits.
public struct Kernel: Hashable, Sendable {
    /// The distance at which the weight becomes 0, in cells.
    public let extent: Double
    /// Pixels along one side of a cell, a power of two.
    public let factor: Int
    /// The number of cells on each side of a pixel's own cell that contribute to it.
    public let reach: Int
    /// For each pixel of a cell (in one direction), the weights of the cells from `-reach` to `reach`.
    public let weights: [Float]
    /// The value of one count.
    public let unit: Float

    /// The weight at distance 0.
    private static let middle = 256.0
    /// With cells that are enlarged, the sum of the weights is about the same everywhere along a line from this extent
    /// on, so that no cells can be seen in it.
    private static let minEnlargedExtent = 3.0

    /// The kernel with an extent in cells; for enlarged cells it is at least three cells.
    public init(extent given: Double, factor: Int) {
        precondition(factor > 0 && factor & (factor - 1) == 0, "a power of two")
        let extent = max(given, factor > 1 ? Self.minEnlargedExtent : 1)
        precondition(extent <= Double(KernelRadius.maxCells) + 1, "a kernel within a tile")
        func weight(_ phase: Int, _ cell: Int) -> Float {
            let position = (Double(phase) + 0.5) / Double(factor) - 0.5
            let share = abs(Double(cell) - position) / extent
            guard share < 1 else { return 0 }
            let rest = 1 - share * share
            return Float((Self.middle * rest * rest).rounded())
        }
        var reach = Int(extent.rounded(.up))
        while reach > 0, weight(0, -reach) == 0, weight(factor - 1, reach) == 0 { reach -= 1 }
        var weights: [Float] = []
        for phase in 0..<factor {
            for cell in -reach...reach { weights.append(weight(phase, cell)) }
        }
        let taps = 2 * reach + 1
        let sums = (0..<factor).map { phase in weights[phase * taps..<(phase + 1) * taps].reduce(0, +) }
        self.extent = extent
        self.factor = factor
        self.reach = reach
        self.weights = weights
        // The least sum: nowhere along a line does a count get the colour of the one below.
        unit = (sums.min() ?? 1) * weight(factor / 2, 0)
    }

    /// The number of weights of each pixel.
    public var taps: Int { 2 * reach + 1 }
}
