/// An object of JSON in one line, its members in the order they are added.
struct JSONLine {
    private var members: [String] = []

    init() {}

    init(line: Int, reason: String) {
        add("line", line)
        add("reason", reason)
    }

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ name: String, _ value: Int) {
        members.append(Self.quoted(name) + ":\(value)")
    }

    mutating func add(_ name: String, _ value: Bool) {
        members.append(Self.quoted(name) + ":\(value)")
    }

    mutating func add(_ name: String, _ value: String?) {
        members.append(Self.quoted(name) + ":" + (value.map(Self.quoted) ?? "null"))
    }

    mutating func add(_ name: String, _ values: [String]) {
        members.append(Self.quoted(name) + ":[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    mutating func add(_ name: String, objects: [JSONLine]) {
        members.append(Self.quoted(name) + ":[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    mutating func add(_ name: String, counts: [(String, Int)]) {
        var object = JSONLine()
        for (name, count) in counts.sorted(by: { $0.0 < $1.0 }) { object.add(name, count) }
        members.append(Self.quoted(name) + ":" + object.text)
    }

    /// RFC 8259, section 7.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
