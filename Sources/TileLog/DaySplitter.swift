public import TileMath
public import Tracks

/// A place on the way along a track, on the day that the way to it belongs to.
public struct DayStep: Sendable, Equatable {
    /// Where it is on the map.
    public var point: WorldPoint
    /// Milliseconds since 1970, or `PointChunk.untimed`.
    public var time: Int64
    /// Days since 1970-01-01 in the library's zone, or `FragmentOrder.untimedDay`.
    public var day: Int32
    /// Metres as recorded, rounded; `noElevation` where there is none.
    public var elevation: Int16
    /// Whether no line leads here from the step before; a step that neither begins nor is followed by one that does not is
    /// a lone place.
    public var begins: Bool
    /// The deepest zoom level at which the line that leads here is drawn as it is: that of the whole recorded step
    /// (`StepDetail`), also where the line is cut.
    public var deepestZoom = StepDetail.deepest
    /// Whether it was recorded, and is not where a line over midnight was cut. One that is not recorded and begins a line
    /// has the `deepestZoom` of that.
    public var isRecorded = true

    /// Stands where no elevation was recorded.
    public static let noElevation = DrawnFields.noElevation
}

extension DayStep {
    /// A place of a track's path on a day's way.
    public init(_ place: PathPlace, day: Int32, begins: Bool) {
        self.init(
            point: place.point, time: place.time, day: day, elevation: place.elevation, begins: begins,
            deepestZoom: place.deepestZoom, isRecorded: place.isRecorded)
    }
}

/// Walks along a track and cuts it by days: what heat and lines have in common.
///
/// Lines join the unmarked points in their order, except over gaps; a line over midnight is cut there, by time; a line
/// with an untimed end belongs to no day.
public struct DaySplitter: Sendable {
    private let calendar: DayCalendar
    private var walk: OutlierDetector
    private var walked: [CleanedPoint] = []
    private var fields = CleanedFields()
    /// A digest of the elevations and hand marks so far.
    public private(set) var fieldsDigest = DrawnFieldsDigest()
    private var last: DayStep?
    private var stretch: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)
    private var cuts: [Cut] = []

    /// Where a line passes from one stretch of the calendar to the next.
    private struct Cut: Sendable {
        var place: DayStep
        var dayBefore: Int32
        var dayBehind: Int32
    }

    /// A walk along a track that has no point yet.
    public init(calendar: DayCalendar, gap: GapRule, kind: OutlierDetector.Kind, cleaning: CleaningRule) {
        self.calendar = calendar
        walk = OutlierDetector(gap: gap, kind: kind, cleaning: cleaning)
    }

    /// Walks along the track's next chunk and appends the steps decided by it.
    public mutating func walk(_ chunk: PointChunk, into steps: inout [DayStep]) {
        fieldsDigest.add(begin(chunk))
        walk.walk(chunk, into: &walked)
        takeWalked(into: &steps)
    }

    /// The same, passing over steps that have nothing in a box, as `OutlierDetector` does: one behind them `begins`. Their fields
    /// are not digested.
    public mutating func walk(_ chunk: PointChunk, near box: PlaceBox, into steps: inout [DayStep]) {
        _ = begin(chunk)
        walk.walk(chunk, near: box, into: &walked)
        takeWalked(into: &steps)
    }

    /// Decides the last point; the walk is over.
    public mutating func finish(into steps: inout [DayStep]) {
        walked.removeAll(keepingCapacity: true)
        walk.finish(into: &walked)
        takeWalked(into: &steps)
    }

    private mutating func begin(_ chunk: PointChunk) -> DrawnFields {
        let drawn = DrawnFields(chunk)
        fields.take(drawn)
        walked.removeAll(keepingCapacity: true)
        return drawn
    }

    private mutating func takeWalked(into steps: inout [DayStep]) {
        for index in walked.indices where walked[index].mark == nil {
            let point = walked[index]
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
        guard start.time != PointChunk.untimed, end.time != PointChunk.untimed else {
            joinUntimed(start, to: &end, into: &steps)
            return
        }
        end.day = day(at: end.time)
        if start.time >= stretch.from, start.time < stretch.to {
            steps.append(end)
            return
        }
        let isForward = start.time <= end.time
        findCuts(from: isForward ? start : end, to: isForward ? end : start)
        // Steps go the way the track goes, also where its times run backwards.
        for index in cuts.indices {
            let cut = cuts[isForward ? index : cuts.count - 1 - index]
            var place = cut.place
            place.day = isForward ? cut.dayBefore : cut.dayBehind
            place.begins = false
            place.deepestZoom = end.deepestZoom
            place.isRecorded = false
            steps.append(place)
            guard cut.dayBefore != cut.dayBehind else { continue }
            place.day = isForward ? cut.dayBehind : cut.dayBefore
            place.begins = true
            steps.append(place)
        }
        steps.append(end)
    }

    private mutating func joinUntimed(_ start: DayStep, to end: inout DayStep, into steps: inout [DayStep]) {
        if start.time != PointChunk.untimed {
            var begin = start
            begin.day = FragmentOrder.untimedDay
            begin.begins = true
            begin.deepestZoom = StepDetail.deepest
            steps.append(begin)
        }
        end.day = FragmentOrder.untimedDay
        steps.append(end)
        guard end.time != PointChunk.untimed else { return }
        end.day = day(at: end.time)
        end.begins = true
        end.deepestZoom = StepDetail.deepest
        steps.append(end)
    }

    /// Cuts a line at each border of the calendar between its ends, in the order of time.
    private mutating func findCuts(from early: DayStep, to late: DayStep) {
        cuts.removeAll(keepingCapacity: true)
        let ends = (TimedPlace(point: early.point, time: early.time), TimedPlace(point: late.point, time: late.time))
        let duration = Double(late.time) - Double(early.time)
        var dayBefore = day(at: early.time)
        while stretch.to <= late.time {
            let time = stretch.to
            let part = (Double(time) - Double(early.time)) / duration
            let place = DayStep(
                point: TimedPlace.between(ends.0, ends.1, at: time).point, time: time, day: dayBefore,
                elevation: DrawnFields.elevation(from: early.elevation, to: late.elevation, share: part),
                begins: false)
            let dayBehind = day(at: time)
            cuts.append(Cut(place: place, dayBefore: dayBefore, dayBehind: dayBehind))
            dayBefore = dayBehind
        }
    }

    /// The day that an instant falls on; `stretch` is round the instant afterwards.
    private mutating func day(at time: Int64) -> Int32 {
        guard time != PointChunk.untimed else { return FragmentOrder.untimedDay }
        if time < stretch.from || time >= stretch.to { stretch = calendar.stretch(around: time) }
        return stretch.day
    }
}
