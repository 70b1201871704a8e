import TileMath

/// A summary of a track, computed in one pass over its chunks.
public struct TrackSummary: Sendable, Equatable {
    /// The number of points, including outliers.
    public var points = 0
    /// The number of points without a time.
    public var untimed = 0
    /// The number of outliers by reason.
    public var outliers: [OutlierReason: Int] = [:]
    /// The earliest time in milliseconds since 1970, including outliers; nil if no point has a time.
    public var start: Int64?
    /// The latest time.
    public var end: Int64?
    /// The length of the lines in metres; gaps are not bridged, and steps within rests have no length.
    public var metres = 0.0
    /// The bounding box in 1e-7° of all points that are not outliers, or of all points if every one is an outlier; east
    /// is less than west if the box crosses the antimeridian.
    public var bounds: E7Bounds?
    /// The file's segments (counted from 0) that span more than a day, so that pauses in them are gaps.
    public var longSegments: [Int] = []
    /// The activity that the points of a track of a stream name for most of its way; nil if there is none, and for
    /// recordings of files, which have an activity as a whole.
    public var namedActivity: Activity?
    /// What was found out about its points.
    public var annotations = PointAnnotations()
    /// Whether it may have outliers that only an `OutlierSearch` finds, and none was made.
    public var needsOutlierSearch = false

    public init() {}

    /// The number of points that have a time, recorded or estimated, and are not outliers.
    public var playablePoints: Int {
        let estimated = annotations.timeEstimates.reduce(0) { $0 + $1.count }
        return max(0, points - untimed + estimated - outliers.values.reduce(0, +))
    }

    /// Classifies the points of the track, by its rules.
    public func detector(gap: GapRule, isStream: Bool, outlierRule: OutlierRule) -> OutlierDetector {
        OutlierDetector(
            gap: gap, kind: isStream ? .stream : .file(longSegments: Set(longSegments)), outlierRule: outlierRule,
            annotations: annotations)
    }
}

/// Computes the summary of a track from its chunks.
///
/// Outliers that only the whole recording shows are found before, by `OutlierSearch`, and given as annotations. The summary
/// has these, and adds estimated times and rests.
public struct TrackSummaryBuilder: Sendable {
    private var detector: OutlierDetector
    private let isStream: Bool
    private let gap: GapRule
    private let fastest: Int
    private var summary = TrackSummary()
    private var fields = ClassifiedFields()
    private var stationary = StationaryPoints()
    private var prevailingActivity = PrevailingActivity()
    /// nil if a search was made.
    private var hints: OutlierHints?
    private var rests = RestDetector()
    private var last: ClassifiedPoint?
    private var untimedRun = UntimedRun()
    private var includedBox = RunningBox()
    private var wholeBox = RunningBox()
    private var segment = SegmentMeasure()
    private var segmentOrdinal = -1
    private var boundaries: [Int] = []

    /// The fields to decode from chunks.
    public static let wanted = WantedFields.only(
        Set([FieldName.horizontalAccuracy, FieldName.elevation] + StationaryPoints.fieldNames)
            .union(NamedActivities.fieldNames).sorted())

    /// The way of a segment, until it is known whether its pauses are gaps.
    private struct SegmentMeasure {
        var way = StepLengths()
        /// Of this, the way within rests: taken off at the end, so that rounding does not depend on chunks.
        var rests = StepLengths()
        var start = Int64.max
        var end = Int64.min
    }

    /// Creates a measure for a file's recording, or for a track of a stream.
    ///
    /// `outliers` are those that an `OutlierSearch` in the whole recording has found; nil if none was made.
    public init(gap: GapRule, isStream: Bool, outlierRule: OutlierRule, outliers: [PointAnnotations.Outliers]? = nil) {
        var annotations = PointAnnotations()
        annotations.outliers = outliers ?? []
        detector = OutlierDetector(
            gap: gap, kind: isStream ? .stream : .unmeasuredFile, outlierRule: outlierRule, annotations: annotations)
        if outliers == nil { hints = OutlierHints(outlierRule: outlierRule, isStream: isStream) }
        self.isStream = isStream
        self.gap = gap
        fastest = outlierRule.metresPerSecond
        summary.annotations.outliers = annotations.outliers
    }

    /// Approximate bytes in memory besides the builder itself.
    public var byteCount: Int { rests.byteCount }

    /// Adds the next chunk. `outliers` are further annotated outliers, by their indices in the track.
    public mutating func add(_ chunk: PointColumns, outliers: [PointAnnotations.Outliers] = []) {
        if !outliers.isEmpty {
            summary.annotations.outliers += outliers
            detector.append(outliers)
        }
        hints?.add(chunk)
        for start in chunk.segmentStarts { boundaries.append(summary.points + start) }
        for time in chunk.times {
            guard time != PointColumns.untimed else {
                summary.untimed += 1
                continue
            }
            if time < summary.start ?? .max { summary.start = time }
            if time > summary.end ?? .min { summary.end = time }
        }
        fields.take(DrawnFields(chunk))
        stationary.append(chunk, at: summary.points)
        if isStream { prevailingActivity.append(chunk, at: summary.points) }
        summary.points += chunk.count
        // A local array: thousands of tracks may be measured at once, so no buffer is kept.
        var classified: [ClassifiedPoint] = []
        classified.reserveCapacity(chunk.count + 1)
        detector.add(chunk, into: &classified)
        measure(classified)
    }

    /// The summary of all chunks.
    public mutating func finish() -> TrackSummary {
        var classified: [ClassifiedPoint] = []
        detector.finish(into: &classified)
        measure(classified)
        endSegment()
        summary.bounds = includedBox.bounds ?? wholeBox.bounds
        summary.needsOutlierSearch = hints?.needsSearch ?? false
        summary.namedActivity = prevailingActivity.activity
        summary.annotations.rests = Self.united(summary.annotations.rests)
        return summary
    }

    private mutating func measure(_ classified: [ClassifiedPoint]) {
        var found: [RestDetector.Rest] = []
        for point in classified {
            if !isStream, segmentOrdinal + 1 < boundaries.count, boundaries[segmentOrdinal + 1] == point.index {
                take(&found)
                endSegment()
                segmentOrdinal += 1
            }
            if point.time != PointColumns.untimed {
                segment.start = min(segment.start, point.time)
                segment.end = max(segment.end, point.time)
            }
            wholeBox.add(point)
            if let outlierReason = point.outlierReason {
                summary.outliers[outlierReason, default: 0] += 1
                continue
            }
            includedBox.add(point)
            var way = StepLengths()
            let isJoined = last != nil && point.connection != .begins
            if let last, isJoined {
                let metres = Geodesy.metres(last.longitude, last.latitude, point.longitude, point.latitude)
                if point.connection == .pauses { way.pauseMetres = metres } else { way.metres = metres }
                segment.way += way
            }
            if isStream { prevailingActivity.add(point.index, metres: isJoined ? way.metres + way.pauseMetres : nil) }
            estimateTimes(upTo: point)
            rests.add(
                RestDetector.Point(
                    point: point, elevation: fields.exactElevation(at: point.index),
                    accuracy: fields.accuracy(at: point.index), isStationary: stationary.contains(point.index), way: way
                ),
                into: &found)
            last = point
        }
        take(&found)
    }

    private mutating func endSegment() {
        var found: [RestDetector.Rest] = []
        rests.endRun(into: &found)
        take(&found)
        defer { segment = SegmentMeasure() }
        let way = segment.way - segment.rests
        // Of differences of equal numbers, something like 1e-12 may be left.
        summary.metres += max(0, way.metres)
        guard segment.start <= segment.end else { return }
        let (span, overflow) = segment.end.subtractingReportingOverflow(segment.start)
        let isLong = overflow || span > OutlierDetector.longSegmentMilliseconds
        if isLong, !isStream { summary.longSegments.append(segmentOrdinal) }
        if !isLong || gap != .standard { summary.metres += max(0, way.pauseMetres) }
    }

    // MARK: Rests

    /// Adds rests of the segment.
    private mutating func take(_ found: inout [RestDetector.Rest]) {
        for rest in found {
            segment.rests += rest.way
            summary.annotations.rests.append(rest.points)
        }
        found.removeAll(keepingCapacity: true)
    }

    /// The same points as ascending, separate ranges.
    private static func united(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var united: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        return united
    }

    // MARK: Estimated times

    /// Untimed points since a timed one, joined to it by lines.
    private struct UntimedRun {
        /// The time before the run; nil if there is none in the segment.
        var start: Int64?
        var first = 0
        var last = 0
        var count = 0
        var millimetres: Int64 = 0
    }

    /// Adds a point to the run of untimed points, or finds at a timed one whether the times of the run can be estimated:
    /// if the points before and after it are in order, not too far apart in time, and not impossibly fast.
    private mutating func estimateTimes(upTo point: ClassifiedPoint) {
        if point.connection == .begins { untimedRun = UntimedRun() }
        guard point.time == PointColumns.untimed || untimedRun.count > 0 else {
            untimedRun.start = point.time
            return
        }
        if let last, untimedRun.start != nil {
            let (sum, overflow) = untimedRun.millimetres.addingReportingOverflow(
                TimeEstimate.millimetres(last.longitude, last.latitude, point.longitude, point.latitude))
            untimedRun.millimetres = overflow ? .max : sum
        }
        guard point.time == PointColumns.untimed else { return endUntimedRun(at: point) }
        guard untimedRun.start != nil else { return }
        if untimedRun.count == 0 { untimedRun.first = point.index }
        untimedRun.last = point.index
        untimedRun.count += 1
    }

    private mutating func endUntimedRun(at point: ClassifiedPoint) {
        defer {
            untimedRun = UntimedRun()
            untimedRun.start = point.time
        }
        guard let start = untimedRun.start, untimedRun.count > 0 else { return }
        let (duration, overflow) = point.time.subtractingReportingOverflow(start)
        let longest: Int64 =
            switch gap {
            case .standard: TimeEstimate.longestMilliseconds
            case .pause(let milliseconds): min(milliseconds, GapRule.longestStepMilliseconds)
            case .none: GapRule.longestStepMilliseconds
            }
        // Metres a second times milliseconds are millimetres.
        guard !overflow, duration >= 0, duration <= longest,
            Double(untimedRun.millimetres) <= Double(fastest) * Double(duration)
        else { return }
        summary.annotations.timeEstimates.append(
            TimeEstimate(
                points: untimedRun.first..<untimedRun.last + 1, count: untimedRun.count, start: start,
                duration: duration, millimetres: untimedRun.millimetres))
    }
}

/// The bounding box of points in recorded order; each step takes the shorter way round the world, so the box may cross
/// 180°.
private struct RunningBox: Sendable {
    private var west = Int64.max
    private var east = Int64.min
    private var south = Int32.max
    private var north = Int32.min
    private var unwrapped: Int64 = 0
    private var lastLongitude: Int32?

    mutating func add(_ point: ClassifiedPoint) {
        if let last = lastLongitude {
            unwrapped += E7Longitude.difference(from: last, to: point.longitude)
        } else {
            unwrapped = Int64(point.longitude)
        }
        lastLongitude = point.longitude
        west = min(west, unwrapped)
        east = max(east, unwrapped)
        south = min(south, point.latitude)
        north = max(north, point.latitude)
    }

    var bounds: E7Bounds? {
        guard west <= east else { return nil }
        guard east - west < E7Longitude.turn else {
            return E7Bounds(west: -1_800_000_000, south: south, east: 1_800_000_000, north: north)
        }
        return E7Bounds(west: Self.wrapped(west), south: south, east: Self.wrapped(east), north: north)
    }

    /// Wraps a longitude to −180…180° in 1e-7°; 180° itself is kept.
    private static func wrapped(_ longitude: Int64) -> Int32 {
        guard longitude.magnitude > E7Longitude.halfTurn else { return Int32(longitude) }
        let turn = E7Longitude.turn
        let inTurn = (((longitude + turn / 2) % turn) + turn) % turn
        return Int32(inTurn - turn / 2)
    }
}
