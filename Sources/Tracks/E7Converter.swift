import Text

/// Converts coordinates of a chunk to 1e-7°, rounded half away from zero.
public struct E7Converter: Sendable {
    private let multiplier: Int64
    private let divisor: Int64
    private let semicircles: Bool

    /// Creates a converter for coordinates in `unit`.
    public init(unit: CoordinateUnit) {
        switch unit {
        case .decimal(let places):
            multiplier = places < 7 ? FixedDecimal.integerPower(7 - places) : 1
            divisor = places > 7 ? FixedDecimal.integerPower(places - 7) : 1
            semicircles = false
        case .semicircles:
            multiplier = 1
            divisor = 1
            semicircles = true
        }
    }

    /// The coordinate in 1e-7°.
    @inline(__always)
    public func e7(_ coordinate: Int64) -> Int32 {
        if semicircles {
            return Int32(clamping: Int64((Double(coordinate) * (1_800_000_000 / 2_147_483_648)).rounded()))
        }
        if divisor == 1 { return Int32(clamping: coordinate &* multiplier) }
        return Int32(clamping: FixedDecimal.divided(coordinate, by: divisor))
    }
}
