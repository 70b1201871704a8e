/// Finds the outliers of a recording that only a view of all its points shows: bouncing positions (`BounceDetector`), and
/// points that a segment repeats.
///
/// Some recorders write a new segment that begins with what an earlier one has: a segment that begins before the latest
/// time so far repeats those of its points whose time and place are known. Those next to a new point are kept, so that the
/// way from and to it counts. Points with the same place at other times are not repetitions.
///
/// Few recordings have such outliers: `OutlierHints` finds out, while points are added, which recordings may have some.
public struct OutlierSearch: Sendable {
    private let outlierRule: OutlierRule
    private let isStream: Bool
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

    /// No more points than these are remembered for repetitions (50 MB): later ones are not found repeated.
    private static let maximumKnown = 1_000_000

    /// The fields to decode from chunks.
    public static let wanted = OutlierDetector.wanted
    /// Whether a point is one of these outliers depends, in a stream, on no points farther away in time.
    public static let contextMilliseconds = BounceDetector.contextMilliseconds

    /// Creates a search in a recording without points. In a stream, which is a set of points, none is repeated.
    public init(outlierRule: OutlierRule, isStream: Bool) {
        self.outlierRule = outlierRule
        self.isStream = isStream
    }

    /// Adds the next chunk.
    public mutating func add(_ chunk: PointColumns) {
        var starts = chunk.segmentStarts.makeIterator()
        var nextStart = isStream ? nil : starts.next()
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
            guard time != PointColumns.untimed else { continue }
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
            if !isStream, known.count < Self.maximumKnown { known.insert(point) }
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
        // The points before the first one that is later than this do not depend on points to come. If too many are left,
        // the first half is decided all the same.
        let horizon = last.time.subtractingReportingOverflow(context).partialValue
        let undecided =
            isAtEnd
            ? points.count
            : max(
                points.firstIndex { $0.time >= horizon } ?? points.count,
                points.count >= Self.lastLimit ? points.count / 2 : 0)
        for position in BounceDetector.bounces(in: points) where position < undecided {
            if points[position].index > decided { found.append(points[position]) }
        }
        guard undecided > 0 else {
            limit = min(Self.lastLimit, 2 * points.count)
            return
        }
        decided = points[undecided - 1].index
        if isAtEnd { return points.removeAll() }
        // Those before this instant have nothing to do with the undecided ones.
        let past = points[undecided - 1].time.subtractingReportingOverflow(context).partialValue
        let kept = min(points.firstIndex { $0.time >= past } ?? undecided, undecided)
        points.removeFirst(points.count >= Self.lastLimit ? max(kept, undecided / 2) : kept)
        limit = max(Self.firstLimit, min(Self.lastLimit, 2 * points.count))
    }
}

/// Tells whether a recording may have outliers that only an `OutlierSearch` finds; some nanoseconds a point.
///
/// It looks at the same points as the search, which therefore never finds bounces without a hint.
public struct OutlierHints: Sendable {
    /// A point, of which the place is known, and whether it is the first of a segment.
    private struct Place {
        var longitude: Int32
        var latitude: Int32
        var time: Int64
        var begins: Bool

        var point: BounceDetector.Point {
            BounceDetector.Point(
                index: 0, longitude: longitude, latitude: latitude, time: time, accuracy: nil, begins: begins)
        }
    }

    private let outlierRule: OutlierRule
    private let isStream: Bool
    private var excursions = 0
    private var isRepeating = false
    private var isSegmentPending = true
    private var latest = Int64.min
    /// The last three points, the last one first.
    private var last: Place?
    private var second: Place?
    private var third: Place?

    /// Only a step as long as this, in 1e-7°, can end an excursion: less than the 30,000 in `BounceDetector`, so that
    /// no excursion is missed.
    private static let longStep = 20_000

    /// Whether a search is needed.
    public var needsSearch: Bool { isRepeating || excursions >= BounceDetector.fewestExcursions }

    /// Creates hints for a recording without points. Segments of streams mean nothing.
    public init(outlierRule: OutlierRule, isStream: Bool) {
        self.outlierRule = outlierRule
        self.isStream = isStream
    }

    /// Adds the next chunk.
    public mutating func add(_ chunk: PointColumns) {
        guard !needsSearch else { return }
        var starts = chunk.segmentStarts.makeIterator()
        var nextStart = isStream ? nil : starts.next()
        let converter = E7Converter(unit: chunk.unit)
        let inaccuracies = AccuracyColumn(chunk, outlierRule)
        for index in 0..<chunk.count {
            if index == nextStart {
                nextStart = starts.next()
                isSegmentPending = true
            }
            let time = chunk.times[index]
            guard time != PointColumns.untimed else { continue }
            let begins = isSegmentPending
            isSegmentPending = false
            if begins, !isStream, time < latest { isRepeating = true }
            if time > latest { latest = time }
            let place = Place(
                longitude: converter.e7(chunk.longitudes[index]), latitude: converter.e7(chunk.latitudes[index]),
                time: time, begins: begins)
            guard !inaccuracies.exceedsLimit(index), place.longitude != 0 || place.latitude != 0 else { continue }
            if let last, let second,
                (Int64(place.latitude) &- Int64(last.latitude)).magnitude > Self.longStep
                    || (Int64(place.longitude) &- Int64(last.longitude)).magnitude > Self.longStep
            {
                countExcursion(third, second, last, place)
            }
            (third, second, last) = (second, last, place)
        }
    }

    @inline(never)
    private mutating func countExcursion(_ third: Place?, _ second: Place, _ last: Place, _ home: Place) {
        let excursion = BounceDetector.excursion(third?.point, second.point, last.point, home.point)
        if excursion != nil { excursions += 1 }
    }
}
