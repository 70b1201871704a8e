import TrackImport
import Tracks

/// The source that a point was read from, to show it as it was sent.
enum RawPoint {
    case none
    case json(JSONValue)
    case parameters([(name: String, value: String)])
    case bytes(ArraySlice<UInt8>)

    /// The first bytes of the source, without secrets.
    func bytes(limit: Int) -> [UInt8] {
        var text = LimitedText(limit: limit)
        switch self {
        case .none: break
        case .json(let value): text.put(value)
        case .parameters(let parameters):
            for (index, parameter) in parameters.filter({ !ParameterPoint.isSecret($0.name) }).enumerated() {
                guard !text.isFull else { break }
                text.put((index == 0 ? "" : "&") + parameter.name + "=" + parameter.value)
            }
        case .bytes(let bytes): return Array(bytes.prefix(limit))
        }
        return text.bytes
    }
}

/// Text with a length limit; nothing beyond the limit is generated.
private struct LimitedText {
    private(set) var bytes: [UInt8] = []
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isFull: Bool { bytes.count >= limit }

    mutating func put(_ text: String) {
        bytes += text.utf8.prefix(max(0, limit - bytes.count))
    }

    mutating func put(_ value: JSONValue) {
        guard !isFull else { return }
        switch value {
        case .text(let text): put(quoted: text)
        case .number(let number): put(number.description)
        case .none(let word): put(word.isEmpty ? "null" : word)
        case .bool(let isTrue): put(isTrue ? "true" : "false")
        case .list(let elements):
            put("[")
            for (index, element) in elements.enumerated() {
                guard !isFull else { return }
                if index > 0 { put(",") }
                put(element)
            }
            put("]")
        case .object(let members):
            put("{")
            for (index, member) in members.enumerated() {
                guard !isFull else { return }
                if index > 0 { put(",") }
                put(quoted: member.name)
                put(":")
                put(member.value)
            }
            put("}")
        }
    }

    private mutating func put(quoted text: String) {
        put("\"")
        for scalar in text.unicodeScalars {
            guard !isFull else { return }
            switch scalar {
            case "\"": put("\\\"")
            case "\\": put("\\\\")
            case "\n": put("\\n")
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: put(String(scalar))
            }
        }
        put("\"")
    }
}

extension JSONValue {
    /// The value as JSON on one line, cut at `limit` bytes.
    func jsonText(limit: Int) -> String {
        var text = LimitedText(limit: limit)
        text.put(self)
        return String(decoding: text.bytes, as: UTF8.self)
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
