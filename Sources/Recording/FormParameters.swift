import Text

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

    /// Decodes a name or a value, and removes trailing line breaks, which `curl` and scripts add after a form.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded = PercentCoding.decodeLeniently(bytes)
        while let last = decoded.last, last == 0x0A || last == 0x0D { decoded.removeLast() }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Parameters that carry a token; they are not fields.
    private static let secrets: Set<String> = ["key", "api_key", "token"]

    /// Whether a parameter carries a token.
    static func isSecret(_ name: String) -> Bool { secrets.contains(name.lowercased()) }
}
