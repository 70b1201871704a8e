package import Text

/// The JSON object that a client has sent.
package enum JSONBody {
    /// The members of the object, in the order in which they were sent; nil if the body is not one object in UTF-8.
    ///
    /// Files with other bytes than UTF-8 are read as Latin-1, but a client can send its body again. A byte order mark is
    /// skipped, as RFC 8259, section 8.1, permits.
    package static func members(of body: [UInt8]) -> [(name: String, value: JSONValue)]? {
        let text = Array(body.dropFirst(ByteOrderMark.length(in: body)))
        guard String(validating: text, as: UTF8.self) != nil, let value = try? JSONReader.value(text),
            case .object(let members) = value
        else { return nil }
        return members
    }
}
