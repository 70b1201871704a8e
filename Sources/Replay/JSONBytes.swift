/// JSON written by hand: the same value is the same bytes everywhere, keys stand in the order given.
package struct JSONBytes {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// Nothing yet.
    package init() {}

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Adds text that is JSON already.
    package mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds bytes that are JSON already.
    package mutating func raw(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Adds a whole number.
    package mutating func add(_ number: some FixedWidthInteger) {
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Adds `mantissa` × 10^−`places` in the fewest digits: `8.5`, `-0.0000001`, `12`.
    package mutating func add(_ mantissa: Int64, places: Int) {
        if mantissa < 0 { bytes.append(UInt8(ascii: "-")) }
        var digits = Array(String(mantissa.magnitude).utf8)
        if digits.count <= places {
            digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: places + 1 - digits.count), at: 0)
        }
        var fraction = digits[(digits.count - places)...]
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        bytes.append(contentsOf: digits[..<(digits.count - places)])
        guard !fraction.isEmpty else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: fraction)
    }

    /// Adds a string in quotes, or `null`.
    package mutating func add(_ text: String?) {
        guard let text else { return raw("null") }
        bytes.append(Self.quote)
        for byte in text.utf8 {
            switch byte {
            case Self.quote, Self.backslash:
                bytes.append(Self.backslash)
                bytes.append(byte)
            case 0..<0x20:
                raw("\\u00")
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            default:
                bytes.append(byte)
            }
        }
        bytes.append(Self.quote)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
