package import Tracks

/// Functions on text that stays in its bytes.
enum Text {
    /// The range without whitespace and control characters at both ends.
    @inline(__always)
    static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    /// Decodes UTF-8, or ISO-8859-1 (written by older software) if the bytes are not valid UTF-8.
    static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        string(array(bytes, range))
    }

    /// Decodes UTF-8, or ISO-8859-1 if the bytes are not valid UTF-8.
    static func string(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static func array(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        [UInt8](capacity: range.count) { output in
            for index in range { output.append(bytes[index]) }
        }
    }
}

extension FixedDecimal {
    /// Parses a number, with optional whitespace around it; nil for other text (`NaN`, an empty cell, `12 m`).
    ///
    /// Digits after the 18th are rounded; nil if the number does not fit in 64 bits.
    @inline(__always)
    package init?(
        _ bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool = false, exponent takesExponent: Bool = true
    ) {
        let trimmed = Text.trimmed(bytes, range)
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
    private init?(mantissa: Int64, places: Int, exponent: Int) {
        let shifted = places - exponent
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

    private static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var at = range.lowerBound
        guard bytes[at] | 0x20 == UInt8(ascii: "e") else { return nil }
        at += 1
        var negative = false
        if at < range.upperBound, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
            negative = bytes[at] == UInt8(ascii: "-")
            at += 1
        }
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
    package init?(plain bytes: Span<UInt8>, _ range: Range<Int>, comma: Bool = false) {
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
private struct DecimalDigits {
    var mantissa: Int64 = 0
    var places = 0
    var pointSeen = false
    var any = false
    // Further digits do not fit; the first of them rounds.
    private var isFull = false

    /// No digit is added from here on: 17 nines and one more digit fit an Int64, with room for rounding.
    private static let fullFrom: Int64 = 100_000_000_000_000_000

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
