/// Writes JSON deterministically: the same values give the same bytes, with keys in the order in which they are added.
package struct JSONWriter {
    /// The JSON text so far.
    package private(set) var bytes: [UInt8] = []

    /// An empty text with room for `capacity` bytes.
    package init(capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Lets `body` append to `text`.
    static func writing(to text: inout [UInt8], _ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        swap(&json.bytes, &text)
        body(&json)
        swap(&json.bytes, &text)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Adds text that is already JSON.
    package mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds bytes that are already JSON.
    package mutating func raw(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Adds an integer.
    package mutating func add(_ number: some FixedWidthInteger) {
        add(Int64(number), places: 0)
    }

    /// Adds `mantissa` × 10^−`places` with as few digits as possible: `8.5`, `-0.0000001`, `12`.
    package mutating func add(_ mantissa: Int64, places: Int) {
        var rest = mantissa.magnitude
        var fraction = places
        while fraction > 0, rest % 10 == 0 {
            rest /= 10
            fraction -= 1
        }
        // Filled from the last character to the first.
        var letters = InlineArray<32, UInt8>(repeating: 0)
        var first = letters.count
        func put(_ letter: UInt8) {
            first -= 1
            letters[first] = letter
        }
        var digits = 0
        repeat {
            if digits == fraction, digits > 0 { put(UInt8(ascii: ".")) }
            put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            digits += 1
        } while rest > 0 || digits <= fraction
        if mantissa < 0 { put(UInt8(ascii: "-")) }
        bytes.append(addingCapacity: letters.count) { span in
            for index in first..<letters.count { span.append(letters[index]) }
        }
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
