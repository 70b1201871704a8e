/// The occupied cells of a tile with their counts, in Morton order.
///
/// Both columns have the same length; a cell that is not listed has count 0.
public struct CellCounts: Sendable, Equatable {
    /// Morton codes of the cells within the tile (x in the even bits, y in the odd), ascending.
    public var cells: [UInt16]
    /// Person-days through each cell, at least 1.
    public var counts: [UInt32]

    /// Creates an empty list.
    public init() {
        cells = []
        counts = []
    }

    /// Creates counts from columns of equal length, with ascending cells.
    public init(cells: [UInt16], counts: [UInt32]) {
        precondition(cells.count == counts.count, "columns must have equal length")
        self.cells = cells
        self.counts = counts
    }

    /// Whether there are no cells.
    public var isEmpty: Bool { cells.isEmpty }
}
