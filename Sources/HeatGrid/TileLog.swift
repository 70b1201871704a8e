/// What orders pieces and parts: day (untimed first), then the numbers of person and track.
package struct PartOrder: Comparable, Hashable, Sendable {
    package var day: Int32
    package var person: Int64
    package var track: Int64

    package init(day: Int32, person: Int64, track: Int64) {
        self.day = day
        self.person = person
        self.track = track
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.day, left.person, left.track) < (right.day, right.person, right.track)
    }
}

/// Reads a tile's log piece by piece.
///
/// A log is pieces in order: the day as a varint difference from the piece before (from `Int32.min` for the first), the
/// person with a lowest bit that says whether there are several parts (then their count follows), and for each part the
/// track, the count of bytes, and its cells: differences between ascending Morton codes, less one, as varints.
package struct LogReader {
    private var cursor: VarintCursor
    private var day = Int64(Int32.min)
    private var partsLeft = 0
    private var person: Int64 = 0

    package init(_ bytes: borrowing Span<UInt8>) {
        cursor = VarintCursor(offset: 0, end: bytes.count)
    }

    /// The head of the next part; nil at the end. `beginsPiece` tells a new person-day.
    @inline(__always)
    package mutating func nextPart(in bytes: borrowing Span<UInt8>) -> (
        order: PartOrder, cells: Range<Int>, beginsPiece: Bool, isOnly: Bool
    )? {
        var begins = false
        var only = false
        if partsLeft == 0 {
            guard !cursor.isAtEnd else { return nil }
            day += Int64(truncatingIfNeeded: cursor.next(in: bytes))
            let head = cursor.next(in: bytes)
            person = Int64(head >> 1)
            partsLeft = head & 1 == 0 ? 1 : max(1, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF_FFFF))
            begins = true
            only = partsLeft == 1
        }
        guard !cursor.isAtEnd else { return nil }
        partsLeft -= 1
        let track = Int64(truncatingIfNeeded: cursor.next(in: bytes))
        let length = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        let start = cursor.offset
        let end = min(cursor.end, start + length)
        cursor.offset = end
        return (PartOrder(day: Int32(clamping: day), person: person, track: track), start..<end, begins, only)
    }
}

/// Writes a log from parts given in order.
package struct LogWriter {
    package private(set) var bytes: [UInt8] = []
    private var day = Int64(Int32.min)
    private var held: [(order: PartOrder, cells: [UInt8])] = []

    package init() {}

    /// Adds a part behind those added before; one of the same track and person-day as the last is united with it.
    package mutating func add(_ order: PartOrder, cells: ArraySlice<UInt8>) {
        if let last = held.last {
            if last.order == order {
                held[held.count - 1].cells = CellDeltas.united(last.cells, Array(cells))
                return
            }
            precondition(last.order < order, "parts come in order")
            if last.order.day != order.day || last.order.person != order.person { writePiece() }
        }
        held.append((order, Array(cells)))
    }

    /// Ends the piece that parts were added to.
    package mutating func endPiece() {
        if !held.isEmpty { writePiece() }
    }

    /// The log's bytes.
    package mutating func finish() -> [UInt8] {
        endPiece()
        let result = bytes
        bytes = []
        day = Int64(Int32.min)
        return result
    }

    /// Begins a piece of so many parts; all of them must follow.
    package mutating func beginPiece(day pieceDay: Int32, person: Int64, partCount: Int) {
        Varint.append(UInt64(Int64(pieceDay) - day), to: &bytes)
        day = Int64(pieceDay)
        Varint.append(UInt64(person) << 1 | (partCount > 1 ? 1 : 0), to: &bytes)
        if partCount > 1 { Varint.append(UInt64(partCount), to: &bytes) }
    }

    /// Adds a part to the piece that was begun.
    package mutating func addPart(track: Int64, cells: ArraySlice<UInt8>) {
        Varint.append(UInt64(track), to: &bytes)
        Varint.append(UInt64(cells.count), to: &bytes)
        bytes.append(contentsOf: cells)
    }

    private mutating func writePiece() {
        let first = held[0].order
        beginPiece(day: first.day, person: first.person, partCount: held.count)
        for part in held { addPart(track: part.order.track, cells: part.cells[...]) }
        held.removeAll(keepingCapacity: true)
    }
}

/// Cells of a part as bytes.
package enum CellDeltas {
    /// Ascending cells as varint differences, less one.
    package static func encoded(_ cells: [UInt16]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = -1
        for cell in cells {
            Varint.append(UInt64(Int(cell) - last - 1), to: &bytes)
            last = Int(cell)
        }
        return bytes
    }

    /// The cells that bytes stand for.
    package static func decoded(_ bytes: [UInt8]) -> [UInt16] {
        var cells: [UInt16] = []
        let span = bytes.span
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var last = -1
        while !cursor.isAtEnd {
            last += Int(truncatingIfNeeded: cursor.next(in: span) & 0xFFFF) + 1
            cells.append(UInt16(truncatingIfNeeded: last))
        }
        return cells
    }

    /// The cells of either.
    package static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let cells = Set(decoded(left)).union(decoded(right)).sorted()
        return encoded(cells)
    }
}

/// A tile's log as a whole.
public enum TileLog {
    /// One log of several of the same tile.
    public static func merged(_ logs: [[UInt8]]) -> [UInt8] {
        if logs.count == 1 { return logs[0] }
        var readers = logs.map { PartReader(bytes: $0) }
        var writer = LogWriter()
        while true {
            var best = -1
            for index in readers.indices {
                guard let order = readers[index].order else { continue }
                if best < 0 || order < readers[best].order ?? order { best = index }
            }
            guard best >= 0, let order = readers[best].order else { break }
            writer.add(order, cells: readers[best].bytes[readers[best].cells])
            readers[best].advance()
        }
        return writer.finish()
    }

    /// The numbers of the tracks that have a part in a log.
    public static func tracks(in log: [UInt8]) -> Set<Int64> {
        var tracks: Set<Int64> = []
        var reader = PartReader(bytes: log)
        while let order = reader.order {
            tracks.insert(order.track)
            reader.advance()
        }
        return tracks
    }

    /// The log without the parts of some tracks; nil where it holds none of them.
    public static func removing(_ tracks: Set<Int64>, from log: [UInt8]) -> [UInt8]? {
        var reader = PartReader(bytes: log)
        var writer = LogWriter()
        var removed = false
        while let order = reader.order {
            if tracks.contains(order.track) {
                removed = true
            } else {
                writer.add(order, cells: log[reader.cells])
            }
            reader.advance()
        }
        return removed ? writer.finish() : nil
    }
}

/// Steps through the parts of a log held as an array.
struct PartReader {
    let bytes: [UInt8]
    private var reader: LogReader
    private(set) var order: PartOrder?
    private(set) var cells: Range<Int> = 0..<0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        reader = LogReader(bytes.span)
        advance()
    }

    mutating func advance() {
        let bytes = bytes
        guard let part = reader.nextPart(in: bytes.span) else {
            order = nil
            return
        }
        order = part.order
        cells = part.cells
    }
}
