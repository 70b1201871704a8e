/// The number of cells of a zoom level for each count.
public struct CountHistogram: Sendable, Equatable {
    /// Cells by count; no entry is 0.
    public private(set) var cellsByCount: [UInt32: Int]

    /// Creates an empty histogram.
    public init() {
        cellsByCount = [:]
    }

    /// Adds cells that have `count`; subtracts them if `cells` is negative.
    public mutating func add(count: UInt32, cells: Int) {
        let sum = (cellsByCount[count] ?? 0) + cells
        cellsByCount[count] = sum == 0 ? nil : sum
    }

    /// Adds (`sign` 1) or subtracts (−1) another histogram.
    public mutating func add(_ other: CountHistogram, sign: Int = 1) {
        for (count, cells) in other.cellsByCount { add(count: count, cells: cells * sign) }
    }

    /// The entries in ascending order of count.
    public var ascending: [(count: UInt32, cells: Int)] {
        cellsByCount.sorted { $0.key < $1.key }.map { (count: $0.key, cells: $0.value) }
    }

    /// Whether the histogram has no cells.
    public var isEmpty: Bool { cellsByCount.isEmpty }
}
