import Glibc

/// A name and its number in the reader's table.
struct XMLName {
    let number: Int32
    /// The index of the local name in the list given to the reader; nil if it is not in the list.
    let known: Int16?
}

/// An event of a parsed document.
public struct XMLEvent: Sendable {
    public enum Kind: Sendable {
        /// Start of an element; its attributes follow.
        case start
        /// An attribute of the started element; the bytes are its value.
        case attribute
        /// End of an element.
        case end
        /// UTF-8 text; one text may be split over several events.
        case text
    }

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

    /// The reader's number of the full name, including its prefix.
    public var number: Int { Int(name.number) }

    /// The index of the local name in the list given to the reader; nil if it is not in the list.
    public var known: Int? { name.known.map { Int($0) } }

    /// The position of an attribute's value or a text in `XMLEvents.bytes`.
    public var range: Range<Int> { Int(first)..<Int(last) }

    mutating func extend(to end: Int) {
        last = Int32(end)
    }
}

/// The events of one chunk of a document.
public struct XMLEvents: Sendable {
    /// The events in document order.
    public let events: [XMLEvent]
    /// The bytes that the events' ranges refer to.
    public let bytes: [UInt8]
    /// The error that stopped the reader after these events.
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

    /// The line of an event, from 1; may be too high if its token began in an earlier chunk. Costs one pass over the
    /// chunk.
    public func line(of event: XMLEvent) -> Int {
        linesBefore + lineEnds(in: block, before: Int(event.offset)) + 1
    }
}

/// The number of line breaks in the first `end` bytes.
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
