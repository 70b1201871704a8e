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
    /// The length of the lines in metres; gaps are not bridged.
    public var metres = 0.0
    /// The bounding box in 1e-7° of all points that are not outliers, or of all points if every one is an outlier; east
    /// is less than west if the box crosses the antimeridian.
    public var bounds: E7Bounds?
    /// The file's segments (counted from 0) that span more than a day, so that pauses in them are gaps.
    public var longSegments: [Int] = []

    public init() {}

    /// The number of points that have a time and are not outliers.
    public var playablePoints: Int { max(0, points - untimed - outliers.values.reduce(0, +)) }
}

/// Computes the summary of a track from its chunks.
public struct TrackSummaryBuilder: Sendable {
    private var detector: OutlierDetector
    private let isStream: Bool
    private let usesStandardGap: Bool
    private var summary = TrackSummary()
    private var last: ClassifiedPoint?
    private var includedBox = RunningBox()
    private var wholeBox = RunningBox()
    private var segment = SegmentMeasure()
    private var segmentOrdinal = -1
    private var boundaries: [Int] = []

    /// Metres of a segment, with the steps over pauses counted apart until it is known whether they are gaps.
    private struct SegmentMeasure {
        var metres = 0.0
        var pauseMetres = 0.0
        var start = Int64.max
        var end = Int64.min
    }

    /// Creates a measure for a file's recording, or for a track of a stream.
    public init(gap: GapRule, isStream: Bool, outlierRule: OutlierRule) {
        detector = OutlierDetector(gap: gap, kind: isStream ? .stream : .unmeasuredFile, outlierRule: outlierRule)
        self.isStream = isStream
        usesStandardGap = gap == .standard
    }

    /// Adds the next chunk.
    public mutating func add(_ chunk: PointChunk) {
        for start in chunk.segmentStarts { boundaries.append(summary.points + start) }
        for time in chunk.times {
            guard time != PointChunk.untimed else {
                summary.untimed += 1
                continue
            }
            if time < summary.start ?? .max { summary.start = time }
            if time > summary.end ?? .min { summary.end = time }
        }
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
        return summary
    }

    private mutating func measure(_ classified: [ClassifiedPoint]) {
        for point in classified {
            if !isStream, segmentOrdinal + 1 < boundaries.count, boundaries[segmentOrdinal + 1] == point.index {
                endSegment()
                segmentOrdinal += 1
            }
            if point.time != PointChunk.untimed {
                segment.start = min(segment.start, point.time)
                segment.end = max(segment.end, point.time)
            }
            wholeBox.add(point)
            if let outlierReason = point.outlierReason {
                summary.outliers[outlierReason, default: 0] += 1
                continue
            }
            includedBox.add(point)
            if let last, point.connection != .begins {
                let metres = Geodesy.metres(last.longitude, last.latitude, point.longitude, point.latitude)
                if point.connection == .pauses { segment.pauseMetres += metres } else { segment.metres += metres }
            }
            last = point
        }
    }

    private mutating func endSegment() {
        defer { segment = SegmentMeasure() }
        summary.metres += segment.metres
        guard segment.start <= segment.end else { return }
        let (span, overflow) = segment.end.subtractingReportingOverflow(segment.start)
        let isLong = overflow || span > OutlierDetector.longSegmentMilliseconds
        if isLong, !isStream { summary.longSegments.append(segmentOrdinal) }
        if !isLong || !usesStandardGap { summary.metres += segment.pauseMetres }
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
