/// A stretch of whole days in the library's zone, either end left open or not.
public struct DayWindow: Hashable, Sendable {
    /// The first day, counted from 1970-01-01; nil for all before.
    public let from: Int32?
    /// The last day, counted in; nil for all after.
    public let to: Int32?

    /// All time, what has no time too.
    public static let allTime = DayWindow(from: nil, to: nil)

    /// No day.
    public static let none = DayWindow(from: 0, to: -1)

    /// The days from one to another; what has no time is left out unless both are open.
    public init(from: Int32?, to: Int32?) {
        self.from = from
        self.to = to
    }

    /// Whether everything is asked for.
    public var isAllTime: Bool { from == nil && to == nil }

    /// The days that two windows share; all time where both are.
    public func shared(with other: DayWindow) -> DayWindow {
        DayWindow(
            from: [from, other.from].compactMap { $0 }.max(), to: [to, other.to].compactMap { $0 }.min())
    }

    /// The days as a range; nil where it is empty.
    package var days: ClosedRange<Int32>? {
        let first = max(from ?? .min, FragmentOrder.untimedDay + 1)
        let last = to ?? .max
        return first <= last ? first...last : nil
    }
}
