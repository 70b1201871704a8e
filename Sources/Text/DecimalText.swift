// Numbers as decimal digits: their one reader and their one writer.
extension FixedDecimal {
    /// Parses a number, with optional whitespace around it; nil for other text (`NaN`, an empty cell, `12 m`).
    ///
    /// Digits after the 18th are rounded; nil if the number does not fit in 64 bits.
    @inlinable
    @inline(__always)
    public init?(
        _ bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool = false, exponent takesExponent: Bool = true
    ) {
        let trimmed = ByteText.trimmed(bytes, range)
        var at = trimmed.lowerBound
        let end = trimmed.upperBound
        guard at < end else { return nil }
        var negative = false
        if bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
            negative = bytes[at] == UInt8(ascii: "-")
            at += 1
        }
        let point = comma ? UInt8(ascii: ",") : UInt8(ascii: ".")
        var digits = DecimalDigits()
        while at < end {
            let byte = bytes[at]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                guard digits.add(Int64(digit)) else { return nil }
            } else if byte == point || byte == UInt8(ascii: "."), !digits.pointSeen {
                digits.pointSeen = true
            } else {
                break
            }
            at += 1
        }
        guard digits.any else { return nil }
        var exponent = 0
        if at < end {
            guard takesExponent, let found = Self.exponent(bytes, at..<end) else { return nil }
            exponent = found
        }
        let mantissa = negative ? -digits.mantissa : digits.mantissa
        guard exponent != 0 else {
            self.init(mantissa: mantissa, places: UInt8(digits.places))
            return
        }
        self.init(mantissa: mantissa, places: digits.places, exponent: exponent)
    }

    /// mantissa × 10^(exponent − places).
    @usableFromInline
    init?(mantissa: Int64, places: Int, exponent: Int) {
        let shifted = places - exponent
        // A mantissa has at most 18 digits, so beyond 36 places all 18 places that are kept are 0.
        if mantissa == 0 || shifted > 36 {
            self.init(mantissa: 0, places: 0)
        } else if shifted > 18 {
            self.init(
                mantissa: Self.divided(mantissa, by: Self.integerPower(UInt8(shifted - 18))), places: 18)
        } else if shifted >= 0 {
            self.init(mantissa: mantissa, places: UInt8(shifted))
        } else {
            guard shifted >= -18 else { return nil }
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: Self.integerPower(UInt8(-shifted)))
            guard !overflow else { return nil }
            self.init(mantissa: product, places: 0)
        }
    }

    @usableFromInline
    static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var at = range.lowerBound
        guard bytes[at] | 0x20 == UInt8(ascii: "e") else { return nil }
        at += 1
        var negative = false
        if at < range.upperBound, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
            negative = bytes[at] == UInt8(ascii: "-")
            at += 1
        }
        // Four digits cannot overflow, and are more than any number that fits needs.
        guard at < range.upperBound, range.upperBound - at <= 4 else { return nil }
        var value = 0
        while at < range.upperBound {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
            at += 1
        }
        return negative ? -value : value
    }

    /// Parses a number in canonical form, which can be stored as a number without loss; `007`, `+5` and `1e3` stay
    /// texts.
    @inlinable
    public init?(plain bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool = false) {
        var first = range.lowerBound
        if first < range.upperBound, bytes[first] == UInt8(ascii: "-") { first += 1 }
        guard first < range.upperBound, bytes[first] &- UInt8(ascii: "0") < 10 else { return nil }
        if bytes[first] == UInt8(ascii: "0"), first + 1 < range.upperBound,
            bytes[first + 1] &- UInt8(ascii: "0") < 10
        {
            return nil
        }
        guard bytes[range.upperBound - 1] &- UInt8(ascii: "0") < 10, range.count <= 20 else { return nil }
        self.init(bytes, range, comma: comma, exponent: false)
    }
}

/// The digits of a number being parsed.
@usableFromInline
struct DecimalDigits {
    @usableFromInline var mantissa: Int64 = 0
    @usableFromInline var places = 0
    @usableFromInline var pointSeen = false
    @usableFromInline var any = false
    // Further digits do not fit; the first of them rounds.
    @usableFromInline var isFull = false

    @inlinable
    init() {}

    /// No digit is added from here on: 17 nines and one more digit fit an Int64, with room for rounding.
    @inlinable static var fullFrom: Int64 { 100_000_000_000_000_000 }

    @inlinable
    @inline(__always)
    mutating func add(_ digit: Int64) -> Bool {
        any = true
        if mantissa < Self.fullFrom, places < 18 {
            mantissa = mantissa &* 10 &+ digit
            if pointSeen { places += 1 }
            return true
        }
        // Before the decimal point, dropping a digit would change the magnitude.
        guard pointSeen else { return false }
        if !isFull {
            isFull = true
            if digit >= 5 { mantissa += 1 }
        }
        return true
    }
}

extension FixedDecimal {
    /// Parses a number, with optional whitespace around it; nil for other text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, bytes.indices)
    }

    /// Parses a number in canonical form; nil for other text.
    public init?(plain text: String) {
        let bytes = Array(text.utf8)
        self.init(plain: bytes.span, bytes.indices)
    }
}

extension FixedDecimal: CustomStringConvertible {
    /// The number in decimal digits, with as many decimals as it has.
    public var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the number in decimal digits, with as many decimals as it has: `8.50`, `-0.0000001`, `12`. If `isShort`,
    /// zeros at the end of the decimals are left out: `8.5`.
    public func write(to text: inout [UInt8], isShort: Bool = false) {
        var rest = mantissa.magnitude
        var fraction = Int(places)
        if isShort {
            while fraction > 0, rest % 10 == 0 {
                rest /= 10
                fraction -= 1
            }
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
        text.append(addingCapacity: letters.count) { span in
            for index in first..<letters.count { span.append(letters[index]) }
        }
    }
}
