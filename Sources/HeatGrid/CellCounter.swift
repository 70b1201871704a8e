/// Counts visits cell by cell; one is used again and again, so that a tile costs no memory of its own.
package struct CellCounter: Sendable {
    private var counts = [UInt32](repeating: 0, count: 65_536)
    /// Which blocks of 256 cells have been touched: only they are looked at and cleared.
    private var touched = [Bool](repeating: false, count: 256)
    /// Cells that the piece under way has counted, where it has several parts.
    private var seen = [UInt64](repeating: 0, count: 1024)

    package init() {}

    /// Counts each cell of a part that is its piece's only one.
    @inline(__always)
    package mutating func count(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        var offset = cells.lowerBound
        let end = cells.upperBound
        var cell = -1
        while offset < end {
            let byte = bytes[offset]
            offset += 1
            if byte < 0x80 {
                cell &+= Int(byte) &+ 1
            } else {
                var cursor = VarintCursor(offset: offset - 1, end: end)
                cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
                offset = cursor.offset
            }
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 8) & 0xFF] = true
        }
    }

    /// Counts the cells of a part that the parts of its piece before it have not counted.
    package mutating func countUnseen(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: cells.lowerBound, end: cells.upperBound)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
            let bit = UInt64(1) << UInt64(cell & 63)
            let word = (cell >> 6) & 1023
            guard seen[word] & bit == 0 else { continue }
            seen[word] |= bit
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 8) & 0xFF] = true
        }
    }

    /// The next part to be counted begins another piece.
    package mutating func beginPiece() {
        for word in seen.indices { seen[word] = 0 }
    }

    /// Adds (or, wrapping, takes away) the counts of a stored sum.
    package mutating func add(sum: borrowing Span<UInt8>, from start: Int = 0, subtracting: Bool = false) {
        var cursor = VarintCursor(offset: start, end: sum.count)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: sum) & 0xFFFF) &+ 1
            let count = UInt32(truncatingIfNeeded: cursor.next(in: sum))
            if subtracting {
                counts[cell & 0xFFFF] &-= count
            } else {
                counts[cell & 0xFFFF] &+= count
            }
            touched[(cell >> 8) & 0xFF] = true
        }
    }

    /// Turns each count into its wrapping negative, so that what is counted until the next call is taken away.
    package mutating func negate() {
        for block in 0..<256 where touched[block] {
            for cell in block << 8..<(block + 1) << 8 { counts[cell] = 0 &- counts[cell] }
        }
    }

    /// What was counted, in ascending order of the cells; the counter is empty afterwards.
    package mutating func take() -> CellCounts {
        var result = CellCounts()
        let blocks = touched.reduce(0) { $0 + ($1 ? 1 : 0) }
        result.cells.reserveCapacity(blocks * 128)
        result.counts.reserveCapacity(blocks * 128)
        for block in 0..<256 where touched[block] {
            touched[block] = false
            for cell in block << 8..<(block + 1) << 8 {
                let count = counts[cell]
                guard count != 0 else { continue }
                counts[cell] = 0
                result.cells.append(UInt16(truncatingIfNeeded: cell))
                result.counts.append(count)
            }
        }
        return result
    }

    /// Counts as they are stored: for each cell its difference from the one before, less one, and its count, as varints.
    package static func encoded(_ counts: CellCounts) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(counts.cells.count * 2 + 8)
        var last = -1
        for (cell, count) in zip(counts.cells, counts.counts) {
            Varint.append(UInt64(Int(cell) - last - 1), to: &bytes)
            Varint.append(UInt64(count), to: &bytes)
            last = Int(cell)
        }
        return bytes
    }

    /// The counts of a stored sum.
    package static func decoded(sum: borrowing Span<UInt8>, from start: Int = 0) -> CellCounts {
        var result = CellCounts()
        let most = (sum.count - start) / 2 + 1
        result.cells.reserveCapacity(min(most, 65_536))
        result.counts.reserveCapacity(min(most, 65_536))
        var cursor = VarintCursor(offset: start, end: sum.count)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: sum) & 0xFFFF) &+ 1
            result.cells.append(UInt16(truncatingIfNeeded: cell))
            result.counts.append(UInt32(truncatingIfNeeded: cursor.next(in: sum)))
        }
        return result
    }
}
