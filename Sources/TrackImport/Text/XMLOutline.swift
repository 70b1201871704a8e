import Dispatch
import Expat
import Locking
import Text

/// The start or end of an element.
struct XMLElement {
    let event: XMLEvent
    let found: XMLEvents
    let attributes: Range<Int>

    /// Index of its local name in the list given to the feed; nil for other names.
    var known: Int? { event.known }
    /// The line of the element; costs a pass over a block of the file.
    var line: Int { found.line(of: event) }

    /// The value of the attribute with this index in the list.
    func attribute(_ known: Int) -> String? {
        value(known).map { ByteText.string(found.bytes.span, $0) }
    }

    /// The value of the attribute with this index in the list, as a number.
    func decimal(_ known: Int) -> FixedDecimal? {
        value(known).flatMap { FixedDecimal(found.bytes.span, $0) }
    }

    private func value(_ known: Int) -> Range<Int>? {
        for index in attributes {
            let event = found.events[index]
            if event.known == known { return event.range }
        }
        return nil
    }
}

/// The names of elements and attributes that a reader knows; its feed numbers them by their index in `all`.
protocol KnownXMLName: CaseIterable, Hashable, RawRepresentable<String> {
    static var all: [Self] { get }
}

extension KnownXMLName {
    /// nil for an element with another name.
    init?(_ element: XMLElement) {
        guard let known = element.known else { return nil }
        self = Self.all[known]
    }

    /// The index in `all`.
    var index: Int { Self.all.firstIndex(of: self) ?? 0 }
}

/// Handles elements, and the text of those without children.
protocol XMLElementHandler {
    /// Returns whether the text of the element is wanted.
    mutating func begin(_ element: XMLElement) throws -> Bool
    /// `text` is the text of an element without children, otherwise empty.
    mutating func end(_ element: XMLElement, text: [UInt8]) throws
    /// Consumes the start of a long text before all of it is read; the rest counts against the limit.
    mutating func drain(_ text: inout [UInt8]) throws
    /// Ends what is open; called at the end of the document, and after an error that keeps earlier points.
    mutating func endDocument() throws
}

extension XMLElementHandler {
    mutating func drain(_ text: inout [UInt8]) throws {}

    /// Reads a document. If it is truncated or malformed, the points before that are kept, and the error is thrown.
    mutating func read(_ source: any ByteSource, _ feed: XMLFeed) throws {
        var outline = XMLOutline()
        try ImportFailure.keepingEarlierPoints {
            try feed.each(of: source) { try outline.take($0, &self) }
        } end: {
            try endDocument()
        }
    }
}

/// Passes the elements of a document in order to a handler.
private struct XMLOutline {
    /// Length in bytes above which a text is passed to `drain`.
    private static let drainFrom = 64 * 1024

    private var text: [UInt8] = []
    private var isCollecting = false

    mutating func take(_ found: XMLEvents, _ handler: inout some XMLElementHandler) throws {
        let events = found.events
        var index = 0
        while index < events.count {
            let event = events[index]
            index += 1
            switch event.kind {
            case .start:
                let first = index
                while index < events.count, events[index].kind == .attribute { index += 1 }
                text.removeAll(keepingCapacity: true)
                isCollecting = try handler.begin(XMLElement(event: event, found: found, attributes: first..<index))
            case .text: if isCollecting { try collect(found, event, &handler) }
            case .end:
                try handler.end(XMLElement(event: event, found: found, attributes: index..<index), text: text)
                // What follows belongs to an element with children.
                text.removeAll(keepingCapacity: true)
                isCollecting = false
            case .attribute: break
            }
        }
        if let failure = found.failure { throw failure }
    }

    private mutating func collect(_ found: XMLEvents, _ event: XMLEvent, _ handler: inout some XMLElementHandler) throws
    {
        text.append(contentsOf: found.bytes[event.range])
        guard text.count > Self.drainFrom else { return }
        try handler.drain(&text)
        let limit = TextLimit.bytes(of: text)
        guard text.count <= limit else { throw ImportFailure.longText(limit: limit, line: found.line(of: event)) }
    }
}

/// The events of an XML document in order; Expat parses a block on another core while the previous one is handled, if no
/// other file is read there.
struct XMLFeed {
    private let reading: FileReading
    private let xml: Locked<XMLReader>
    /// Serial, because Expat needs the blocks in their order.
    private let queue = DispatchQueue(label: "tileserve.import.xml", qos: .utility)

    /// Creates a feed that identifies these local names by their index.
    init(_ reading: FileReading, known names: [String]) throws {
        self.reading = reading
        xml = Locked(try XMLReader(known: names))
    }

    /// Calls `take` with the events of each block of `source`; an error of the source is thrown after the events before
    /// it.
    func each(of source: any ByteSource, _ take: (XMLEvents) throws -> Void) throws {
        var source = XMLStart(source)
        var repairer: XMLRepairer?
        var pending: [Future<XMLEvents>] = []
        var block: [UInt8] = []
        var failure: (any Error)?
        repeat {
            do { block = try source.read { try reading.next(from: &$0) } } catch {
                failure = error
                break
            }
            var activeRepairer = repairer ?? makeRepairer(block)
            let repaired = activeRepairer.repair(block, isLast: block.isEmpty)
            repairer = activeRepairer
            if !repaired.isEmpty { pending.append(events(of: repaired)) }
            // An empty block ends the document.
            if block.isEmpty { pending.append(events(of: [])) }
            // One block is being parsed and one is ready, so that neither thread waits for the other.
            while pending.count > 2 { try take(pending.removeFirst().get()) }
        } while !block.isEmpty
        for repair in repairer?.repairs ?? [] {
            reading.receipt.remarks.insert(repair == .invalidUTF8 ? .invalidUTF8Bytes : .bareAmpersands)
        }
        for found in pending { try take(found.get()) }
        if let failure { throw failure }
    }

    /// Documents that declare a single-byte encoding are left unchanged for Expat; all others must be UTF-8.
    private func makeRepairer(_ first: [UInt8]) -> XMLRepairer {
        let isUTF8 = !XMLDeclaration.namesSingleBytes(first)
        if isUTF8 { xml.withLock { $0.assumeUTF8() } }
        return XMLRepairer(isUTF8: isUTF8)
    }

    /// An element's name without its prefix.
    func localName(_ event: XMLEvent) -> String {
        xml.withLock { $0.localName(event.number) }
    }

    /// An element's name with its prefix.
    func qualifiedName(_ event: XMLEvent) -> String {
        xml.withLock { $0.qualifiedName(event.number) }
    }

    private func events(of block: [UInt8]) -> Future<XMLEvents> {
        // On the queue in both cases, so that blocks keep their order.
        guard reading.hasFreeWorker else { return Future(queue.sync { Self.events(of: block, xml) }) }
        return Future(on: queue) { [xml] in Self.events(of: block, xml) }
    }

    /// The events of a block; an empty block ends the document.
    private static func events(of block: [UInt8], _ xml: Locked<XMLReader>) -> XMLEvents {
        xml.withLock { block.isEmpty ? $0.finish() : $0.read(block) }
    }
}

/// XML without the whitespace that some software writes before the declaration, which Expat rejects.
private struct XMLStart {
    private var source: any ByteSource
    private var begun = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    mutating func read(_ next: (inout any ByteSource) throws -> [UInt8]) throws -> [UInt8] {
        while true {
            let block = try next(&source)
            guard !begun, !block.isEmpty else { return block }
            var start = ByteOrderMark.length(in: block)
            while start < block.count, block[start] == 0x20 || (0x09...0x0D).contains(block[start]) { start += 1 }
            guard start < block.count else { continue }
            begun = true
            return start == 0 ? block : Array(block[start...])
        }
    }
}
