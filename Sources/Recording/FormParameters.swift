/// The parameters of a query or of a form body (`application/x-www-form-urlencoded`).
///
/// Text that is not correctly encoded is kept as it is: a description such as `100%` must not make a point invalid.
package enum FormParameters {
    /// The largest number of parameters of a form; apps send about twenty.
    static let limit = 4096

    /// The decoded `name=value` pairs between `&`, in order.
    package static func read(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "&")).map { part in
            let nameEnd = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = nameEnd < part.endIndex ? part[(nameEnd + 1)...] : []
            return (trimmed(part[..<nameEnd]), trimmed(value))
        }
    }

    /// Decodes `%41` and `+`; a percent sign without two hexadecimal digits is kept.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            if byte == UInt8(ascii: "%"), at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]),
                let low = digit(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                at += 1
            }
        }
        return result
    }

    /// Removes trailing line breaks, which `curl` and scripts add after a form.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded = decoded(bytes)
        while let last = decoded.last, last == 0x0A || last == 0x0D { decoded.removeLast() }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
