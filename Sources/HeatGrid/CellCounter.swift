import Text
import TileLog

/// Counts visits per cell; reused for many tiles, so that a tile needs no new memory.
package struct CellCounter: Sendable {
    private var counts = [UInt32](repeating: 0, count: 65_536)
    /// A bit for each block of 32 cells that was touched: only these are read and cleared.
    private var touched = [UInt64](repeating: 0, count: 32)
    /// Cells already counted for the current person-day, if it has several fragments.
    private var seen = [UInt64](repeating: 0, count: 1024)
    /// A bit for each word of `seen` that is not 0.
    private var seenWords = [UInt64](repeating: 0, count: 16)

    package init() {}

    /// Counts each cell of a fragment that is the only one of its person-day.
    @inline(__always)
    package mutating func count(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        Self.count(cells, in: bytes, &counts, &touched)
    }

    private static func count(
        _ cells: Range<Int>, in bytes: borrowing Span<UInt8>, _ countsArray: inout [UInt32],
        _ touchedArray: inout [UInt64]
    ) {
        var offset = cells.lowerBound
        let end = cells.upperBound
        var cell = -1
        var counts = countsArray.mutableSpan
        var touched = touchedArray.mutableSpan
        while offset < end {
            // The fast path: a difference below 128 is one byte, found with one comparison.
            let byte = bytes[offset]
            offset &+= 1
            if byte < 0x80 {
                cell &+= Int(byte) &+ 1
            } else {
                var cursor = VarintCursor(offset: offset - 1, end: end)
                cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
                offset = cursor.offset
            }
            // Masks instead of checks: damaged bytes give wrong counts, but never a trap.
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
        }
    }

    /// Counts the cells of a fragment that earlier fragments of the same person-day do not have.
    package mutating func countUnseen(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        Self.countUnseen(cells, in: bytes, &counts, &touched, &seen, &seenWords)
    }

    private static func countUnseen(
        _ cells: Range<Int>, in bytes: borrowing Span<UInt8>, _ countsArray: inout [UInt32],
        _ touchedArray: inout [UInt64], _ seenArray: inout [UInt64], _ seenWordsArray: inout [UInt64]
    ) {
        var cursor = VarintCursor(offset: cells.lowerBound, end: cells.upperBound)
        var cell = -1
        var counts = countsArray.mutableSpan
        var touched = touchedArray.mutableSpan
        var seen = seenArray.mutableSpan
        var seenWords = seenWordsArray.mutableSpan
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
            let bit = UInt64(1) << UInt64(cell & 63)
            let word = (cell >> 6) & 1023
            let before = seen[word]
            guard before & bit == 0 else { continue }
            if before == 0 { seenWords[word >> 6] |= 1 << UInt64(word & 63) }
            seen[word] = before | bit
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
        }
    }

    /// Counts a cell unless the current person-day has already counted it.
    package mutating func countUnseen(cell: Int) {
        let bit = UInt64(1) << UInt64(cell & 63)
        let word = cell >> 6
        guard seen[word] & bit == 0 else { return }
        seen[word] |= bit
        seenWords[word >> 6] |= 1 << UInt64(word & 63)
        counts[cell] &+= 1
        touch(cell)
    }

    /// Starts the next person-day.
    package mutating func beginPersonDay() {
        for summary in 0..<16 {
            var filled = seenWords[summary]
            seenWords[summary] = 0
            while filled != 0 {
                seen[summary << 6 | filled.trailingZeroBitCount] = 0
                filled &= filled &- 1
            }
        }
    }

    /// Adds or subtracts (wrapping) the counts of a stored sum.
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
            touch(cell)
        }
    }

    /// Adds or subtracts (wrapping) counts.
    package mutating func add(_ other: CellCounts, subtracting: Bool = false) {
        for index in 0..<other.cells.count {
            let cell = Int(other.cells[index])
            if subtracting { counts[cell] &-= other.counts[index] } else { counts[cell] &+= other.counts[index] }
            touch(cell)
        }
    }

    /// Negates each count (wrapping), so that what is counted until the next call is subtracted.
    package mutating func negate() {
        for word in 0..<32 {
            var blocks = touched[word]
            while blocks != 0 {
                let first = word << 11 | blocks.trailingZeroBitCount << 5
                blocks &= blocks &- 1
                for cell in first..<first + 32 { counts[cell] = 0 &- counts[cell] }
            }
        }
    }

    /// Returns the counts in ascending order of cells and clears the counter.
    package mutating func take() -> CellCounts {
        var result = CellCounts()
        let blockCount = touched.reduce(0) { $0 + $1.nonzeroBitCount }
        result.cells.reserveCapacity(blockCount * 24)
        result.counts.reserveCapacity(blockCount * 24)
        for word in 0..<32 {
            var blocks = touched[word]
            touched[word] = 0
            while blocks != 0 {
                let first = word << 11 | blocks.trailingZeroBitCount << 5
                blocks &= blocks &- 1
                var block = counts.mutableSpan
                for cell in first..<first + 32 {
                    let count = block[cell]
                    guard count != 0 else { continue }
                    block[cell] = 0
                    result.cells.append(UInt16(truncatingIfNeeded: cell))
                    result.counts.append(count)
                }
            }
        }
        return result
    }

    @inline(__always)
    private mutating func touch(_ cell: Int) {
        touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
    }

    /// The stored form: for each cell the difference from the cell before, minus one, and its count, as varints.
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

    /// The number of cells in a stored sum.
    package static func cellCount(sum: borrowing Span<UInt8>) -> Int {
        // A cell is two varints, and only the last byte of a varint is below 128.
        var ends = 0
        for offset in 0..<sum.count where sum[offset] < 0x80 { ends += 1 }
        return ends / 2
    }

    /// The counts in a stored sum.
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

extension CellCounter {
    /// Counts the person-days of a log on `days` (nil for all, including untimed), with the fragments that pass the
    /// filter.
    mutating func countLog(_ log: borrowing Span<UInt8>, days: ClosedRange<Int32>?, filter: FragmentFilter) {
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log) {
            if let days {
                if fragment.order.day > days.upperBound { return }
                guard fragment.order.day >= days.lowerBound else { continue }
            }
            if fragment.beginsPersonDay, !fragment.isOnly { beginPersonDay() }
            guard filter.passes(fragment.order.track) else { continue }
            if fragment.isOnly { count(fragment.content, in: log) } else { countUnseen(fragment.content, in: log) }
        }
    }
}
