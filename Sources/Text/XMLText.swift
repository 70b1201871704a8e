/// Texts in XML: their one writer.
public enum XMLText {
    /// Character data or an attribute value, as `append` writes it.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends character data or an attribute value; characters that XML cannot represent become U+FFFD.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"": bytes.append(contentsOf: "&quot;".utf8)
            // Escaped, because parsers normalise them to spaces or single line ends.
            case "\t", "\n", "\r": bytes.append(contentsOf: "&#\(scalar.value);".utf8)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": bytes.append(contentsOf: "\u{FFFD}".utf8)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}
