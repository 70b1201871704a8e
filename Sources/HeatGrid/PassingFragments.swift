import Text
public import TileLog

/// Finds the fragments of a log that pass through given cells.
public enum PassingFragments {
    /// The fragments on `days` (nil for all, including untimed) that pass the filter and have one of `cells`, which
    /// must ascend; in log order. One pass over the log, which reads each fragment up to the first matching cell.
    public static func of(
        _ log: borrowing Span<UInt8>, through cells: [UInt16], days: ClosedRange<Int32>?, _ filter: FragmentFilter
    ) -> [FragmentOrder] {
        var found: [FragmentOrder] = []
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log) {
            if let days {
                if fragment.order.day > days.upperBound { break }
                guard fragment.order.day >= days.lowerBound else { continue }
            }
            guard filter.passes(fragment.order.track) else { continue }
            if passes(fragment.content, in: log, through: cells) { found.append(fragment.order) }
        }
        return found
    }

    private static func passes(
        _ content: Range<Int>, in bytes: borrowing Span<UInt8>, through cells: [UInt16]
    ) -> Bool {
        var cursor = VarintCursor(offset: content.lowerBound, end: content.upperBound)
        var cell = -1
        var next = 0
        while !cursor.isAtEnd {
            cell += Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) + 1
            while next < cells.count, Int(cells[next]) < cell { next += 1 }
            guard next < cells.count else { return false }
            if Int(cells[next]) == cell { return true }
        }
        return false
    }
}
