public import Tracks

/// Adds up what a track did on each day, from its points in the order of the track.
///
/// Lengths are those of the lines that heat and replay use: outliers are left out, and there is no line over a gap. A
/// line over midnight is divided by time. `milliseconds` also counts pauses and gaps within a day; of a gap over
/// midnight, it counts the rest of the first day and the beginning of the last one.
public struct TrackTotalsBuilder: Sendable {
    /// The sums of one day.
    private struct Sums {
        var metres = 0.0
        var first = Int64.max
        var last = Int64.min
        var moving: Int64 = 0
        /// The elevation from which rises and descents are counted; NaN before the first one.
        var base = Double.nan
        var climb = 0.0

        @inline(__always)
        mutating func add(_ time: Int64) {
            if time < first { first = time }
            if time > last { last = time }
        }

        @inline(__always)
        mutating func add(elevation: Double) {
            let rise = elevation - base
            if rise.magnitude < DayTotals.climbHysteresisMetres { return }
            // Also true for the first elevation, whose rise is NaN.
            if rise > 0 { climb += rise }
            base = elevation
        }
    }

    private struct Place {
        var longitude: Int32
        var latitude: Int32
        var time: Int64
    }

    private let calendar: DayCalendar
    private var ruler = StepRuler()
    private var first: Place?
    private var last: Place?
    /// The instants around the last point that are on its day; empty for a point without time.
    private var timeRange: (day: Int32, from: Int64, to: Int64) = (Self.untimed, 0, 0)
    private var current = Sums()
    private var currentDay = Self.untimed
    private var others: [Int32: Sums] = [:]

    /// The key of points without time; no day has this number.
    private static let untimed = Int32.min

    /// Creates the totals of a track without points.
    public init(calendar: DayCalendar) {
        self.calendar = calendar
    }

    /// Adds the next points of the track, with their fields.
    public mutating func add(_ points: [ClassifiedPoint], _ fields: ClassifiedFields) {
        let hasElevations = fields.hasElevations
        for index in points.indices where points[index].outlierReason == nil {
            let point = points[index]
            let place = Place(longitude: point.longitude, latitude: point.latitude, time: point.time)
            if let last, place.time >= timeRange.from, place.time < timeRange.to {
                if point.connection != .begins { addStep(from: last, to: place) }
                current.add(place.time)
            } else {
                change(to: place, isConnected: point.connection != .begins)
            }
            last = place
            if hasElevations {
                let elevation = fields.exactElevation(at: point.index)
                if !elevation.isNaN { current.add(elevation: elevation) }
            }
        }
    }

    /// Where the points that were added begin and end; nil if all of them are outliers.
    public var ends: TrackEnds? {
        guard let first, let last else { return nil }
        return TrackEnds(
            startLongitude: first.longitude, startLatitude: first.latitude, endLongitude: last.longitude,
            endLatitude: last.latitude)
    }

    /// The totals of the days, ascending, those without time first.
    public mutating func finish() -> [DayTotals] {
        if last != nil { others[currentDay] = current }
        return others.sorted { $0.key < $1.key }.map { key, sums in
            var totals = DayTotals(day: key == Self.untimed ? nil : key)
            totals.millimetres = Int64((sums.metres * 1000).rounded())
            totals.milliseconds = sums.first <= sums.last ? sums.last - sums.first : 0
            totals.movingMilliseconds = sums.moving
            totals.climbCentimetres = Int64((sums.climb * 100).rounded())
            return totals
        }
    }

    /// Adds a step within the current day.
    @inline(__always)
    private mutating func addStep(from start: Place, to end: Place) {
        let metres = ruler.metres(start.longitude, start.latitude, end.longitude, end.latitude)
        current.metres += metres
        let milliseconds = abs(end.time &- start.time)
        if Self.isMoving(metres, milliseconds) { current.moving &+= milliseconds }
    }

    @inline(__always)
    private static func isMoving(_ metres: Double, _ milliseconds: Int64) -> Bool {
        metres * 1000 >= DayTotals.movingMetresPerSecond * Double(milliseconds)
    }

    /// Adds a step to a point that is not in the time range of the last one, and goes to the point's day.
    private mutating func change(to end: Place, isConnected: Bool) {
        if first == nil { first = end }
        if let start = last {
            if start.time == PointChunk.untimed || end.time == PointChunk.untimed {
                if isConnected {
                    go(to: Self.untimed)
                    current.metres += ruler.metres(start.longitude, start.latitude, end.longitude, end.latitude)
                }
            } else if isConnected {
                addLine(from: start, to: end)
            } else {
                addGap(from: min(start.time, end.time), to: max(start.time, end.time))
            }
        }
        guard end.time != PointChunk.untimed else {
            timeRange = (Self.untimed, 0, 0)
            return go(to: Self.untimed)
        }
        timeRange = calendar.timeRange(around: end.time)
        go(to: timeRange.day)
        current.add(end.time)
    }

    /// Adds a line to the days that it passes.
    private mutating func addLine(from start: Place, to end: Place) {
        let metres = ruler.metres(start.longitude, start.latitude, end.longitude, end.latitude)
        let (early, late) = (min(start.time, end.time), max(start.time, end.time))
        let whole = late - early
        let isMoving = Self.isMoving(metres, whole)
        var begin = early
        while true {
            let range = calendar.timeRange(around: begin)
            let part = min(range.to, late) - begin
            go(to: range.day)
            current.metres += metres * (Double(part) / Double(whole))
            if isMoving { current.moving += part }
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
        current = others[day] ?? Sums()
        currentDay = day
    }
}
