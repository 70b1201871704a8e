import Glibc

/// A name as the reader numbers it.
struct XMLName {
    let number: Int32
    /// Where the local name stands in the list the reader was made with; nil for others.
    let known: Int16?
}

/// Something found in a document.
public struct XMLEvent: Sendable {
    /// What it is.
    public enum Kind: Sendable {
        /// An element begins; its attributes follow.
        case start
        /// An attribute of the element that has begun; its bytes are the value.
        case attribute
        /// An element ends.
        case end
        /// Text, UTF-8, perhaps in several pieces.
        case text
    }

    /// What it is.
    public let kind: Kind
    private let name: XMLName
    private let first: Int32
    private var last: Int32
    fileprivate let offset: Int32

    init(_ kind: Kind, _ name: XMLName, _ range: Range<Int>, offset: Int) {
        self.kind = kind
        self.name = name
        first = Int32(range.lowerBound)
        last = Int32(range.upperBound)
        self.offset = Int32(offset)
    }

    /// The reader's number for the whole name, prefix included.
    public var number: Int { Int(name.number) }

    /// Where the local name stands in the list the reader was made with; nil for others.
    public var known: Int? { name.known.map { Int($0) } }

    /// Where the bytes of an attribute or a text are.
    public var range: Range<Int> { Int(first)..<Int(last) }

    mutating func extend(to end: Int) {
        last = Int32(end)
    }
}

/// What was found in a piece of a document.
public struct XMLEvents: Sendable {
    /// In the document's order.
    public let events: [XMLEvent]
    /// What the events' ranges point into.
    public let bytes: [UInt8]
    /// Why the reader stopped behind the events.
    public let failure: XMLError?

    private let block: [UInt8]
    private let linesBefore: Int

    init(
        events: [XMLEvent] = [], bytes: [UInt8] = [], failure: XMLError? = nil, block: [UInt8] = [],
        linesBefore: Int = 0
    ) {
        self.events = events
        self.bytes = bytes
        self.failure = failure
        self.block = block
        self.linesBefore = linesBefore
    }

    /// The line that an element begins on, counted from 1, give or take what a piece's border cuts; costs a pass over the
    /// piece.
    public func line(of event: XMLEvent) -> Int {
        linesBefore + lineEnds(in: block, before: Int(event.offset)) + 1
    }
}

/// How many lines end in the first bytes.
func lineEnds(in block: [UInt8], before end: Int) -> Int {
    unsafe block.withUnsafeBytes { bytes in
        guard var next = bytes.baseAddress else { return 0 }
        let stop = unsafe next + min(end, bytes.count)
        var count = 0
        while unsafe next < stop, let found = unsafe memchr(next, 0x0A, stop - next) {
            count += 1
            unsafe next = UnsafeRawPointer(found) + 1
        }
        return count
    }
}
