import Expat

/// An element that begins or ends.
struct XMLElement {
    let event: XMLEvent
    let found: XMLEvents
    let attributes: Range<Int>

    /// Where its local name stands in the list that the feed was made with; nil for others.
    var known: Int? { event.known }
    /// Costs a pass over a piece of the file.
    var line: Int { found.line(of: event) }

    /// The attribute with this place in the list.
    func attribute(_ known: Int) -> String? {
        for index in attributes where found.events[index].known == known {
            return Text.string(found.bytes.span, found.events[index].range)
        }
        return nil
    }
}

/// Takes elements with the texts of those that have no children.
protocol XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws
    /// `text` is what stands in an element without children, else empty.
    mutating func end(_ element: XMLElement, text: [UInt8]) throws
    /// Takes from the front of a long text what can be taken before it is whole; what is left counts against the limit.
    mutating func drain(_ text: inout [UInt8]) throws
}

/// The elements of a document one after the other, told to a taker.
struct XMLOutline {
    /// From this length on a text is offered for draining.
    private static let drainFrom = 64 * 1024

    private var text: [UInt8] = []
    private var depth = 0
    // An element without children is one that ends while it is the last to have begun.
    private var lastBegun = 0

    mutating func take(_ found: XMLEvents, _ taker: inout some XMLElementHandler) throws {
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
                try taker.begin(XMLElement(event: event, found: found, attributes: first..<index))
            case .text: if lastBegun == depth { try collect(found, event, &taker) }
            case .end:
                if lastBegun != depth { text.removeAll(keepingCapacity: true) }
                depth -= 1
                try taker.end(XMLElement(event: event, found: found, attributes: index..<index), text: text)
            case .attribute: break
            }
        }
        if let failure = found.failure { throw failure }
    }

    private mutating func collect(_ found: XMLEvents, _ event: XMLEvent, _ taker: inout some XMLElementHandler) throws {
        text.append(contentsOf: found.bytes[event.range])
        guard text.count > Self.drainFrom else { return }
        try taker.drain(&text)
        let limit = TextLimit.bytes(of: text)
        guard text.count <= limit else { throw ImportFailure.longText(limit: limit, line: found.line(of: event)) }
    }
}
