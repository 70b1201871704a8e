/// The occupied cells of a tile with their counts, in the order of the tile's Morton curve.
///
/// Both columns have the same length; a cell that is not named counts 0.
public struct CellCounts: Sendable, Equatable {
    /// Cells by their Morton code within the tile (x in the even bits, y in the odd), ascending.
    public var cells: [UInt16]
    /// Person-days through each cell, at least 1.
    public var counts: [UInt32]

    /// No cell.
    public init() {
        cells = []
        counts = []
    }

    /// Columns of one length, cells ascending.
    public init(cells: [UInt16], counts: [UInt32]) {
        precondition(cells.count == counts.count, "columns of one length")
        self.cells = cells
        self.counts = counts
    }

    /// Whether nothing is counted.
    public var isEmpty: Bool { cells.isEmpty }
}
