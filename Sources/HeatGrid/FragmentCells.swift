import Text

/// The cells of a fragment of a heat log.
public enum FragmentCells {
    /// The cells of the fragment with this content: Morton codes within the tile, ascending.
    public static func of(_ log: borrowing Span<UInt8>, _ content: Range<Int>) -> [UInt16] {
        var cells: [UInt16] = []
        var cursor = VarintCursor(offset: content.lowerBound, end: content.upperBound)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: log) & 0xFFFF) &+ 1
            cells.append(UInt16(truncatingIfNeeded: cell))
        }
        return cells
    }
}
