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
        self.instant(number(notBefore: instant))
    }

    /// The last instant of the schedule before `instant`.
    func last(before instant: Int64) -> Int64 {
        self.instant(number(notBefore: instant) - 1)
    }

    /// Whether an instant of the schedule is a whole number of seconds of the reader's time from the anchor.
    func isWholeSecond(_ instant: Int64) -> Bool {
        number(notBefore: instant) % Int64(rate.framesPerSecond) == 0
    }

    /// Which instant of the schedule is the first that is not before `instant`; steps being longer than a millisecond, an
    /// instant of the schedule gives its own number.
    private func number(notBefore instant: Int64) -> Int64 {
        Self.ceiling((instant - anchor) * Int64(rate.framesPerSecond), Int64(rate.speedThousandths))
    }

    private func instant(_ number: Int64) -> Int64 {
        anchor + Self.floor(number * Int64(rate.speedThousandths), Int64(rate.framesPerSecond))
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    private static func ceiling(_ number: Int64, _ divisor: Int64) -> Int64 {
        -floor(-number, divisor)
    }
}
