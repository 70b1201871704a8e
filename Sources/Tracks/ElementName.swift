/// Converts any name to a valid XML element name and back. Characters not allowed there are written as `_xHHHH_` with
/// the code point in hexadecimal, as in ECMA-376, 22.4.2.4.
public enum ElementName {
    /// Stands for the empty name.
    private static let empty = "_x_"

    /// The element name. With `escapesFirst`, the first letter is escaped too, so that no reader mistakes the name for an
    /// element that it knows.
    public static func encoded(_ name: String, escapesFirst: Bool = false) -> String {
        guard !name.isEmpty else { return empty }
        let scalars = Array(name.unicodeScalars)
        var text = ""
        for (index, scalar) in scalars.enumerated() {
            let isEscape = scalar == "_" && index + 1 < scalars.count && scalars[index + 1] == "x"
            if isPlain(scalar, isFirst: index == 0), !isEscape, !(escapesFirst && index == 0) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let width = scalar.value > 0xFFFF ? 8 : 4
                text += "_x" + String(repeating: "0", count: width - digits.count) + digits + "_"
            }
        }
        return text
    }

    /// The name that an element name stands for.
    public static func decoded(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        if name == empty { return "" }
        var text = ""
        var rest = name[...]
        while let first = rest.first {
            if let (scalar, end) = escape(rest) {
                text.unicodeScalars.append(scalar)
                rest = rest[end...]
            } else {
                text.append(first)
                rest.removeFirst()
            }
        }
        return text
    }

    private static func isPlain(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "0"..."9", "-", ".": !isFirst
        default: false
        }
    }

    /// The scalar of the escape sequence at the start of a text, and where the sequence ends; nil if there is none.
    private static func escape(_ text: Substring) -> (Unicode.Scalar, Substring.Index)? {
        guard text.hasPrefix("_x") else { return nil }
        let digits = text.dropFirst(2).prefix { $0.isASCII && $0.isHexDigit }
        guard digits.count == 4 || digits.count == 8, digits.endIndex < text.endIndex, text[digits.endIndex] == "_",
            let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
        else { return nil }
        return (scalar, text.index(after: digits.endIndex))
    }
}
