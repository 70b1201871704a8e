internal import Database
internal import Digest
internal import Tracks

/// A track: the points of a stream between two gaps.
struct SplitTrack {
    var start: Int64
    var end: Int64
    var digest: ContentDigest
    var summary: TrackSummary
}

/// Splits a stream's points, added in order, into tracks at the pauses that are gaps.
///
/// A bouncing position neither ends nor begins a track: it belongs to the track of the points before it.
final class StreamSplitter {
    private typealias Point = (time: Int64, longitude: Int32, latitude: Int32)

    private let gap: GapRule
    private let outlierRule: OutlierRule
    private let bounces: StreamBounces
    private var tracks: [SplitTrack] = []
    private var measures: RecordingMeasures
    /// The number of points in the current track.
    private var count = 0
    private var start: Int64 = 0
    /// The last point that is not a bounce, and the time of the last point.
    private var last: Point?
    private var lastTime = Int64.min

    init(gap: GapRule, outlierRule: OutlierRule, bounces: StreamBounces) {
        self.gap = gap
        self.outlierRule = outlierRule
        self.bounces = bounces
        measures = Self.measures(gap, outlierRule)
    }

    func add(_ chunk: PointColumns) {
        let converter = E7Converter(unit: chunk.unit)
        var lower = 0
        var outliers: [PointAnnotations.Outliers] = []
        for index in 0..<chunk.count {
            let point = (
                time: chunk.times[index], longitude: converter.e7(chunk.longitudes[index]),
                latitude: converter.e7(chunk.latitudes[index])
            )
            let isBounce = bounces.contains(point.time, point.longitude, point.latitude)
            // Points of the same instant are never separated, because a track is identified by its times.
            if !isBounce, let last, point.time > lastTime, isSplit(last, point) {
                take(chunk, lower..<index, outliers)
                outliers = []
                lower = index
                endTrack()
            }
            if count == 0, index == lower { start = point.time }
            if isBounce {
                let position = count + index - lower
                outliers.append(PointAnnotations.Outliers(position..<position + 1, .bounce))
            } else {
                last = point
            }
            lastTime = point.time
        }
        take(chunk, lower..<chunk.count, outliers)
    }

    func finish() -> [SplitTrack] {
        endTrack()
        return tracks
    }

    private static func measures(_ gap: GapRule, _ outlierRule: OutlierRule) -> RecordingMeasures {
        RecordingMeasures(gap: gap, isStream: true, outlierRule: outlierRule, outliers: [])
    }

    private func take(_ chunk: PointColumns, _ range: Range<Int>, _ outliers: [PointAnnotations.Outliers]) {
        guard !range.isEmpty else { return }
        measures.add(range == 0..<chunk.count ? chunk : chunk.slice(range), outliers: outliers)
        count += range.count
    }

    private func endTrack() {
        let (digest, summary) = measures.finish()
        measures = Self.measures(gap, outlierRule)
        count = 0
        guard summary.points > 0 else { return }
        tracks.append(SplitTrack(start: start, end: summary.end ?? lastTime, digest: digest, summary: summary))
    }

    private func isSplit(_ one: Point, _ other: Point) -> Bool {
        let (difference, overflow) = other.time.subtractingReportingOverflow(one.time)
        let pause = overflow ? Int64.max : difference
        guard pause > 0 else { return false }
        switch gap {
        case .none: return false
        case .pause(let limit): return pause > limit
        case .standard:
            if pause > OutlierDetector.longPauseMilliseconds { return true }
            guard pause > OutlierDetector.farPauseMilliseconds else { return false }
            return Geodesy.sphereMetres(one.longitude, one.latitude, other.longitude, other.latitude)
                > OutlierDetector.farMetres
        }
    }
}

/// The bouncing positions of a part of a stream. They are found in the stream, not in its tracks: as ordinary points, they
/// would cut it.
struct StreamBounces {
    private var keys: Set<PointKey> = []

    /// Whether a point is a bounce.
    func contains(_ time: Int64, _ longitude: Int32, _ latitude: Int32) -> Bool {
        !keys.isEmpty && keys.contains(PointKey(time: time, longitude: longitude, latitude: latitude))
    }

    /// Whether a part of a stream, with the points before and after it on which its bounces depend, may have any.
    static func mayBe(
        in session: any Session, stream: Int64, from first: Int64, to last: Int64, _ outlierRule: OutlierRule
    ) throws -> Bool {
        var hints = OutlierHints(outlierRule: outlierRule, isStream: true)
        try forEachChunk(session, stream, from: first, to: last) { hints.add($0) }
        return hints.needsSearch
    }

    /// Creates an empty set.
    init() {}

    /// Finds the bounces of a part of a stream.
    init(in session: any Session, stream: Int64, from first: Int64, to last: Int64, _ outlierRule: OutlierRule) throws {
        var search = OutlierSearch(outlierRule: outlierRule, isStream: true)
        try Self.forEachChunk(session, stream, from: first, to: last) { search.add($0) }
        for bounce in search.finishBounces() {
            keys.insert(PointKey(time: bounce.time, longitude: bounce.longitude, latitude: bounce.latitude))
        }
    }

    private static func forEachChunk(
        _ session: any Session, _ stream: Int64, from first: Int64, to last: Int64, _ body: (PointColumns) -> Void
    ) throws {
        let begin = first.minus(OutlierSearch.contextMilliseconds)
        let end = last.plus(OutlierSearch.contextMilliseconds)
        try StreamChunks.forEach(session, stream: stream, from: begin, to: end, fields: OutlierSearch.wanted) {
            body($0.slice(from: begin, to: end))
        }
    }
}

extension Int64 {
    /// The sum, or the greatest number if it is greater.
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or the smallest number if it is smaller.
    func minus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .min : difference
    }
}
