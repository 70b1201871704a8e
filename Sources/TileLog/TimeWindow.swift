public import Tracks

/// A range of time; each end is a whole day, an instant, or open.
public struct TimeWindow: Hashable, Sendable {
    /// Start or end of a window.
    public enum End: Hashable, Sendable {
        /// A day in the library's time zone, counted from 1970-01-01 and included in the window.
        case day(Int32)
        /// Milliseconds since 1970: as the start included, as the end excluded.
        case instant(Int64)
    }

    /// The first day or instant; nil if open.
    public let from: End?
    /// The last day, or the instant at which the window ends; nil if open.
    public let to: End?

    /// All time, including data without a time.
    public static let allTime = TimeWindow(from: nil, to: nil)

    /// Creates a window between two ends. Data without a time is included only if both ends are open.
    public init(from: End?, to: End?) {
        self.from = from
        self.to = to
    }

    /// Creates a window of whole days.
    public init(_ days: DayWindow) {
        self.init(from: days.from.map { .day($0) }, to: days.to.map { .day($0) })
    }

    /// Whether both ends are open.
    public var isAllTime: Bool { self == .allTime }

    /// Whether an end is an instant, so that a calendar is needed to find the days of the window.
    public var hasInstants: Bool {
        [from, to].contains { if case .instant = $0 { true } else { false } }
    }

    /// Whether the window ends before it begins; nil if a day and an instant are compared, which needs a calendar.
    public var isReversed: Bool? {
        switch (from, to) {
        case (.day(let first), .day(let last)): first > last
        case (.instant(let begin), .instant(let end)): begin >= end
        case (nil, _), (_, nil): false
        default: nil
        }
    }

    /// Whether the window ends before it begins.
    public func isReversed(in calendar: DayCalendar) -> Bool {
        switch (from, to) {
        case (.day(let first), .instant(let end)): calendar.start(ofDay: first) >= end
        case (.instant(let begin), .day(let last)): begin >= calendar.start(ofDay: last + 1)
        default: isReversed ?? false
        }
    }
}

/// A day that is partly in a window.
public struct PartialDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let day: Int32
    /// The ranges of the day that are in the window, earliest first; also split at clock changes, because lines are cut
    /// there.
    public let timeRanges: [Range<Int64>]
}

/// A window as whole days, which are read from tile logs, and partial days at its ends, which are read from points.
public struct WindowDays: Hashable, Sendable {
    /// The whole days.
    public let whole: DayWindow
    /// The partial days, ascending: at most one per end, except if a clock was set back over midnight.
    public let partial: [PartialDay]

    /// Creates a window of whole days.
    public init(_ whole: DayWindow) {
        self.whole = whole
        partial = []
    }

    /// Computes the days of a window; the window must not be reversed.
    public init(_ window: TimeWindow, in calendar: DayCalendar) {
        var days: Set<Int32> = []
        var first: Int32?
        var last: Int32?
        var instants = Int64.min..<Int64.max
        switch window.from {
        case .day(let day): first = day
        case .instant(let begin):
            instants = begin..<instants.upperBound
            let sides = Self.sides(of: begin, calendar)
            days.formUnion(sides.partial)
            first = sides.before.max().map { $0 + 1 }
        case nil: break
        }
        switch window.to {
        case .day(let day): last = day
        case .instant(let end):
            instants = instants.lowerBound..<max(instants.lowerBound, end)
            let sides = Self.sides(of: end, calendar)
            days.formUnion(sides.partial)
            last = sides.after.min().map { $0 - 1 }
        case nil: break
        }
        if let first, let last, first > last { whole = .none } else { whole = DayWindow(from: first, to: last) }
        var lowest = Int32.min
        var highest = Int32.max
        if case .day(let day) = window.from { lowest = day }
        if case .day(let day) = window.to { highest = day }
        partial = days.filter { $0 >= lowest && $0 <= highest }.sorted().compactMap { day in
            let timeRanges = calendar.timeRanges(ofDay: day).map { $0.clamped(to: instants) }.filter { !$0.isEmpty }
            return timeRanges.isEmpty ? nil : PartialDay(day: day, timeRanges: timeRanges)
        }
    }

    /// All days that are at least partly in the window.
    public var touched: DayWindow {
        guard let first = partial.first?.day, let last = partial.last?.day else { return whole }
        guard let days = whole.days else { return DayWindow(from: first, to: last) }
        return DayWindow(
            from: whole.from == nil ? nil : min(first, days.lowerBound),
            to: whole.to == nil ? nil : max(last, days.upperBound))
    }

    /// The days near an instant: days that begin before it, days that end after it, and days that contain it.
    private static func sides(
        of instant: Int64, _ calendar: DayCalendar
    ) -> (before: [Int32], after: [Int32], partial: [Int32]) {
        let day = Int64(calendar.day(of: instant))
        var before: [Int32] = []
        var after: [Int32] = []
        // A day may be missing or occur twice if a zone changes sides of the date line.
        for near in Int32(clamping: day - 3)...Int32(clamping: day + 3) {
            let timeRanges = calendar.timeRanges(ofDay: near)
            guard let first = timeRanges.first, let last = timeRanges.last else { continue }
            if first.lowerBound < instant { before.append(near) }
            if last.upperBound > instant { after.append(near) }
        }
        return (before, after, before.filter { after.contains($0) })
    }
}
