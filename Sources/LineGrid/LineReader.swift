import Text
public import TileLog

/// Decodes line logs for drawing.
public enum LineReader {
    /// Appends the lines of a log to `lines`: the fragments on the window's days that pass the filter.
    ///
    /// The bytes need not be valid; what cannot be decoded is skipped. Costs some 10 ns per vertex.
    public static func read(
        _ log: borrowing Span<UInt8>, window: DayWindow, filter: FragmentFilter, into lines: inout TileLines
    ) {
        let days = window.days
        if !window.isAllTime, days == nil { return }
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log) {
            if !window.isAllTime, let days {
                if fragment.order.day > days.upperBound { return }
                guard fragment.order.day >= days.lowerBound else { continue }
            }
            guard filter.passes(fragment.order.track) else { continue }
            let first = lines.runs.count
            readRuns(log, fragment.content, into: &lines)
            guard lines.runs.count > first else { continue }
            lines.fragments.append(
                TileLines.Fragment(track: fragment.order.track, day: fragment.order.day, runs: first..<lines.runs.count)
            )
        }
    }

    private static func readRuns(
        _ log: borrowing Span<UInt8>, _ content: Range<Int>, into lines: inout TileLines
    ) {
        var cursor = VarintCursor(offset: content.lowerBound, end: content.upperBound)
        while !cursor.isAtEnd {
            let head = cursor.next(in: log)
            // A vertex takes at least two bytes, so no count can claim more memory than a few times the log's size.
            let count = Int(truncatingIfNeeded: min(head >> 2, UInt64(cursor.end - cursor.offset) / 2))
            guard count > 0 else { return }
            let first = lines.xs.count
            var (x, y) = (Int64(0), Int64(0))
            for _ in 0..<count {
                x &+= Varint.unzigzag(cursor.next(in: log))
                y &+= Varint.unzigzag(cursor.next(in: log))
                lines.xs.append(Int32(truncatingIfNeeded: x))
                lines.ys.append(Int32(truncatingIfNeeded: y))
            }
            var nibbles = NibbleCursor(offset: cursor.offset, end: cursor.end)
            readSpeeds(log, &nibbles, count: count, isThere: head & LineRuns.speedFlag != 0, into: &lines.speeds)
            readElevations(
                log, &nibbles, count: count, isThere: head & LineRuns.elevationFlag != 0, into: &lines.elevations)
            cursor.offset = nibbles.end
            lines.runs.append(first..<first + count)
        }
    }

    private static func readSpeeds(
        _ log: borrowing Span<UInt8>, _ nibbles: inout NibbleCursor, count: Int, isThere: Bool,
        into speeds: inout [UInt8]
    ) {
        guard isThere else {
            speeds.append(contentsOf: repeatElement(0, count: count))
            return
        }
        var last: Int64 = 0
        speeds.append(0)
        for _ in 1..<count {
            last &+= Varint.unzigzag(nibbles.next(in: log))
            speeds.append(UInt8(truncatingIfNeeded: last))
        }
    }

    private static func readElevations(
        _ log: borrowing Span<UInt8>, _ nibbles: inout NibbleCursor, count: Int, isThere: Bool,
        into elevations: inout [Int16]
    ) {
        guard isThere else {
            elevations.append(contentsOf: repeatElement(TileLines.noElevation, count: count))
            return
        }
        var last: Int64 = 0
        for _ in 0..<count {
            let number = nibbles.next(in: log)
            if number == 0 {
                elevations.append(TileLines.noElevation)
            } else {
                last &+= Varint.unzigzag(number - 1)
                elevations.append(Int16(truncatingIfNeeded: last))
            }
        }
    }
}

extension TileLines {
    /// Removes all lines and keeps the memory for reuse.
    public mutating func removeAll() {
        fragments.removeAll(keepingCapacity: true)
        runs.removeAll(keepingCapacity: true)
        xs.removeAll(keepingCapacity: true)
        ys.removeAll(keepingCapacity: true)
        speeds.removeAll(keepingCapacity: true)
        elevations.removeAll(keepingCapacity: true)
    }
}
