/// Hexadecimal digits.
public enum HexDigits {
    /// The value of a digit in either case; nil for other characters.
    @inlinable
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte of two digits; nil if one of the characters is not a digit.
    public static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = value(of: high), let low = value(of: low) else { return nil }
        return high << 4 | low
    }

    /// The digit of a value below 16.
    @inlinable
    public static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: uppercase ? "A" : "a") + value - 10
    }

    /// Appends the two digits of a byte.
    @inlinable
    public static func append(_ byte: UInt8, uppercase: Bool = false, to text: inout [UInt8]) {
        text.append(digit(byte >> 4, uppercase: uppercase))
        text.append(digit(byte & 15, uppercase: uppercase))
    }

    /// The digits of bytes, two for each, in lower case.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }
}
