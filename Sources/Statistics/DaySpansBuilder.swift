public import Tracks

/// Finds from which instant to which a track was recorded on each day, and where it begins and ends, from its points in the
/// order of the track.
///
/// The time of a day also has the pauses and gaps within it. Of a gap over midnight, it has the rest of the first day and
/// the beginning of the last one.
public struct DaySpansBuilder: Sendable {
    /// The instants of one day.
    private struct Span {
        var first = Int64.max
        var last = Int64.min

        @inline(__always)
        mutating func add(_ time: Int64) {
            if time < first { first = time }
            if time > last { last = time }
        }
    }

    private let calendar: DayCalendar
    private var first: ClassifiedPoint?
    private var last: ClassifiedPoint?
    /// The instants around the last point that are on its day; empty for a point without time.
    private var timeRange: (day: Int32, from: Int64, to: Int64) = (Self.untimed, 0, 0)
    private var current = Span()
    private var currentDay = Self.untimed
    private var others: [Int32: Span] = [:]

    /// The key of points without time; no day has this number.
    private static let untimed = Int32.min

    /// Creates the spans of a track without points.
    public init(calendar: DayCalendar) {
        self.calendar = calendar
    }

    /// Adds the next points of the track.
    public mutating func add(_ points: [ClassifiedPoint]) {
        for index in points.indices where points[index].outlierReason == nil {
            let point = points[index]
            if last != nil, point.time >= timeRange.from, point.time < timeRange.to {
                current.add(point.time)
            } else {
                change(to: point)
            }
            last = point
        }
    }

    /// Where the points that were added begin and end; nil if all of them are outliers.
    public var ends: TrackEnds? {
        guard let first, let last else { return nil }
        return TrackEnds(
            startLongitude: first.longitude, startLatitude: first.latitude, endLongitude: last.longitude,
            endLatitude: last.latitude)
    }

    /// The days, ascending, points without time first, with nothing but their times.
    public mutating func finish() -> [DayTotals] {
        if last != nil { others[currentDay] = current }
        return others.sorted { $0.key < $1.key }.map { key, span in
            var totals = DayTotals(day: key == Self.untimed ? nil : key)
            if span.first <= span.last {
                totals.start = span.first
                totals.milliseconds = span.last - span.first
            }
            return totals
        }
    }

    /// Goes to the day of a point that is not in the time range of the last one: the slow path.
    private mutating func change(to end: ClassifiedPoint) {
        if first == nil { first = end }
        if let start = last {
            let isConnected = end.connection != .begins
            if start.time == PointColumns.untimed || end.time == PointColumns.untimed {
                if isConnected { go(to: Self.untimed) }
            } else if isConnected {
                addLine(from: min(start.time, end.time), to: max(start.time, end.time))
            } else {
                addGap(from: min(start.time, end.time), to: max(start.time, end.time))
            }
        }
        guard end.time != PointColumns.untimed else {
            timeRange = (Self.untimed, 0, 0)
            return go(to: Self.untimed)
        }
        timeRange = calendar.timeRange(around: end.time)
        go(to: timeRange.day)
        current.add(end.time)
    }

    /// Adds a line to the days that it passes.
    private mutating func addLine(from early: Int64, to late: Int64) {
        var begin = early
        while true {
            let range = calendar.timeRange(around: begin)
            go(to: range.day)
            current.add(begin)
            guard range.to < late else { return current.add(late) }
            current.add(range.to)
            begin = range.to
        }
    }

    /// Adds the time of a gap to its first and last day.
    private mutating func addGap(from early: Int64, to late: Int64) {
        var range = calendar.timeRange(around: early)
        let firstDay = range.day
        while range.day == firstDay, range.to < late {
            go(to: firstDay)
            current.add(range.to)
            range = calendar.timeRange(around: range.to)
        }
        range = calendar.timeRange(around: late)
        let lastDay = range.day
        while range.day == lastDay, range.from > early {
            go(to: lastDay)
            current.add(range.from)
            range = calendar.timeRange(around: range.from - 1)
        }
    }

    private mutating func go(to day: Int32) {
        guard day != currentDay else { return }
        if last != nil { others[currentDay] = current }
        current = others[day] ?? Span()
        currentDay = day
    }
}
