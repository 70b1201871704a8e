public import TileMath

/// A place on a track's path.
public struct PathVertex: Hashable, Sendable {
    /// The place and its time.
    public var place: TimedPlace
    /// Whole metres, or `DrawnFields.noElevation`.
    public var elevation: Int16
    /// The deepest zoom level at which heat draws the line that ends here. It is computed from the whole recorded step
    /// (`StepDetail`), also if the line was cut.
    public private(set) var deepestZoom = StepDetail.deepest
    /// Whether the place was recorded; false for a place where a line was cut.
    public private(set) var isRecorded = true

    /// Creates a recorded place.
    init(place: TimedPlace, elevation: Int16) {
        self.place = place
        self.elevation = elevation
    }

    /// The same place as the end of a line that is drawn down to a zoom level.
    fileprivate func ending(lineDownTo zoom: UInt8) -> PathVertex {
        var end = self
        end.deepestZoom = zoom
        return end
    }

    /// The place in world coordinates.
    public var point: WorldPoint { place.point }
    /// Milliseconds since 1970.
    public var time: Int64 { place.time }

    /// The interpolated place at an instant on the line between two places; `early` must not be later than `late`.
    fileprivate static func between(_ early: PathVertex, _ late: PathVertex, at time: Int64) -> PathVertex {
        let share = (Double(time) - Double(early.time)) / (Double(late.time) - Double(early.time))
        var place = PathVertex(
            place: .between(early.place, late.place, at: time),
            elevation: DrawnFields.elevation(from: early.elevation, to: late.elevation, share: share))
        place.isRecorded = false
        return place
    }
}

/// The path of a track through some ranges of time; the lines within any part of these can be cut out.
///
/// It holds the places whose time is in a range, and the places outside that are joined to them by a line. Memory: 32
/// bytes per place.
public struct TrackPath: Sendable {
    private struct Step: Sendable {
        var place: PathVertex
        /// Whether a line joins this place to the place before.
        var isJoined: Bool
    }

    private var steps: [Step] = []

    /// The number of places.
    public var count: Int { steps.count }

    /// The lines within a range of time, in track order; a place without a line is a line of one place. A line that
    /// crosses an end of the range is cut there by time. A place at exactly the end of the range is included as the end
    /// of the line that leads there.
    public func lines(within timeRange: Range<Int64>) -> [[PathVertex]] {
        var lines: [[PathVertex]] = []
        var line: [PathVertex] = []
        for (index, step) in steps.enumerated() {
            let isInside = timeRange.contains(step.place.time)
            if !step.isJoined {
                if !line.isEmpty { lines.append(line) }
                line = isInside ? [step.place] : []
                continue
            }
            guard let section = Self.section(from: steps[index - 1].place, to: step.place, within: timeRange) else {
                continue
            }
            // The line continues if the place before is also inside.
            if line.isEmpty { line = [section.start] }
            // A step that only touches the range contributes only its end.
            if section.start != section.end {
                let start = steps[index - 1].place.point
                line.append(section.end.ending(lineDownTo: StepDetail.deepestZoom(from: start, to: step.place.point)))
            }
            if !isInside {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The part of a line that is within a range of time; nil if there is none.
    private static func section(
        from start: PathVertex, to end: PathVertex, within timeRange: Range<Int64>
    ) -> (start: PathVertex, end: PathVertex)? {
        let isForward = start.time <= end.time
        let (early, late) = isForward ? (start, end) : (end, start)
        guard early.time < timeRange.upperBound, late.time >= timeRange.lowerBound else { return nil }
        var (first, last) = (early, late)
        if early.time < timeRange.lowerBound {
            first = late.time == timeRange.lowerBound ? late : .between(early, late, at: timeRange.lowerBound)
        }
        if late.time > timeRange.upperBound { last = .between(early, late, at: timeRange.upperBound) }
        return isForward ? (first, last) : (last, first)
    }

    fileprivate mutating func add(_ place: PathVertex, isJoined: Bool) {
        steps.append(Step(place: place, isJoined: isJoined))
    }
}

/// Builds a track's path through some ranges of time, chunk by chunk.
public struct TrackPathBuilder: Sendable {
    private let timeRanges: [Range<Int64>]
    private var detector: OutlierDetector
    private var classified: [ClassifiedPoint] = []
    private var fields = ClassifiedFields()
    private var last: (point: ClassifiedPoint, elevation: Int16)?
    private var lastIsKept = false
    private var path = TrackPath()

    /// Creates a builder for a track of which `detector` has no points yet.
    public init(timeRanges: [Range<Int64>], detector: OutlierDetector) {
        self.timeRanges = timeRanges
        self.detector = detector
    }

    /// Adds the next chunk of the track.
    public mutating func add(_ chunk: PointColumns) {
        fields.take(DrawnFields(chunk))
        classified.removeAll(keepingCapacity: true)
        detector.add(chunk, into: &classified)
        for point in classified { add(point) }
    }

    /// The path; the builder must not be used afterwards.
    public mutating func finish() -> TrackPath {
        classified.removeAll(keepingCapacity: true)
        detector.finish(into: &classified)
        for point in classified { add(point) }
        return path
    }

    private mutating func add(_ point: ClassifiedPoint) {
        guard point.outlierReason == nil else { return }
        let before = last
        let beforeIsKept = lastIsKept
        let elevation = fields.elevation(at: point.index)
        last = (point, elevation)
        lastIsKept = false
        guard point.time != PointColumns.untimed else { return }
        if let before, point.connection != .begins, before.point.time != PointColumns.untimed,
            isTouched(from: min(before.point.time, point.time), through: max(before.point.time, point.time))
        {
            // Projected only here, because a day is often a small part of a long track.
            if !beforeIsKept {
                path.add(PathVertex(place: TimedPlace(before.point), elevation: before.elevation), isJoined: false)
            }
            path.add(PathVertex(place: TimedPlace(point), elevation: elevation), isJoined: true)
            lastIsKept = true
        } else if isTouched(from: point.time, through: point.time) {
            path.add(PathVertex(place: TimedPlace(point), elevation: elevation), isJoined: false)
            lastIsKept = true
        }
    }

    private func isTouched(from first: Int64, through last: Int64) -> Bool {
        timeRanges.contains { first < $0.upperBound && last >= $0.lowerBound }
    }
}
