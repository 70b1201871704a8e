/// Functions on text that stays in its bytes.
public enum ByteText {
    /// The range without whitespace and control characters at both ends.
    @inlinable
    @inline(__always)
    public static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    /// Decodes UTF-8, or ISO-8859-1 (written by older software) if the bytes are not valid UTF-8.
    public static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        string(array(bytes, range))
    }

    /// Decodes UTF-8, or ISO-8859-1 if the bytes are not valid UTF-8.
    public static func string(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Copies the bytes of a range.
    public static func array(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        [UInt8](capacity: range.count) { output in
            for index in range { output.append(bytes[index]) }
        }
    }
}
