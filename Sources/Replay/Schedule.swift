/// Which instants of the tracks' time a paced replay shows: `anchor` and every whole step before and behind it.
///
/// There is no clock in it. A step is a fraction, rounded down to milliseconds at each instant, so that nothing adds up.
struct Schedule {
    let anchor: Int64
    let rate: FrameRate

    /// The first instant of the schedule that is not before `instant`.
    ///
    /// Instant number k is anchor + ⌊k × step⌋; it is at least x when k × step is, x being whole.
    func first(notBefore instant: Int64) -> Int64 {
        let number = Self.ceiling((instant - anchor) * Int64(rate.framesPerSecond), Int64(rate.speedThousandths))
        return anchor + Self.floor(number * Int64(rate.speedThousandths), Int64(rate.framesPerSecond))
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    private static func ceiling(_ number: Int64, _ divisor: Int64) -> Int64 {
        -floor(-number, divisor)
    }
}
