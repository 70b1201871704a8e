import Text

/// An XML document that is written from its beginning to its end.
struct XMLDocument {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

    /// An element with attributes, and the elements that `body` adds.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], _ body: (inout XMLDocument) throws -> Void
    ) rethrows {
        open(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        try body(&self)
        bytes += "</\(name)>".utf8
    }

    /// An element with a text.
    mutating func element(_ name: String, _ attributes: [(String, String)], _ text: String) {
        element(name, attributes) { XMLText.append(text, to: &$0.bytes) }
    }

    /// An element without content.
    mutating func empty(_ name: String, _ attributes: [(String, String)]) {
        open(name, attributes)
        bytes += "/>".utf8
    }

    private mutating func open(_ name: String, _ attributes: [(String, String)]) {
        bytes += "<\(name)".utf8
        for (name, value) in attributes {
            bytes += " \(name)=\"".utf8
            XMLText.append(value, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
