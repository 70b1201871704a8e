package import Text

/// How many decimal places integers that count units of 10^−places need, at least.
struct NeededPlaces {
    /// The number of places that those added so far need.
    private(set) var places: UInt8 = 0
    private let unit: UInt8

    /// Creates a count for numbers with `unit` places, at most 18.
    init(of unit: UInt8) {
        self.unit = unit
    }

    /// Adds a number. After one that needs all places, the others cost one comparison.
    @inline(__always)
    mutating func add(_ number: Int64) {
        guard places < unit else { return }
        var needed = unit
        while needed > places, number % FixedDecimal.integerPower(unit - needed + 1) == 0 { needed -= 1 }
        places = needed
    }
}

extension FixedDecimal {
    /// The same number without trailing zeros in the fraction.
    package var trimmed: FixedDecimal {
        var places = places
        var mantissa = mantissa
        while places > 0, mantissa % 10 == 0 {
            places -= 1
            mantissa /= 10
        }
        return FixedDecimal(mantissa: mantissa, places: places)
    }

    /// Parses digits with an optional minus sign and decimal point; nil for any other text.
    init?(plainDigits text: String) {
        var digits = text[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count <= 18, (whole + fraction).utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        guard let mantissa = Int64((isNegative ? "-" : "") + whole + fraction) else { return nil }
        self.init(mantissa: mantissa, places: UInt8(fraction.count))
    }
}
