/// Names of files as texts. A name may be any bytes: those that are not valid UTF-8 are written as characters of the
/// private use area (U+10FF80 to U+10FFFF for the bytes 80 to FF), so that different names stay different and can be
/// opened.
public enum FileName {
    /// The character of the byte 0.
    private static let firstScalar: UInt32 = 0x10FF00

    /// The text of a name.
    static func text(_ bytes: [UInt8]) -> String {
        if let name = String(validating: bytes, as: UTF8.self), !hasEscapes(name) { return name }
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append(
                byte < 0x80
                    ? Unicode.Scalar(byte) : Unicode.Scalar(firstScalar + UInt32(byte)) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    /// The bytes of a path, with a final zero, for the system.
    static func systemPath(_ path: String) -> [CChar] {
        var bytes: [CChar] = []
        if hasEscapes(path) {
            for scalar in path.unicodeScalars {
                if let byte = byte(of: scalar) {
                    bytes.append(CChar(bitPattern: byte))
                } else {
                    bytes += String(scalar).utf8.map { CChar(bitPattern: $0) }
                }
            }
        } else {
            bytes = path.utf8.map { CChar(bitPattern: $0) }
        }
        return bytes + [0]
    }

    /// A path for messages: bytes that are not valid UTF-8 become U+FFFD.
    public static func shown(_ path: String) -> String {
        guard hasEscapes(path) else { return path }
        return String(
            String.UnicodeScalarView(path.unicodeScalars.map { byte(of: $0) == nil ? $0 : "\u{FFFD}" }))
    }

    /// The parent of a path, without resolving it: `.` for a name alone.
    public static func parentFolder(of path: String) -> String {
        var trimmed = path[...]
        while trimmed.hasSuffix("/"), trimmed.count > 1 { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return trimmed == "." ? "/" : "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    private static func hasEscapes(_ text: String) -> Bool {
        // Only characters from U+100000 on begin with this byte.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        scalar.value >= firstScalar + 0x80 ? UInt8(scalar.value - firstScalar) : nil
    }
}
