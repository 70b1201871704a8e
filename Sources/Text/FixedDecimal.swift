/// A decimal number as written in the file, `mantissa` × 10^−`places`, so that import loses nothing.
public struct FixedDecimal: Hashable, Sendable {
    /// The digits with the sign.
    public var mantissa: Int64
    /// The number of digits after the decimal point, 0–18.
    public var places: UInt8

    /// Creates a number with the given decimal places.
    @inlinable
    public init(mantissa: Int64, places: UInt8) {
        precondition(places <= 18, "an Int64 holds 18 decimal places")
        self.mantissa = mantissa
        self.places = places
    }

    /// The nearest Double.
    public var double: Double {
        Double(mantissa) / Double(Self.integerPower(places))
    }

    /// The mantissa with `wanted` decimal places; further digits are rounded half away from zero. nil on overflow.
    @inlinable
    public func rescaled(to wanted: UInt8) -> Int64? {
        if wanted >= places {
            let (result, overflow) = mantissa.multipliedReportingOverflow(by: Self.integerPower(wanted - places))
            return overflow ? nil : result
        }
        return Self.divided(mantissa, by: Self.integerPower(places - wanted))
    }

    /// `value` / `divisor`, rounded half away from zero.
    @inlinable
    public static func divided(_ value: Int64, by divisor: Int64) -> Int64 {
        let quotient = value / divisor
        let rest = value % divisor
        // Half of an odd divisor is rounded up, because no remainder is exactly half of it.
        guard rest.magnitude >= (divisor.magnitude + 1) / 2 else { return quotient }
        return value < 0 ? quotient - 1 : quotient + 1
    }

    /// 10^`places` for 0–18.
    @inlinable
    public static func integerPower(_ places: UInt8) -> Int64 {
        powers[Int(places)]
    }

    @usableFromInline
    static let powers: [Int64] = (0...18).map { places in
        (0..<places).reduce(Int64(1)) { power, _ in power * 10 }
    }
}
