public import Text

/// The encoding of a track fragment's content in one kind of log.
public protocol FragmentContent: Sendable {
    /// The union of two contents of the same track and day, which were added separately.
    static func united(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]
}

/// The sort key of track fragments: day (untimed first), then the numbers of person and track.
public struct FragmentOrder: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01 in the library's time zone, or `untimedDay`.
    public var day: Int32
    /// The person's number.
    public var person: Int64
    /// The track's number.
    public var track: Int64

    /// The day of points and lines without a time.
    public static let untimedDay = Int32.min

    /// Creates the key of a track's fragment in a person-day.
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

/// Reads the fragments of a tile log in order.
///
/// A log is a sequence of person-days in ascending order. Each has: the day as a varint difference from the person-day
/// before (from `Int32.min` for the first); the person number shifted left by one, whose lowest bit says whether there
/// are several fragments (then their count follows); and for each fragment the track number, the length in bytes, and
/// the content, which the log does not interpret.
public struct LogReader {
    @usableFromInline var cursor: VarintCursor
    @usableFromInline var day = Int64(Int32.min)
    @usableFromInline var fragmentsLeft = 0
    @usableFromInline var person: Int64 = 0

    /// Creates a reader at the start of a log.
    @inlinable
    public init(_ bytes: borrowing Span<UInt8>) {
        cursor = VarintCursor(offset: 0, end: bytes.count)
    }

    /// Moves to the end.
    mutating func finish() {
        cursor.offset = cursor.end
        fragmentsLeft = 0
    }

    /// The head of the next fragment; nil at the end. `beginsPersonDay` is true for the first fragment of a person-day,
    /// `isOnly` if it has no other.
    @inlinable
    @inline(__always)
    public mutating func nextFragment(in bytes: borrowing Span<UInt8>) -> (
        order: FragmentOrder, content: Range<Int>, beginsPersonDay: Bool, isOnly: Bool
    )? {
        var begins = false
        var only = false
        if fragmentsLeft == 0 {
            guard !cursor.isAtEnd else { return nil }
            // For any bytes, nothing overflows and no number is negative.
            day &+= Int64(truncatingIfNeeded: cursor.next(in: bytes))
            let head = cursor.next(in: bytes)
            person = Int64(head >> 1)
            fragmentsLeft = head & 1 == 0 ? 1 : max(1, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF_FFFF))
            begins = true
            only = fragmentsLeft == 1
        }
        guard !cursor.isAtEnd else { return nil }
        fragmentsLeft -= 1
        let track = Int64(cursor.next(in: bytes) & UInt64(Int64.max))
        let length = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        let start = cursor.offset
        let end = min(cursor.end, start + length)
        cursor.offset = end
        return (FragmentOrder(day: Int32(clamping: day), person: person, track: track), start..<end, begins, only)
    }
}

/// Writes a log from fragments given in ascending order.
package struct LogWriter<Content: FragmentContent> {
    package private(set) var bytes: [UInt8] = []
    private var day = Int64(Int32.min)
    private var pending: [(order: FragmentOrder, content: [UInt8])] = []

    package init() {}

    /// Adds a fragment after those already added. A fragment with the same track and person-day as the last one is
    /// united with it.
    package mutating func add(_ order: FragmentOrder, _ content: ArraySlice<UInt8>) {
        if let last = pending.last {
            if last.order == order {
                pending[pending.count - 1].content = Content.united(last.content, Array(content))
                return
            }
            precondition(last.order < order, "fragments must be added in ascending order")
            if last.order.day != order.day || last.order.person != order.person { writePersonDay() }
        }
        pending.append((order, Array(content)))
    }

    /// Ends the current person-day.
    package mutating func endPersonDay() {
        if !pending.isEmpty { writePersonDay() }
    }

    /// The bytes of the log.
    package mutating func finish() -> [UInt8] {
        endPersonDay()
        let result = bytes
        bytes = []
        day = Int64(Int32.min)
        return result
    }

    /// Begins a person-day; exactly `fragmentCount` fragments must follow.
    package mutating func beginPersonDay(day personDay: Int32, person: Int64, fragmentCount: Int) {
        Varint.append(UInt64(Int64(personDay) - day), to: &bytes)
        day = Int64(personDay)
        Varint.append(UInt64(person) << 1 | (fragmentCount > 1 ? 1 : 0), to: &bytes)
        if fragmentCount > 1 { Varint.append(UInt64(fragmentCount), to: &bytes) }
    }

    /// Adds a fragment to the current person-day.
    package mutating func addFragment(track: Int64, _ content: ArraySlice<UInt8>) {
        Varint.append(UInt64(track), to: &bytes)
        Varint.append(UInt64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    private mutating func writePersonDay() {
        let first = pending[0].order
        beginPersonDay(day: first.day, person: first.person, fragmentCount: pending.count)
        for fragment in pending { addFragment(track: fragment.order.track, fragment.content[...]) }
        pending.removeAll(keepingCapacity: true)
    }
}

/// Operations on a whole tile log.
public enum TileLog<Content: FragmentContent> {
    /// Merges several logs of the same tile into one.
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

    /// The numbers of the tracks in a log.
    public static func tracks(in log: [UInt8]) -> Set<Int64> {
        var tracks: Set<Int64> = []
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            tracks.insert(order.track)
            reader.advance()
        }
        return tracks
    }

    /// The log without the fragments of some tracks; nil if it contains none of them.
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

/// Iterates over the fragments of a log held as an array; stops at the first fragment out of order, because a valid log
/// has none.
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
        guard let fragment = reader.nextFragment(in: bytes.span), order.map({ $0 <= fragment.order }) ?? true else {
            order = nil
            reader.finish()
            return
        }
        order = fragment.order
        content = fragment.content
    }
}
