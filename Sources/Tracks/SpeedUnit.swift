public import Text

/// A unit of speed in files and protocols that is not the library's.
public enum SpeedUnit: Sendable {
    /// A nautical mile (1,852 m) per hour.
    case knot
    case kilometrePerHour

    /// Metres per hour, times 1,000.
    private var thousandths: Int64 {
        switch self {
        case .knot: 1_852_000
        case .kilometrePerHour: 1_000_000
        }
    }

    /// The most decimal places of a speed that are kept.
    private static let mostPlaces: UInt8 = 9

    /// The speed in m/s, the library's unit; nil on overflow.
    ///
    /// The result has three decimal places more than the input, which keeps different inputs different; a computed
    /// input with more than nine places (`19.438444924406046`) gives nine.
    public func metresPerSecond(_ speed: FixedDecimal) -> FixedDecimal? {
        var speed = speed
        let isComputed = speed.places > Self.mostPlaces
        if isComputed, let rounded = speed.rescaled(to: Self.mostPlaces) {
            speed = FixedDecimal(mantissa: rounded, places: Self.mostPlaces)
        }
        guard speed.mantissa.magnitude <= (Int64.max / thousandths).magnitude else { return nil }
        let result = FixedDecimal(
            mantissa: FixedDecimal.divided(speed.mantissa * thousandths, by: 3600), places: speed.places + 3)
        guard isComputed else { return result }
        return result.rescaled(to: Self.mostPlaces).map { FixedDecimal(mantissa: $0, places: Self.mostPlaces) }
    }
}
