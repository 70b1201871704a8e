public import Statistics
public import Tracks

/// What a track did: by day, by country, and by minute. The lengths, times of movement and climbs are the same ones.
public struct TrackFigures: Sendable, Equatable {
    /// Ascending, points without time first.
    public var days: [DayTotals]
    /// The rows of its ledger of countries, in the order of the track.
    public var ledger: [LedgerRow]
    /// In their order; see `TrackMinute`.
    public var minutes: [TrackMinute]
    /// Where it begins and ends; nil if all its points are outliers.
    public var ends: TrackEnds?
}

/// Finds what a track did, from its points in the order of the track.
///
/// Lengths are those of the lines that heat and replay use, without rests: outliers are left out, and there is no line
/// over a gap. A line over midnight is divided by time.
public struct TrackFiguresBuilder: Sendable {
    private var ledger: LedgerBuilder
    private var spans: DaySpansBuilder

    /// The figures of a track without points.
    public init(calendar: DayCalendar) {
        ledger = LedgerBuilder(calendar: calendar)
        spans = DaySpansBuilder(calendar: calendar)
    }

    /// Adds the next points of the track, with their fields.
    public mutating func add(_ points: [ClassifiedPoint], _ fields: ClassifiedFields) {
        ledger.add(points, fields)
        spans.add(points)
    }

    /// The figures. The builder must not be used afterwards.
    public mutating func finish() -> TrackFigures {
        let ends = spans.ends
        var days: [Int32?: DayTotals] = [:]
        for day in spans.finish() { days[day.day] = day }
        let (rows, minutes) = ledger.finish()
        var sums: [Int32?: TrackMinute.Amounts] = [:]
        for minute in minutes { sums[rows[minute.row].day, default: .init()] += minute.amounts }
        for (day, sum) in sums { days[day, default: DayTotals(day: day)].set(sum) }
        return TrackFigures(
            days: days.values.sorted { ($0.day ?? .min) < ($1.day ?? .min) }, ledger: rows, minutes: minutes, ends: ends
        )
    }
}
