import Foundation

/// The progress of building a grid.
public struct GridProgress: Sendable, Equatable {
    /// 0…1: the first half is the rasterising of points, the second half the writing of tiles, measured in bytes. Both
    /// take about the same time.
    public var fraction: Double
    /// The number of points rasterised so far.
    public var points: Int
    /// The number of points to rasterise.
    public var totalPoints: Int
}
