import Text

/// The instants of track time that a paced replay shows: `anchor`, and every whole step before and after it.
///
/// It has no clock. A step is a fraction that is rounded down to milliseconds at each instant, so rounding errors do
/// not accumulate.
struct Schedule {
    let anchor: Int64
    let rate: FrameRate

    /// The first instant of the schedule that is not before `instant`.
    ///
    /// Instant number k is anchor + ⌊k × step⌋. It is at least x if k × step is, because x is an integer.
    func first(notBefore instant: Int64) -> Int64 {
        self.instant(number(notBefore: instant))
    }

    /// The last instant of the schedule before `instant`.
    func last(before instant: Int64) -> Int64 {
        self.instant(number(notBefore: instant) - 1)
    }

    /// Whether an instant of the schedule is a whole number of playback seconds from the anchor.
    func isWholeSecond(_ instant: Int64) -> Bool {
        number(notBefore: instant) % Int64(rate.framesPerSecond) == 0
    }

    /// The number of the first instant that is not before `instant`. Steps are longer than a millisecond, so an
    /// instant of the schedule gives its own number.
    private func number(notBefore instant: Int64) -> Int64 {
        // The product fits: instants are within ±8.64e15 ms (`PlayableTimes`), and frames are at most 60 a second.
        Self.ceiling((instant - anchor) * Int64(rate.framesPerSecond), Int64(rate.speedThousandths))
    }

    private func instant(_ number: Int64) -> Int64 {
        anchor + (number * Int64(rate.speedThousandths)).floorDivided(by: Int64(rate.framesPerSecond))
    }

    private static func ceiling(_ number: Int64, _ divisor: Int64) -> Int64 {
        -(-number).floorDivided(by: divisor)
    }
}
