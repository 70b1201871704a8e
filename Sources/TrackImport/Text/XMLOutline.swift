import Expat

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
        for index in attributes where found.events[index].known == known {
            return Text.string(found.bytes.span, found.events[index].range)
        }
        return nil
    }
}

/// Handles elements, and the text of those without children.
protocol XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws
    /// `text` is the text of an element without children, otherwise empty.
    mutating func end(_ element: XMLElement, text: [UInt8]) throws
    /// Consumes the start of a long text before all of it is read; the rest counts against the limit.
    mutating func drain(_ text: inout [UInt8]) throws
}

/// Passes the elements of a document in order to a handler.
struct XMLOutline {
    /// Length in bytes above which a text is passed to `drain`.
    private static let drainFrom = 64 * 1024

    private var text: [UInt8] = []
    private var depth = 0
    // An element without children ends while it is still the last one begun.
    private var lastBegun = 0

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
                depth += 1
                lastBegun = depth
                text.removeAll(keepingCapacity: true)
                try handler.begin(XMLElement(event: event, found: found, attributes: first..<index))
            case .text: if lastBegun == depth { try collect(found, event, &handler) }
            case .end:
                if lastBegun != depth { text.removeAll(keepingCapacity: true) }
                depth -= 1
                try handler.end(XMLElement(event: event, found: found, attributes: index..<index), text: text)
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
