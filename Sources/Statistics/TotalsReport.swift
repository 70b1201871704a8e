public import Tracks

/// Totals of several tracks or days.
public struct Totals: Sendable, Equatable {
    /// The number of tracks with a part in them.
    public var tracks = 0
    /// The length of the lines on the ellipsoid WGS 84.
    public var millimetres: Int64 = 0
    /// The time from the first to the last instant of tracks on each day: for each person, time that several of them share
    /// counts once.
    public var milliseconds: Int64 = 0
    public var movingMilliseconds: Int64 = 0
    public var climbCentimetres: Int64 = 0
    /// The number of days on which something was recorded.
    public var days = 0

    /// The totals of nothing.
    public init() {}

    mutating func add(_ totals: DayTotals) {
        millimetres += totals.millimetres
        milliseconds += totals.milliseconds
        movingMilliseconds += totals.movingMilliseconds
        climbCentimetres += totals.climbCentimetres
    }
}

/// The totals of a period.
public struct PeriodTotals: Sendable, Equatable {
    public var period: Period
    public var totals: Totals
}

/// The totals of an activity.
public struct ActivityTotals: Sendable, Equatable {
    /// nil for tracks without an activity.
    public var activity: Activity?
    public var totals: Totals
}

/// Totals by period, with streaks and Eddington numbers.
public struct TotalsReport: Sendable, Equatable {
    public var length: PeriodLength
    /// The periods in which something was recorded, ascending.
    public var rows: [PeriodTotals]
    /// The sum of the rows; a track counts once.
    public var total: Totals
    /// The totals of points without time, which belong to no period; empty if a window was asked for.
    public var untimed: Totals
    /// By activity, the longest distance first.
    public var activities: [ActivityTotals]
    public var streak: Streak
    public var eddington: EddingtonNumbers
}

/// Adds up the totals of tracks by period.
public struct TotalsReportBuilder: Sendable {
    private let length: PeriodLength
    private let from: Int32?
    private let to: Int32?
    private var periods: [Period: Totals] = [:]
    private var activities: [Activity?: Totals] = [:]
    private var days = DayTable()
    private var total = Totals()
    private var untimed = Totals()

    /// A report over the days from `from` to `to`, both included; nil for no limit.
    public init(by length: PeriodLength, from: Int32? = nil, to: Int32? = nil) {
        self.length = length
        self.from = from
        self.to = to
    }

    /// Adds a track; no track may be added twice.
    public mutating func add(_ track: TrackTotals) {
        let activity = Activity(word: track.activity)
        var known = activities[activity] ?? Totals()
        var last: Period?
        for day in track.days {
            guard let number = day.day else {
                guard from == nil, to == nil else { continue }
                untimed.add(day)
                untimed.tracks += 1
                continue
            }
            guard number >= from ?? .min, number <= to ?? .max else { continue }
            let period = Period(length, containing: number)
            periods[period, default: Totals()].add(day)
            total.add(day)
            known.add(day)
            if period != last { periods[period, default: Totals()].tracks += 1 }
            if last == nil {
                total.tracks += 1
                known.tracks += 1
            }
            last = period
            days.add(day, number: number, activity: activity)
        }
        if last != nil { activities[activity] = known }
    }

    /// The report. `today` is the current day in the library's zone, at which a streak may still be running.
    public func report(today: Int32) -> TotalsReport {
        var rows = periods
        var whole = total
        whole.days = days.millimetres.count
        for day in days.millimetres.keys { rows[Period(length, containing: day)]?.days += 1 }
        return TotalsReport(
            length: length,
            rows: rows.sorted { $0.key < $1.key }.map { PeriodTotals(period: $0.key, totals: $0.value) },
            total: whole, untimed: untimed,
            activities: activities.map { activity, totals in
                var totals = totals
                totals.days = days.activities[activity]?.count ?? 0
                return ActivityTotals(activity: activity, totals: totals)
            }.sorted {
                ($1.totals.millimetres, $0.activity?.number ?? .max) < (
                    $0.totals.millimetres, $1.activity?.number ?? .max
                )
            },
            streak: Streak(ofDays: Array(days.millimetres.keys), today: today),
            eddington: EddingtonNumbers(millimetresOfDays: Array(days.millimetres.values)))
    }
}

/// The days of a report.
private struct DayTable: Sendable {
    var millimetres: [Int32: Int64] = [:]
    var activities: [Activity?: Set<Int32>] = [:]

    mutating func add(_ day: DayTotals, number: Int32, activity: Activity?) {
        millimetres[number, default: 0] += day.millimetres
        activities[activity, default: []].insert(number)
    }
}
