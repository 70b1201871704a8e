/// A range of whole days in the library's time zone; either end may be open.
public struct DayWindow: Hashable, Sendable {
    /// The first day, counted from 1970-01-01; nil if open.
    public let from: Int32?
    /// The last day, included; nil if open.
    public let to: Int32?

    /// All time, including data without a time.
    public static let allTime = DayWindow(from: nil, to: nil)

    /// An empty window.
    public static let none = DayWindow(from: 0, to: -1)

    /// Creates a window that includes both days. Data without a time is included only if both ends are open.
    public init(from: Int32?, to: Int32?) {
        self.from = from
        self.to = to
    }

    /// Whether both ends are open.
    public var isAllTime: Bool { from == nil && to == nil }

    /// The intersection of two windows; all time if both are all time.
    public func shared(with other: DayWindow) -> DayWindow {
        DayWindow(
            from: [from, other.from].compactMap { $0 }.max(), to: [to, other.to].compactMap { $0 }.min())
    }

    /// The days as a range; nil if empty.
    package var days: ClosedRange<Int32>? {
        let first = max(from ?? .min, FragmentOrder.untimedDay + 1)
        let last = to ?? .max
        return first <= last ? first...last : nil
    }
}
