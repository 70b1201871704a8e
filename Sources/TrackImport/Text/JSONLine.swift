/// A JSON object on one line, with its members in the order of addition.
package struct JSONLine {
    private var members: [String] = []

    package init() {}

    init(line: Int, reason: String) {
        add("line", line)
        add("reason", reason)
    }

    package var text: String { "{" + members.joined(separator: ",") + "}" }

    package mutating func add(_ name: String, _ value: Int) {
        members.append(Self.quoted(name) + ":\(value)")
    }

    package mutating func add(_ name: String, _ value: Bool) {
        members.append(Self.quoted(name) + ":\(value)")
    }

    package mutating func add(_ name: String, _ value: String?) {
        members.append(Self.quoted(name) + ":" + (value.map(Self.quoted) ?? "null"))
    }

    /// Adds a number; `null` if it is nil or not finite.
    package mutating func add(_ name: String, number: Double?) {
        members.append(Self.quoted(name) + ":" + Self.digits(number))
    }

    package mutating func add(_ name: String, numbers: [Double]?) {
        let list = numbers.map { "[" + $0.map { Self.digits($0) }.joined(separator: ",") + "]" }
        members.append(Self.quoted(name) + ":" + (list ?? "null"))
    }

    package mutating func add(_ name: String, texts: [String: String]) {
        var object = JSONLine()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { object.add(name, text) }
        members.append(Self.quoted(name) + ":" + object.text)
    }

    package mutating func add(_ name: String, _ values: [String]) {
        members.append(Self.quoted(name) + ":[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    package mutating func add(_ name: String, objects: [JSONLine]) {
        members.append(Self.quoted(name) + ":[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// Adds texts that are JSON already, such as stored receipts.
    package mutating func add(_ name: String, json texts: [String]) {
        members.append(Self.quoted(name) + ":[" + texts.joined(separator: ",") + "]")
    }

    package mutating func add(_ name: String, counts: [(String, Int)]) {
        var object = JSONLine()
        for (name, count) in counts.sorted(by: { $0.0 < $1.0 }) { object.add(name, count) }
        members.append(Self.quoted(name) + ":" + object.text)
    }

    /// Formats whole numbers without a decimal point.
    private static func digits(_ number: Double?) -> String {
        guard let number, number.isFinite else { return "null" }
        return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Quotes a string (RFC 8259, section 7).
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
