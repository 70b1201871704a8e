/// What stands out in a year.
public struct YearReview: Sendable, Equatable {
    public var year: Int
    /// The totals of the year by month.
    public var byMonth: TotalsReport
    /// Monday to Sunday.
    public var weekdays: [Totals]
    /// The day with the greatest distance, and this distance; of equal ones, the first.
    public var biggestDay: (day: Int32, totals: Totals)?
    /// The number of the track with the greatest distance in the year, and this part of it.
    public var longestTrack: (number: Int64, totals: Totals, firstDay: Int32)?

    public var total: Totals { byMonth.total }
    /// The months in which something was recorded, ascending.
    public var months: [PeriodTotals] { byMonth.rows }
    /// By activity, the longest distance first.
    public var activities: [ActivityTotals] { byMonth.activities }
    public var streak: Streak { byMonth.streak }

    /// The month with the most active days; of equal ones, the one with the greatest distance.
    public var mostActiveMonth: PeriodTotals? {
        months.max {
            ($0.totals.days, $0.totals.millimetres, $1.period) < ($1.totals.days, $1.totals.millimetres, $0.period)
        }
    }

    /// The weekday with the most active days, 1 for Monday; of equal ones, the one with the greatest distance. nil
    /// without days.
    public var mostActiveWeekday: Int? {
        guard total.days > 0 else { return nil }
        let best = weekdays.indices.max {
            (weekdays[$0].days, weekdays[$0].millimetres, $1) < (weekdays[$1].days, weekdays[$1].millimetres, $0)
        }
        return best.map { $0 + 1 }
    }

    public static func == (left: YearReview, right: YearReview) -> Bool {
        left.year == right.year && left.byMonth == right.byMonth && left.weekdays == right.weekdays
            && left.biggestDay?.day == right.biggestDay?.day
            && left.longestTrack?.number == right.longestTrack?.number
    }
}

/// What was visited in a year for the first time.
public struct YearFirsts: Sendable, Equatable {
    /// A country.
    public struct Country: Sendable, Equatable {
        /// ISO 3166-1, two letters.
        public var code: String
        public var name: String
        /// The local date of the first visit, as days since 1970-01-01.
        public var day: Int32

        public init(code: String, name: String, day: Int32) {
            self.code = code
            self.name = name
            self.day = day
        }
    }

    /// The number of tiles of zoom level 14.
    public var tiles: Int
    /// By day. A country that was only transited or overflown is not visited.
    public var countries: [Country]

    public init(tiles: Int, countries: [Country]) {
        self.tiles = tiles
        self.countries = countries
    }
}

/// Collects a year from the totals of tracks.
public struct YearReviewBuilder: Sendable {
    private let year: Int
    private let from: Int32
    private let to: Int32
    private var months: TotalsReportBuilder
    private var days: TotalsReportBuilder
    private var longest: (number: Int64, totals: Totals, firstDay: Int32)?

    /// A review of a year, whose first day is `firstDay`.
    public init(year: Int, firstDay: Int32) {
        self.year = year
        from = firstDay
        to = Period(.year, containing: firstDay).lastDay
        months = TotalsReportBuilder(by: .month, from: from, to: to)
        days = TotalsReportBuilder(by: .day, from: from, to: to)
    }

    /// Adds a track; no track may be added twice.
    public mutating func add(_ track: TrackTotals, number: Int64) {
        months.add(track)
        days.add(track)
        var own = Totals()
        var firstDay: Int32?
        for day in track.days {
            guard let date = day.day, date >= from, date <= to else { continue }
            own.add(day)
            own.days += 1
            firstDay = firstDay ?? date
        }
        guard let firstDay else { return }
        own.tracks = 1
        if let longest, (longest.totals.millimetres, -longest.number) >= (own.millimetres, -number) { return }
        longest = (number, own, firstDay)
    }

    /// The review. `today` is the current day.
    public func review(today: Int32) -> YearReview {
        let byDay = days.report(today: today)
        var weekdays = [Totals](repeating: Totals(), count: 7)
        for row in byDay.rows { weekdays[Period.weekday(of: row.period.firstDay) - 1].add(row.totals) }
        let biggest = byDay.rows.max {
            ($0.totals.millimetres, $1.period) < ($1.totals.millimetres, $0.period)
        }
        return YearReview(
            year: year, byMonth: months.report(today: today), weekdays: weekdays,
            biggestDay: biggest.map { ($0.period.firstDay, $0.totals) }, longestTrack: longest)
    }
}

extension Totals {
    fileprivate mutating func add(_ other: Totals) {
        tracks += other.tracks
        millimetres += other.millimetres
        milliseconds += other.milliseconds
        movingMilliseconds += other.movingMilliseconds
        climbCentimetres += other.climbCentimetres
        days += other.days
    }
}
