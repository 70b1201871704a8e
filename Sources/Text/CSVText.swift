/// Cells of comma-separated text (RFC 4180).
///
/// Quotation marks are found by bytes: together with a combining mark behind it, one is another `Character`.
public enum CSVText {
    private static let quote = UInt8(ascii: "\"")

    /// Adds a cell to UTF-8 text, quoted if necessary.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        // RFC 4180 asks for quotation marks only around commas, quotation marks and line breaks; `;` and `#` separate
        // cells or begin comments in other dialects, and blanks at the ends of a cell may be cut off.
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: ",") && byte != quote && byte != UInt8(ascii: ";")
                && byte != UInt8(ascii: "#")
        }
        guard !isPlain else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(quote)
        for byte in text.utf8 {
            switch byte {
            case quote: bytes.append(contentsOf: [quote, quote])
            // Programs take a file with this byte for binary data.
            case 0: bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
            default: bytes.append(byte)
            }
        }
        bytes.append(quote)
    }

    /// The text of a quoted cell, without the quotation marks around it: two of them become one.
    public static func unquoted(_ text: String) -> String {
        guard text.utf8.contains(quote) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isDoubled = false
        for byte in text.utf8 {
            isDoubled = byte == quote && !isDoubled && bytes.last == quote
            if !isDoubled { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
