/// A moment: milliseconds since 1970-01-01T00:00Z, within ±8.64e15 (the range of ECMAScript's time values).
///
/// A number that a file or a client gave becomes an instant here or nowhere: sums and differences of instants, with offsets of
/// time zones and durations of the same size added, cannot overflow.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970, negative before.
    public let milliseconds: Int64

    /// What `milliseconds` may be: 100 million days to either side of 1970.
    public static let bounds: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000

    /// The instants that a recorder can have meant, in milliseconds: GPS time begins on 1980-01-06, and nothing that is recorded
    /// today is from after 2100-01-01. It does not depend on a clock, so that a grid equals its rebuild.
    public static let plausible: Range<Int64> = 315_964_800_000..<4_102_444_800_000

    /// nil where the number is out of `bounds`.
    @inlinable
    public init?(milliseconds: Int64) {
        guard Self.bounds.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Whole seconds since 1970; nil where they are out of bounds.
    public init?(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        self.init(milliseconds: product)
    }

    /// Milliseconds, rounded to whole ones; nil where they are out of bounds or no number.
    public init?(milliseconds: Double) {
        guard milliseconds.magnitude <= Double(Self.bounds.upperBound) else { return nil }
        self.init(milliseconds: Int64(milliseconds.rounded()))
    }

    /// The instant so many minutes later; nil where it is out of bounds.
    public func advanced(minutes: Int64) -> Instant? {
        let (milliseconds, overflow) = minutes.multipliedReportingOverflow(by: 60_000)
        return overflow ? nil : advanced(milliseconds: milliseconds)
    }

    /// The instant so many milliseconds later; nil where it is out of bounds.
    public func advanced(milliseconds more: Int64) -> Instant? {
        let (sum, overflow) = milliseconds.addingReportingOverflow(more)
        return overflow ? nil : Instant(milliseconds: sum)
    }

    /// Whether a recorder can have meant it.
    @inlinable
    public var isPlausible: Bool { Self.plausible.contains(milliseconds) }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
