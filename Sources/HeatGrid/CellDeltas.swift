import Text
import TileLog

/// Encodes the cells of a track fragment.
package enum CellDeltas: FragmentContent {
    /// Encodes ascending cells as varint differences, minus one.
    package static func encoded(_ cells: [UInt16]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = -1
        for cell in cells {
            Varint.append(UInt64(Int(cell) - last - 1), to: &bytes)
            last = Int(cell)
        }
        return bytes
    }

    /// Decodes the cells.
    package static func decoded(_ bytes: [UInt8]) -> [UInt16] { decoded(bytes.span, 0..<bytes.count) }

    /// Decodes the cells in a part of some bytes, such as the content of a fragment in a log.
    package static func decoded(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt16] {
        var cells: [UInt16] = []
        var cursor = VarintCursor(offset: range.lowerBound, end: range.upperBound)
        var last = -1
        while !cursor.isAtEnd {
            last += Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) + 1
            cells.append(UInt16(truncatingIfNeeded: last))
        }
        return cells
    }

    /// The union of both sets of cells.
    package static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let cells = Set(decoded(left)).union(decoded(right)).sorted()
        return encoded(cells)
    }
}
