public import Tracks

/// A stretch of time whose ends are whole days, instants, or left open.
public struct TimeWindow: Hashable, Sendable {
    /// Where a window begins or ends.
    public enum End: Hashable, Sendable {
        /// A day of the library's zone, counted from 1970-01-01, which is in the window.
        case day(Int32)
        /// Milliseconds since 1970: the first that is in the window, or the first that is not any more.
        case instant(Int64)
    }

    /// The first day, or the instant it begins at; nil for all before.
    public let from: End?
    /// The last day, or the instant it ends at; nil for all after.
    public let to: End?

    /// All time, what has no time too.
    public static let allTime = TimeWindow(from: nil, to: nil)

    /// A window between two ends; what has no time is left out unless both are open.
    public init(from: End?, to: End?) {
        self.from = from
        self.to = to
    }

    /// A window of whole days.
    public init(_ days: DayWindow) {
        self.init(from: days.from.map { .day($0) }, to: days.to.map { .day($0) })
    }

    /// Whether everything is asked for.
    public var isAllTime: Bool { self == .allTime }

    /// Whether an end is an instant: which days the window has says a calendar.
    public var hasInstants: Bool {
        [from, to].contains { if case .instant = $0 { true } else { false } }
    }

    /// Whether it ends before it begins; nil where a day and an instant are compared, which takes a calendar.
    public var isReversed: Bool? {
        switch (from, to) {
        case (.day(let first), .day(let last)): first > last
        case (.instant(let begin), .instant(let end)): begin >= end
        case (nil, _), (_, nil): false
        default: nil
        }
    }

    /// Whether it ends before it begins.
    public func isReversed(in calendar: DayCalendar) -> Bool {
        switch (from, to) {
        case (.day(let first), .instant(let end)): calendar.start(ofDay: first) >= end
        case (.instant(let begin), .day(let last)): begin >= calendar.start(ofDay: last + 1)
        default: isReversed ?? false
        }
    }
}

/// A day of which a window has a part.
public struct PartialDay: Hashable, Sendable {
    /// Counted from 1970-01-01.
    public let day: Int32
    /// What the window has of it, earliest first; parted, too, where a clock was changed, as lines are cut there.
    public let stretches: [Range<Int64>]
}

/// A window as whole days, which logs of pieces know, and the days at its ends of which it has a part, which only the
/// points know.
public struct WindowDays: Hashable, Sendable {
    /// The whole days.
    public let whole: DayWindow
    /// The days cut by an end: at most one for each end, but where a clock was set back over midnight; ascending.
    public let cut: [PartialDay]

    /// A window of whole days.
    public init(_ whole: DayWindow) {
        self.whole = whole
        cut = []
    }

    /// The days of a window that is not reversed.
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
            days.formUnion(sides.cut)
            first = sides.before.max().map { $0 + 1 }
        case nil: break
        }
        switch window.to {
        case .day(let day): last = day
        case .instant(let end):
            instants = instants.lowerBound..<max(instants.lowerBound, end)
            let sides = Self.sides(of: end, calendar)
            days.formUnion(sides.cut)
            last = sides.after.min().map { $0 - 1 }
        case nil: break
        }
        if let first, let last, first > last { whole = .none } else { whole = DayWindow(from: first, to: last) }
        var lowest = Int32.min
        var highest = Int32.max
        if case .day(let day) = window.from { lowest = day }
        if case .day(let day) = window.to { highest = day }
        cut = days.filter { $0 >= lowest && $0 <= highest }.sorted().compactMap { day in
            let stretches = calendar.stretches(ofDay: day).map { $0.clamped(to: instants) }.filter { !$0.isEmpty }
            return stretches.isEmpty ? nil : PartialDay(day: day, stretches: stretches)
        }
    }

    /// The days that the window has anything of, as whole ones.
    public var touched: DayWindow {
        guard let first = cut.first?.day, let last = cut.last?.day else { return whole }
        guard let days = whole.days else { return DayWindow(from: first, to: last) }
        return DayWindow(
            from: whole.from == nil ? nil : min(first, days.lowerBound),
            to: whole.to == nil ? nil : max(last, days.upperBound))
    }

    /// The days near an instant: those with anything before it, those with anything from it on, and those with both.
    private static func sides(
        of instant: Int64, _ calendar: DayCalendar
    ) -> (before: [Int32], after: [Int32], cut: [Int32]) {
        let day = Int64(calendar.day(of: instant))
        var before: [Int32] = []
        var after: [Int32] = []
        // A day may be left out or come twice where a zone changes sides of the date line.
        for near in Int32(clamping: day - 3)...Int32(clamping: day + 3) {
            let stretches = calendar.stretches(ofDay: near)
            guard let first = stretches.first, let last = stretches.last else { continue }
            if first.lowerBound < instant { before.append(near) }
            if last.upperBound > instant { after.append(near) }
        }
        return (before, after, before.filter { after.contains($0) })
    }
}
