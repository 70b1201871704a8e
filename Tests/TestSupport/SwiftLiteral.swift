/// A text literal of a Swift source, as it is written between its quotes: `pieces` with the code of interpolations between
/// them.
public struct SwiftLiteral {
    public private(set) var pieces: [String] = [""]
    public private(set) var interpolations: [String] = []

    /// Whether `+` or `+=` joins it with another text.
    public fileprivate(set) var isConcatenated = false

    /// All literals of a source, in the order in which they end, also those within interpolations.
    public static func all(in source: some StringProtocol) -> [SwiftLiteral] {
        var reader = SwiftLiteralReader(bytes: Array(source.utf8))
        reader.readCode(isInterpolation: false)
        return reader.literals
    }

    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
        pieces[pieces.count - 1] += String(decoding: bytes, as: UTF8.self)
    }

    fileprivate mutating func appendInterpolation(_ bytes: ArraySlice<UInt8>) {
        interpolations.append(String(decoding: bytes, as: UTF8.self))
        pieces.append("")
    }
}

private struct SwiftLiteralReader {
    let bytes: [UInt8]
    private var position = 0
    private(set) var literals: [SwiftLiteral] = []

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads code up to its end, or up to the parenthesis that closes an interpolation.
    mutating func readCode(isInterpolation: Bool) {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "/") where has("//"): skip(to: "\n")
            case UInt8(ascii: "/") where has("/*"): skip(to: "*/")
            case UInt8(ascii: "\""): readText(closedBy: has("\"\"\"") ? "\"\"\"" : "\"")
            case UInt8(ascii: ")") where isInterpolation && depth == 0: return
            case let byte:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                position += 1
            }
        }
    }

    private mutating func readText(closedBy closing: String) {
        var literal = SwiftLiteral()
        let before = bytes[..<position].reversed().drop(while: isWhitespace)
        literal.isConcatenated = before.starts(with: "+".utf8) || before.starts(with: "=+".utf8)
        position += closing.utf8.count
        var start = position
        while position < bytes.count, !has(closing) {
            if has("\\(") {
                literal.append(bytes[start..<position])
                start = position + 2
                position = start
                readCode(isInterpolation: true)
                literal.appendInterpolation(bytes[start..<position])
                start = min(position + 1, bytes.count)
                position = start
            } else if has("\\") {
                position = min(position + 2, bytes.count)
            } else if has("\n"), closing == "\"" {
                // Not a literal, but a quote elsewhere, for example in a regular expression.
                return
            } else {
                position += 1
            }
        }
        literal.append(bytes[start..<position])
        position = min(position + closing.utf8.count, bytes.count)
        if bytes[position...].drop(while: isWhitespace).starts(with: "+".utf8) { literal.isConcatenated = true }
        literals.append(literal)
    }

    private func isWhitespace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
    }

    private func has(_ text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }

    private mutating func skip(to end: String) {
        while position < bytes.count, !has(end) { position += 1 }
        position = min(position + end.utf8.count, bytes.count)
    }
}
