/// Finds the outliers of a recording that only a view of all its points shows: bouncing positions (`BounceDetector`), and
/// points that a segment repeats.
///
/// Some recorders write a new segment that begins with what an earlier one has: a segment that begins before the latest
/// time so far repeats those of its points whose time and place are known. Those next to a new point are kept, so that the
/// way from and to it counts. Points with the same place at other times are no repetition.
///
/// Few recordings have such outliers: `OutlierHints` tells while points are added which may.
public struct OutlierSearch: Sendable {
    private let outlierRule: OutlierRule
    private var bounces = BounceSearch()
    private var known: Set<KnownPoint> = []
    private var repeated: [Int] = []
    private var index = 0
    private var latest = Int64.min
    private var isRepeating = false
    private var isSegmentPending = true
    /// Whether the last point of the segment is new, or repeated; nil at the beginning of a segment.
    private var wasRepeated: Bool?

    private struct KnownPoint: Hashable {
        var time: Int64
        var longitude: Int32
        var latitude: Int32
    }

    /// No more points than these are remembered for repetitions (50 MB).
    private static let maximumKnown = 1_000_000

    /// The fields to decode from chunks.
    public static let wanted = OutlierDetector.wanted
    /// Whether a point is one of these outliers depends, in a stream, on no points farther away in time.
    public static let contextMilliseconds = BounceDetector.contextMilliseconds

    /// Creates a search in a recording without points.
    public init(outlierRule: OutlierRule) {
        self.outlierRule = outlierRule
    }

    /// Adds the next chunk.
    public mutating func add(_ chunk: PointChunk) {
        var starts = chunk.segmentStarts.makeIterator()
        var nextStart = starts.next()
        let converter = E7Converter(unit: chunk.unit)
        let inaccuracies = AccuracyColumn(chunk, outlierRule)
        let fields = DrawnFields(chunk)
        for position in 0..<chunk.count {
            defer { index += 1 }
            if position == nextStart {
                nextStart = starts.next()
                isSegmentPending = true
            }
            let time = chunk.times[position]
            guard time != PointChunk.untimed else { continue }
            let point = KnownPoint(
                time: time, longitude: converter.e7(chunk.longitudes[position]),
                latitude: converter.e7(chunk.latitudes[position]))
            let begins = isSegmentPending
            if begins {
                isRepeating = time < latest
                wasRepeated = nil
            }
            isSegmentPending = false
            latest = max(latest, time)
            let isRepeated = isRepeating && known.contains(point)
            defer { wasRepeated = isRepeated }
            if isRepeated {
                if wasRepeated != false { repeated.append(index) }
                continue
            }
            if wasRepeated == true, repeated.last == index - 1 { repeated.removeLast() }
            if known.count < Self.maximumKnown { known.insert(point) }
            guard !inaccuracies.exceedsLimit(position), point.longitude != 0 || point.latitude != 0 else { continue }
            bounces.add(
                BounceDetector.Point(
                    index: index, longitude: point.longitude, latitude: point.latitude, time: time,
                    accuracy: fields.accuracy(at: position), begins: begins))
        }
    }

    /// The bouncing positions, as places and times, in the order of the recording.
    public mutating func finishBounces() -> [(time: Int64, longitude: Int32, latitude: Int32)] {
        bounces.finish().map { ($0.time, $0.longitude, $0.latitude) }
    }

    /// The outliers, ascending.
    public mutating func finish() -> [PointAnnotations.Outliers] {
        let found = bounces.finish().map { (index: $0.index, reason: OutlierReason.bounce) }
        let all = (found + repeated.map { ($0, .repeated) }).sorted { $0.index < $1.index }
        var outliers: [PointAnnotations.Outliers] = []
        for (index, reason) in all {
            if let last = outliers.last, last.reason == reason, last.points.upperBound == index {
                outliers[outliers.count - 1].points = last.points.lowerBound..<index + 1
            } else {
                outliers.append(PointAnnotations.Outliers(index..<index + 1, reason))
            }
        }
        return outliers
    }
}

/// Finds bouncing positions in a recording of any length: a part of it is in memory.
private struct BounceSearch {
    private var points: [BounceDetector.Point] = []
    private var found: [BounceDetector.Point] = []
    /// The last point of which it is decided whether it is a bounce.
    private var decided = -1
    private var limit = firstLimit

    /// Points are examined when there are so many; if most of them are needed for later ones, when there are twice as many.
    private static let firstLimit = 1 << 17
    /// With so many (50 MB), all are decided. Those of sixteen hours are fewer at 17 points a second.
    private static let lastLimit = 1 << 20

    mutating func add(_ point: BounceDetector.Point) {
        points.append(point)
        if points.count >= limit { examine(isAtEnd: false) }
    }

    /// To be called once.
    mutating func finish() -> [BounceDetector.Point] {
        examine(isAtEnd: true)
        return found
    }

    private mutating func examine(isAtEnd: Bool) {
        guard let last = points.last else { return }
        let context = BounceDetector.contextMilliseconds
        let isWhole = isAtEnd || points.count >= Self.lastLimit
        // Points before this instant do not depend on later ones.
        let horizon = isWhole ? Int64.max : last.time.subtractingReportingOverflow(context).partialValue
        for position in BounceDetector.bounces(in: points) {
            let point = points[position]
            if point.index > decided, point.time < horizon { found.append(point) }
        }
        decided = points.last { $0.time < horizon }?.index ?? decided
        if isWhole { return points.removeAll() }
        // Those before this instant have nothing to do with the undecided ones.
        let past = horizon.subtractingReportingOverflow(context).partialValue
        if let kept = points.firstIndex(where: { $0.time >= past }) { points.removeFirst(kept) }
        limit = max(Self.firstLimit, min(Self.lastLimit, 2 * points.count))
    }
}

/// Tells whether a recording may have outliers that only an `OutlierSearch` finds; some nanoseconds a point.
public struct OutlierHints: Sendable {
    private var excursions = 0
    private var isRepeating = false
    private var isSegmentPending = false
    private var latest = Int64.min
    /// The last timed points before the chunk, at most three.
    private var before: [BounceDetector.Point] = []

    /// Only a step as long as this, in 1e-7°, can end an excursion.
    private static let longStep = 20_000

    /// Whether a search is worth it.
    public var needSearch: Bool { isRepeating || excursions >= BounceDetector.fewestExcursions }

    /// No points yet.
    public init() {}

    /// Adds the next chunk.
    public mutating func add(_ chunk: PointChunk, isStream: Bool) {
        guard !needSearch else { return }
        if !isStream { findRepetition(chunk) }
        let converter = E7Converter(unit: chunk.unit)
        // Most tracks have no step that is long enough: only these are looked at.
        var last: (longitude: Int32, latitude: Int32)? = before.last.map { ($0.longitude, $0.latitude) }
        for index in 0..<chunk.count {
            let (longitude, latitude) = (converter.e7(chunk.longitudes[index]), converter.e7(chunk.latitudes[index]))
            defer { last = (longitude, latitude) }
            guard let last,
                (Int64(latitude) &- Int64(last.latitude)).magnitude > Self.longStep
                    || (Int64(longitude) &- Int64(last.longitude)).magnitude > Self.longStep
            else { continue }
            countExcursion(to: index, of: chunk, converter, isStream: isStream)
        }
        before = points(before: chunk.count, of: chunk, converter, isStream: isStream, most: 3)
    }

    private mutating func countExcursion(
        to index: Int, of chunk: PointChunk, _ converter: E7Converter, isStream: Bool
    ) {
        guard chunk.times[index] != PointChunk.untimed else { return }
        let points = points(before: index + 1, of: chunk, converter, isStream: isStream, most: 4)
        guard points.count >= 3 else { return }
        let end = points.count - 1
        let first = end >= 3 ? points[end - 3] : nil
        if BounceDetector.excursion(first, points[end - 2], points[end - 1], points[end]) != nil { excursions += 1 }
    }

    /// The last timed points before an index of the chunk.
    private func points(
        before end: Int, of chunk: PointChunk, _ converter: E7Converter, isStream: Bool, most: Int
    ) -> [BounceDetector.Point] {
        var points: [BounceDetector.Point] = []
        var begins = false
        // The number of segments that begin before the index.
        var segments = isStream ? 0 : Self.count(of: chunk.segmentStarts, below: end)
        for index in (0..<end).reversed() {
            guard points.count < most else { break }
            if segments > 0, chunk.segmentStarts[segments - 1] == index {
                begins = true
                segments -= 1
            }
            guard chunk.times[index] != PointChunk.untimed else { continue }
            points.append(
                BounceDetector.Point(
                    index: index, longitude: converter.e7(chunk.longitudes[index]),
                    latitude: converter.e7(chunk.latitudes[index]), time: chunk.times[index], accuracy: nil,
                    begins: begins))
            begins = false
        }
        return before.suffix(most - points.count) + points.reversed()
    }

    private static func count(of starts: [Int], below index: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Finds out whether a segment begins before the latest time so far.
    private mutating func findRepetition(_ chunk: PointChunk) {
        var position = 0
        for start in chunk.segmentStarts + [chunk.count] {
            for time in chunk.times[position..<max(position, start)] where time != PointChunk.untimed {
                if isSegmentPending {
                    if time < latest { isRepeating = true }
                    isSegmentPending = false
                }
                if time > latest { latest = time }
            }
            position = start
            if start < chunk.count { isSegmentPending = true }
        }
    }
}
