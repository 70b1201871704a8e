import Text

/// The source that a point was read from, to show it as it was sent.
enum OriginalPoint {
    case none
    case json(JSONValue)
    case parameters([(name: String, value: String)])
    case bytes(ArraySlice<UInt8>)

    /// The first bytes of the source, without secrets.
    func bytes(limit: Int) -> [UInt8] {
        switch self {
        case .none: return []
        case .json(let value): return value.json(limit: limit)
        case .parameters(let parameters):
            var text: [UInt8] = []
            for (index, parameter) in parameters.filter({ !FormParameters.isSecret($0.name) }).enumerated() {
                guard text.count < limit else { break }
                text += ((index == 0 ? "" : "&") + parameter.name + "=" + parameter.value).utf8
            }
            return Array(text.prefix(limit))
        case .bytes(let bytes): return Array(bytes.prefix(limit))
        }
    }
}

extension JSONValue {
    /// The value as JSON on one line, cut at `limit` bytes.
    func jsonText(limit: Int) -> String {
        String(decoding: json(limit: limit), as: UTF8.self)
    }

    fileprivate func json(limit: Int) -> [UInt8] {
        var json = JSONWriter(escapes: .lineFeed)
        json.add(self, limit: limit)
        return Array(json.bytes.prefix(limit))
    }

    /// The kind of the value, for use in a message.
    var kindName: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .none: "null"
        case .bool: "a boolean"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
