/// An instant: milliseconds since 1970-01-01T00:00Z, within ±8.64e15 (the range of ECMAScript time values).
///
/// Every number from a file or a client is checked here. After that, sums and differences of instants cannot overflow,
/// also with time zone offsets and durations of the same size added.
public struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970; negative before.
    public let milliseconds: Int64

    /// The allowed values of `milliseconds`: 100 million days before and after 1970.
    public static let bounds: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000

    /// The plausible times of a recording, in milliseconds: GPS time begins on 1980-01-06, and nothing recorded today
    /// is from after 2100-01-01. The range does not depend on a clock, so that a grid equals its rebuild.
    public static let plausible: Range<Int64> = 315_964_800_000..<4_102_444_800_000

    /// nil if the number is outside `bounds`.
    @inlinable
    public init?(milliseconds: Int64) {
        guard Self.bounds.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Whole seconds since 1970; nil if outside `bounds`.
    public init?(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        self.init(milliseconds: product)
    }

    /// The instant that many minutes later; nil if outside `bounds`.
    public func advanced(minutes: Int64) -> Instant? {
        let (milliseconds, overflow) = minutes.multipliedReportingOverflow(by: 60_000)
        return overflow ? nil : advanced(milliseconds: milliseconds)
    }

    /// The instant that many milliseconds later; nil if outside `bounds`.
    public func advanced(milliseconds more: Int64) -> Instant? {
        let (sum, overflow) = milliseconds.addingReportingOverflow(more)
        return overflow ? nil : Instant(milliseconds: sum)
    }

    /// Whether the instant is a plausible time of a recording.
    @inlinable
    public var isPlausible: Bool { Self.plausible.contains(milliseconds) }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
