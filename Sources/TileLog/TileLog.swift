/// What the parts of a kind of log hold.
public protocol FragmentContent: Sendable {
    /// The content of a part that came in two goes.
    static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]
}

/// What orders pieces and parts: day (untimed first), then the numbers of person and track.
public struct FragmentOrder: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01 in the library's zone, or `untimedDay`.
    public var day: Int32
    /// The person's number.
    public var person: Int64
    /// The track's number.
    public var track: Int64

    /// The day of the piece of points and lines without a time.
    public static let untimedDay = Int32.min

    /// The place of a track's part in a person's day.
    @inlinable
    public init(day: Int32, person: Int64, track: Int64) {
        self.day = day
        self.person = person
        self.track = track
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.day, left.person, left.track) < (right.day, right.person, right.track)
    }
}

/// Reads a tile's log piece by piece.
///
/// A log is pieces in order: the day as a varint difference from the piece before (from `Int32.min` for the first), the
/// person with a lowest bit that says whether there are several parts (then their count follows), and for each part the
/// track, the count of bytes, and its content, which the log does not look into.
public struct LogReader {
    @usableFromInline var cursor: VarintCursor
    @usableFromInline var day = Int64(Int32.min)
    @usableFromInline var partsLeft = 0
    @usableFromInline var person: Int64 = 0

    /// A reader of a log from its beginning.
    @inlinable
    public init(_ bytes: borrowing Span<UInt8>) {
        cursor = VarintCursor(offset: 0, end: bytes.count)
    }

    /// Goes to the end.
    mutating func finish() {
        cursor.offset = cursor.end
        partsLeft = 0
    }

    /// The head of the next part; nil at the end. `beginsPiece` tells a new person-day.
    @inlinable
    @inline(__always)
    public mutating func nextPart(in bytes: borrowing Span<UInt8>) -> (
        order: FragmentOrder, content: Range<Int>, beginsPiece: Bool, isOnly: Bool
    )? {
        var begins = false
        var only = false
        if partsLeft == 0 {
            guard !cursor.isAtEnd else { return nil }
            // Whatever the bytes are, nothing overflows, and no number is negative.
            day &+= Int64(truncatingIfNeeded: cursor.next(in: bytes))
            let head = cursor.next(in: bytes)
            person = Int64(head >> 1)
            partsLeft = head & 1 == 0 ? 1 : max(1, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF_FFFF))
            begins = true
            only = partsLeft == 1
        }
        guard !cursor.isAtEnd else { return nil }
        partsLeft -= 1
        let track = Int64(cursor.next(in: bytes) & UInt64(Int64.max))
        let length = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        let start = cursor.offset
        let end = min(cursor.end, start + length)
        cursor.offset = end
        return (FragmentOrder(day: Int32(clamping: day), person: person, track: track), start..<end, begins, only)
    }
}

/// Writes a log from parts given in order.
package struct LogWriter<Content: FragmentContent> {
    package private(set) var bytes: [UInt8] = []
    private var day = Int64(Int32.min)
    private var held: [(order: FragmentOrder, content: [UInt8])] = []

    package init() {}

    /// Adds a part behind those added before; one of the same track and person-day as the last is united with it.
    package mutating func add(_ order: FragmentOrder, _ content: ArraySlice<UInt8>) {
        if let last = held.last {
            if last.order == order {
                held[held.count - 1].content = Content.united(last.content, Array(content))
                return
            }
            precondition(last.order < order, "parts come in order")
            if last.order.day != order.day || last.order.person != order.person { writePiece() }
        }
        held.append((order, Array(content)))
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
    package mutating func addPart(track: Int64, _ content: ArraySlice<UInt8>) {
        Varint.append(UInt64(track), to: &bytes)
        Varint.append(UInt64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    private mutating func writePiece() {
        let first = held[0].order
        beginPiece(day: first.day, person: first.person, partCount: held.count)
        for part in held { addPart(track: part.order.track, part.content[...]) }
        held.removeAll(keepingCapacity: true)
    }
}

/// A tile's log as a whole.
public enum TileLog<Content: FragmentContent> {
    /// One log of several of the same tile.
    public static func merged(_ logs: [[UInt8]]) -> [UInt8] {
        if logs.count == 1 { return logs[0] }
        var readers = logs.map { FragmentReader(bytes: $0) }
        var writer = LogWriter<Content>()
        while true {
            var best = -1
            for index in readers.indices {
                guard let order = readers[index].order else { continue }
                if best < 0 || order < readers[best].order ?? order { best = index }
            }
            guard best >= 0, let order = readers[best].order else { break }
            writer.add(order, readers[best].bytes[readers[best].content])
            readers[best].advance()
        }
        return writer.finish()
    }

    /// The numbers of the tracks that have a part in a log.
    public static func tracks(in log: [UInt8]) -> Set<Int64> {
        var tracks: Set<Int64> = []
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            tracks.insert(order.track)
            reader.advance()
        }
        return tracks
    }

    /// The log without the parts of some tracks; nil where it holds none of them.
    public static func removing(_ tracks: Set<Int64>, from log: [UInt8]) -> [UInt8]? {
        var reader = FragmentReader(bytes: log)
        var writer = LogWriter<Content>()
        var removed = false
        while let order = reader.order {
            if tracks.contains(order.track) {
                removed = true
            } else {
                writer.add(order, log[reader.content])
            }
            reader.advance()
        }
        return removed ? writer.finish() : nil
    }
}

/// Steps through the parts of a log held as an array, as far as they are in order: nothing else is written.
package struct FragmentReader {
    package let bytes: [UInt8]
    private var reader: LogReader
    package private(set) var order: FragmentOrder?
    package private(set) var content: Range<Int> = 0..<0

    package init(bytes: [UInt8]) {
        self.bytes = bytes
        reader = LogReader(bytes.span)
        advance()
    }

    package mutating func advance() {
        let bytes = bytes
        guard let part = reader.nextPart(in: bytes.span), order.map({ $0 <= part.order }) ?? true else {
            order = nil
            reader.finish()
            return
        }
        order = part.order
        content = part.content
    }
}
