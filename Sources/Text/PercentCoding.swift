/// Percent-encoding (RFC 3986).
public enum PercentCoding {
    /// Decodes `%41`, and `+` to a space if `plusIsSpace`; nil for a broken escape, control characters or invalid UTF-8.
    public static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var isBroken = false
        let decoded = decode(bytes, plusIsSpace: plusIsSpace) { isBroken = true }
        guard !isBroken, decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Decodes `%41`, and `+` to a space; a percent sign without two hexadecimal digits is kept.
    public static func decodeLeniently(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        decode(bytes, plusIsSpace: true) {}
    }

    /// Calls `broken` for each percent sign without two digits, and keeps it.
    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool, _ broken: () -> Void) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            var byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "%") {
                if at + 1 < bytes.endIndex, let value = HexDigits.byte(bytes[at], bytes[at + 1]) {
                    byte = value
                    at += 2
                } else {
                    broken()
                }
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            decoded.append(byte)
        }
        return decoded
    }

    /// Encodes all bytes except the unreserved characters: letters, digits, `-`, `.`, `_` and `~`.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                HexDigits.append(byte, uppercase: true, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
