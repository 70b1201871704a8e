public import Statistics
public import Tracks

/// Focus time by day, week, month or year of a calendar. Sessions are split at midnight.
public struct FocusStatistics: Sendable, Equatable {
    public struct Row: Sendable, Equatable {
        public let period: Period
        public let milliseconds: Int64
        /// Sessions that began in the period.
        public let sessions: Int
    }

    /// In the order of time; periods without focus are left out.
    public let rows: [Row]

    /// The sums of the sessions at an instant.
    public init(_ sessions: [FocusSession], by length: PeriodLength, in calendar: DayCalendar, at now: Int64) {
        var sums: [Period: (milliseconds: Int64, sessions: Int)] = [:]
        for session in sessions {
            let focus = session.focus(at: now)
            guard focus > 0 else { continue }
            sums[Period(length, containing: calendar.day(of: session.start)), default: (0, 0)].sessions += 1
            var time = session.start
            while time < session.start + focus {
                let range = calendar.timeRange(around: time)
                let end = min(range.to, session.start + focus)
                sums[Period(length, containing: range.day), default: (0, 0)].milliseconds += end - time
                time = end
            }
        }
        rows = sums.sorted { $0.key < $1.key }.map {
            Row(period: $0.key, milliseconds: $0.value.milliseconds, sessions: $0.value.sessions)
        }
    }

    public var milliseconds: Int64 { rows.reduce(0) { $0 + $1.milliseconds } }
    public var sessions: Int { rows.reduce(0) { $0 + $1.sessions } }
}
