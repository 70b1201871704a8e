/// How many cells of a zoom level have which count.
public struct CountHistogram: Sendable, Equatable {
    /// Cells by count; no entry is 0.
    public private(set) var cellsByCount: [UInt32: Int]

    /// No cell.
    public init() {
        cellsByCount = [:]
    }

    /// Takes cells that have `count` in (or out, where `cells` is negative).
    public mutating func add(count: UInt32, cells: Int) {
        let sum = (cellsByCount[count] ?? 0) + cells
        cellsByCount[count] = sum == 0 ? nil : sum
    }

    /// Takes each entry of another histogram in (`sign` 1) or out (−1).
    public mutating func add(_ other: CountHistogram, sign: Int = 1) {
        for (count, cells) in other.cellsByCount { add(count: count, cells: cells * sign) }
    }

    /// The entries in ascending order of count.
    public var ascending: [(count: UInt32, cells: Int)] {
        cellsByCount.sorted { $0.key < $1.key }.map { (count: $0.key, cells: $0.value) }
    }

    /// Whether no cell is counted.
    public var isEmpty: Bool { cellsByCount.isEmpty }
}
