public import TileMath
public import Tracks

/// A place on a track, assigned to the day of the line that leads to it.
public struct DayStep: Sendable, Equatable {
    /// The place in world coordinates.
    public var point: WorldPoint
    /// Milliseconds since 1970, or `PointColumns.untimed`.
    public var time: Int64
    /// Days since 1970-01-01 in the library's time zone, or `FragmentOrder.untimedDay`.
    public var day: Int32
    /// The recorded elevation in metres, rounded, or `noElevation`.
    public var elevation: Int16
    /// Whether no line leads here from the step before. If the next step also begins, or there is none, this is a lone
    /// place.
    public var begins: Bool
    /// The deepest zoom level at which heat draws the line that leads here. It is computed from the whole recorded step
    /// (`StepDetail`), also if the line was cut.
    public var deepestZoom = StepDetail.deepest
    /// Whether the place was recorded; false for a place where a line was cut at midnight. A place that is not recorded
    /// and begins a line has the `deepestZoom` of that line.
    public var isRecorded = true

    /// The value for a place without a recorded elevation.
    public static let noElevation = DrawnFields.noElevation
}

extension DayStep {
    /// Creates a step from a place on a track's path.
    public init(_ place: PathVertex, day: Int32, begins: Bool) {
        self.init(
            point: place.point, time: place.time, day: day, elevation: place.elevation, begins: begins,
            deepestZoom: place.deepestZoom, isRecorded: place.isRecorded)
    }
}

/// Splits a track into days, for heat and lines.
///
/// Lines join the points that are not outliers, in recorded order, except over gaps. A line over midnight is cut there,
/// by time. A line with an untimed end belongs to the untimed person-day.
public struct DaySplitter: Sendable {
    private let calendar: DayCalendar
    private var detector: OutlierDetector
    /// The points that the last call of `add` or `finish` decided, outliers included.
    public private(set) var classified: [ClassifiedPoint] = []
    /// The fields of these points.
    public private(set) var fields = ClassifiedFields()
    /// A digest of the elevations, waypoints and accuracies so far.
    public private(set) var fieldsDigest = DrawnFieldsDigest()
    private var last: DayStep?
    private var timeRange: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)
    private var cuts: [Cut] = []

    /// A place where a line crosses from one calendar range to the next.
    private struct Cut: Sendable {
        var place: DayStep
        var dayBefore: Int32
        var dayAfter: Int32
    }

    /// Creates a splitter for a track of which `detector` has no points yet.
    public init(calendar: DayCalendar, detector: OutlierDetector) {
        self.calendar = calendar
        self.detector = detector
    }

    /// Adds the next chunk of the track and appends the steps decided by it.
    public mutating func add(_ chunk: PointColumns, into steps: inout [DayStep]) {
        fieldsDigest.add(begin(chunk))
        detector.add(chunk, into: &classified)
        takeClassified(into: &steps)
    }

    /// Adds the next chunk, but skips steps that have no line into `box`, as `OutlierDetector` does; a step after
    /// skipped ones `begins`. The fields of the chunk are not added to `fieldsDigest`.
    public mutating func add(_ chunk: PointColumns, near box: BufferedTileBounds, into steps: inout [DayStep]) {
        _ = begin(chunk)
        detector.add(chunk, near: box, into: &classified)
        takeClassified(into: &steps)
    }

    /// Decides the last point; call this at the end of the track.
    public mutating func finish(into steps: inout [DayStep]) {
        classified.removeAll(keepingCapacity: true)
        detector.finish(into: &classified)
        takeClassified(into: &steps)
    }

    private mutating func begin(_ chunk: PointColumns) -> DrawnFields {
        let drawn = DrawnFields(chunk)
        fields.take(drawn)
        classified.removeAll(keepingCapacity: true)
        return drawn
    }

    private mutating func takeClassified(into steps: inout [DayStep]) {
        for index in classified.indices where classified[index].outlierReason == nil {
            let point = classified[index]
            var step = DayStep(
                point: WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7),
                time: point.time, day: FragmentOrder.untimedDay, elevation: fields.elevation(at: point.index),
                begins: true)
            if let last, point.connection != .begins {
                join(last, to: &step, into: &steps)
            } else {
                step.day = day(at: step.time)
                steps.append(step)
            }
            last = step
        }
    }

    private mutating func join(_ start: DayStep, to end: inout DayStep, into steps: inout [DayStep]) {
        end.begins = false
        end.deepestZoom = StepDetail.deepestZoom(from: start.point, to: end.point)
        guard start.time != PointColumns.untimed, end.time != PointColumns.untimed else {
            joinUntimed(start, to: &end, into: &steps)
            return
        }
        end.day = day(at: end.time)
        // Nearly all lines: both ends are in one calendar range, so nothing is cut.
        if start.time >= timeRange.from, start.time < timeRange.to {
            steps.append(end)
            return
        }
        let isForward = start.time <= end.time
        findCuts(from: isForward ? start : end, to: isForward ? end : start)
        // Steps keep the order of the track, also if its times run backwards.
        for index in cuts.indices {
            let cut = cuts[isForward ? index : cuts.count - 1 - index]
            var place = cut.place
            place.day = isForward ? cut.dayBefore : cut.dayAfter
            place.begins = false
            place.deepestZoom = end.deepestZoom
            place.isRecorded = false
            steps.append(place)
            guard cut.dayBefore != cut.dayAfter else { continue }
            place.day = isForward ? cut.dayAfter : cut.dayBefore
            place.begins = true
            steps.append(place)
        }
        steps.append(end)
    }

    private mutating func joinUntimed(_ start: DayStep, to end: inout DayStep, into steps: inout [DayStep]) {
        if start.time != PointColumns.untimed {
            var begin = start
            begin.day = FragmentOrder.untimedDay
            begin.begins = true
            begin.deepestZoom = StepDetail.deepest
            steps.append(begin)
        }
        end.day = FragmentOrder.untimedDay
        steps.append(end)
        guard end.time != PointColumns.untimed else { return }
        end.day = day(at: end.time)
        end.begins = true
        end.deepestZoom = StepDetail.deepest
        steps.append(end)
    }

    /// Cuts a line at each calendar boundary between its ends, in time order.
    private mutating func findCuts(from early: DayStep, to late: DayStep) {
        cuts.removeAll(keepingCapacity: true)
        let ends = (TimedPlace(point: early.point, time: early.time), TimedPlace(point: late.point, time: late.time))
        let duration = Double(late.time) - Double(early.time)
        var dayBefore = day(at: early.time)
        while timeRange.to <= late.time {
            let time = timeRange.to
            let part = (Double(time) - Double(early.time)) / duration
            let place = DayStep(
                point: TimedPlace.between(ends.0, ends.1, at: time).point, time: time, day: dayBefore,
                elevation: DrawnFields.elevation(from: early.elevation, to: late.elevation, share: part),
                begins: false)
            let dayAfter = day(at: time)
            cuts.append(Cut(place: place, dayBefore: dayBefore, dayAfter: dayAfter))
            dayBefore = dayAfter
        }
    }

    /// The day of an instant; afterwards `timeRange` is the range around the instant.
    private mutating func day(at time: Int64) -> Int32 {
        guard time != PointColumns.untimed else { return FragmentOrder.untimedDay }
        if time < timeRange.from || time >= timeRange.to { timeRange = calendar.timeRange(around: time) }
        return timeRange.day
    }
}
