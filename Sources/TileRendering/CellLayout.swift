/// The positions of a tile's cells in its picture.
enum CellLayout {
    /// For each byte of a Morton code, the row (high byte) and the column (low byte) that it encodes.
    ///
    /// A cell's code consists of two such bytes: `table[code >> 8] << 4 | table[code & 255]` is y × 256 + x.
    static let table: [UInt16] = (0..<256).map { byte in
        (0..<4).reduce(UInt16(0)) { position, bit in
            let x = UInt16(byte >> (2 * bit) & 1)
            let y = UInt16(byte >> (2 * bit + 1) & 1)
            return position | x << UInt16(bit) | y << UInt16(bit + 8)
        }
    }

    /// y × 256 + x of a cell; `bytePositions` is `table`, which the caller reads once outside the loop.
    @inline(__always)
    static func position(of code: UInt16, _ bytePositions: Span<UInt16>) -> Int {
        Int(bytePositions[Int(code >> 8)] << 4 | bytePositions[Int(code & 255)])
    }

    /// The index of the first cell whose code is at least `code`.
    static func firstIndex(notBelow code: Int, in cells: [UInt16]) -> Int {
        var (low, high) = (0, cells.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(cells[middle]) < code { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
