public import Tracks

/// What counts of each day of any time zone, of tracks that may overlap; see `MinuteClaims`.
public struct CountedDays: Sendable {
    /// What counts of a day.
    public struct Day: Sendable, Equatable {
        public var millimetres: Int64 = 0
        /// The time between the first and last instants of tracks, counted once.
        public var milliseconds: Int64 = 0

        /// Creates a day of which nothing counts.
        public init() {}
    }

    /// What counts, by day since 1970-01-01 in the calendar.
    public private(set) var days: [Int32: Day] = [:]
    private let calendar: DayCalendar

    /// Creates an empty collection, in a calendar that may be another one than that of the library.
    public init(in calendar: DayCalendar) {
        self.calendar = calendar
    }

    /// Adds the tracks of a group: of one person, all those that overlap.
    public mutating func add(_ claimants: [MinuteClaims.Claimant]) {
        let calendar = calendar
        var sums: [Int32: Int64] = [:]
        _ = MinuteClaims.settle(claimants) { _, section in
            var begin = section.instants.lowerBound
            repeat {
                let range = calendar.timeRange(around: begin)
                let end = min(section.instants.upperBound, range.to)
                sums[range.day, default: 0] += section.part(begin..<max(begin, end)).amounts.millimetres
                begin = end
            } while begin < section.instants.upperBound
        }
        for (day, millimetres) in sums { days[day, default: Day()].millimetres += millimetres }
        var times = InstantSet()
        for span in claimants.flatMap(\.totals.days).compactMap(\.span) { times.add(span) }
        for range in times.ranges {
            var begin = range.lowerBound
            while begin < range.upperBound {
                let day = calendar.timeRange(around: begin)
                let end = min(range.upperBound, day.to)
                days[day.day, default: Day()].milliseconds += end - begin
                begin = end
            }
        }
    }
}
