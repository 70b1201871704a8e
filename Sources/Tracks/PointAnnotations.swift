import Text

/// What measuring a track found out about its points that single points and their neighbours do not show: outliers,
/// estimated times, and rests, by the indices of the points in the track.
///
/// They are derived from the points, stored with the track's summary, and given to `OutlierDetector`, so that everything
/// that is drawn, played or added up uses the same ones. Nearly all tracks have none but rests.
public struct PointAnnotations: Sendable, Hashable {
    /// Points that are outliers for a reason that only the whole recording shows.
    public struct Outliers: Sendable, Hashable {
        public var points: Range<Int>
        public var reason: OutlierReason

        /// Marks points as outliers.
        public init(_ points: Range<Int>, _ reason: OutlierReason) {
            self.points = points
            self.reason = reason
        }
    }

    /// Ascending and separate.
    public var outliers: [Outliers] = []
    /// Ascending and separate.
    public var timeEstimates: [TimeEstimate] = []
    /// The points at the ends of steps within rests, ascending and separate; see `RestDetector`.
    public var rests: [Range<Int>] = []

    /// A track of which nothing was found.
    public init() {}

    /// Whether nothing was found.
    public var isEmpty: Bool { !changesPath && rests.isEmpty }

    /// Whether outliers or times differ from those that `OutlierDetector` finds alone. Rests change only statistics.
    public var changesPath: Bool { !outliers.isEmpty || !timeEstimates.isEmpty }

    /// Those that determine what is drawn and played, without rests.
    public var ofPath: PointAnnotations {
        var path = self
        path.rests = []
        return path
    }
}

/// Untimed points between two timed ones, and what is needed to estimate their times.
///
/// A point gets the time of the point before the run, and of the duration the share that its way from there has of the
/// whole way. Numbers are whole, so that every reader computes the same times.
public struct TimeEstimate: Sendable, Hashable {
    /// The indices of the run; there may be outliers within it.
    public var points: Range<Int>
    /// The number of points in it that are not outliers.
    public var count: Int
    /// The time of the timed point before the run, in milliseconds since 1970.
    public var start: Int64
    /// The time from there to the timed point after the run, in milliseconds.
    public var duration: Int64
    /// The length of the way between the two, with each step rounded.
    public var millimetres: Int64

    /// The longest duration under the standard gap rule.
    static let longestMilliseconds: Int64 = 86_400_000

    /// The time of the point of a number (from 0) in the run, after a way from the timed point before.
    func time(number: Int, walked: Int64) -> Int64 {
        let (share, whole) = millimetres > 0 ? (walked, millimetres) : (Int64(number) + 1, Int64(count) + 1)
        let product = UInt64(duration).multipliedFullWidth(by: UInt64(min(share, whole)))
        // `share` is at most `whole`, so the quotient is at most `duration`.
        return start + Int64(UInt64(whole).dividingFullWidth(product).quotient)
    }

    /// The way between two points, in whole millimetres.
    static func millimetres(_ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32) -> Int64 {
        Int64((Geodesy.metres(longitude1, latitude1, longitude2, latitude2) * 1000).rounded())
    }
}

// MARK: Stored form

extension PointAnnotations {
    /// The annotations as bytes; empty if there are none.
    public var encoded: [UInt8] {
        guard !isEmpty else { return [] }
        var bytes: [UInt8] = []
        var last = 0
        func append(_ range: Range<Int>) {
            Varint.append(UInt64(range.lowerBound - last), to: &bytes)
            Varint.append(UInt64(range.count), to: &bytes)
            last = range.upperBound
        }
        Varint.append(UInt64(outliers.count), to: &bytes)
        for entry in outliers {
            append(entry.points)
            Varint.append(UInt64(entry.reason.code), to: &bytes)
        }
        last = 0
        Varint.append(UInt64(timeEstimates.count), to: &bytes)
        for estimate in timeEstimates {
            append(estimate.points)
            Varint.append(UInt64(estimate.count), to: &bytes)
            Varint.append(Varint.zigzag(estimate.start), to: &bytes)
            Varint.append(UInt64(estimate.duration), to: &bytes)
            Varint.append(UInt64(estimate.millimetres), to: &bytes)
        }
        last = 0
        for rest in rests { append(rest) }
        return bytes
    }

    /// Reads what `encoded` has written. Annotations that no track can have are left out, so that altered bytes do no
    /// harm.
    public init(decoding bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var last = 0
        func range(_ cursor: inout VarintCursor, _ bytes: borrowing Span<UInt8>) -> Range<Int>? {
            let skipped = Int(truncatingIfNeeded: cursor.next(in: bytes))
            let count = Int(truncatingIfNeeded: cursor.next(in: bytes))
            guard skipped >= 0, count > 0, last <= Self.maxIndex - skipped, last + skipped <= Self.maxIndex - count
            else {
                return nil
            }
            let first = last + skipped
            last = first + count
            return first..<last
        }
        for _ in 0..<cursor.nextCount(in: bytes) where !cursor.isAtEnd {
            let points = range(&cursor, bytes)
            let reason = OutlierReason(code: Int(truncatingIfNeeded: cursor.next(in: bytes)))
            if let points, let reason { outliers.append(Outliers(points, reason)) }
        }
        last = 0
        for _ in 0..<cursor.nextCount(in: bytes) where !cursor.isAtEnd {
            let points = range(&cursor, bytes)
            let count = Int(truncatingIfNeeded: cursor.next(in: bytes))
            let start = Varint.unzigzag(cursor.next(in: bytes))
            let duration = Int64(truncatingIfNeeded: cursor.next(in: bytes))
            let millimetres = Int64(truncatingIfNeeded: cursor.next(in: bytes))
            guard let points, (1...points.count).contains(count), Instant.bounds.contains(start), millimetres >= 0,
                (0...GapRule.longestStepMilliseconds).contains(duration)
            else { continue }
            timeEstimates.append(
                TimeEstimate(
                    points: points, count: count, start: start, duration: duration, millimetres: millimetres))
        }
        last = 0
        while !cursor.isAtEnd {
            guard let rest = range(&cursor, bytes) else { break }
            rests.append(rest)
        }
    }

    /// More points than a track can have.
    private static var maxIndex: Int { 1 << 48 }
}

extension OutlierReason {
    /// The number of the reason in stored annotations: new cases are added at the end.
    fileprivate var code: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    fileprivate init?(code: Int) {
        guard Self.allCases.indices.contains(code) else { return nil }
        self = Self.allCases[code]
    }
}

// MARK: Reading in the order of points

/// The annotations of a track's points, asked for with ascending indices.
struct AnnotationCursor: Sendable {
    private var outliers: RangeCursor
    private var rests: RangeCursor
    private var estimates: RangeCursor
    private var annotations: PointAnnotations
    /// The way from the timed point before the current run to the last point of it, and the number of its points so far.
    private var walked: Int64 = 0
    private var number = 0

    init(_ annotations: PointAnnotations) {
        self.annotations = annotations
        outliers = RangeCursor(annotations.outliers.map(\.points))
        rests = RangeCursor(annotations.rests)
        estimates = RangeCursor(annotations.timeEstimates.map(\.points))
    }

    /// Adds outliers after those that are known.
    mutating func append(_ more: [PointAnnotations.Outliers]) {
        annotations.outliers += more
        outliers.append(more.map(\.points))
    }

    /// Whether any point has an estimated time.
    var hasEstimates: Bool { !annotations.timeEstimates.isEmpty }

    /// Why a point is an outlier; nil if the annotations do not say that it is one.
    @inline(__always)
    mutating func outlierReason(at index: Int) -> OutlierReason? {
        outliers.contains(index) ? annotations.outliers[outliers.position].reason : nil
    }

    /// Whether the step to a point is within a rest.
    @inline(__always)
    mutating func isAtRest(_ index: Int) -> Bool { rests.contains(index) }

    /// The estimated time of an untimed point that is not an outlier, after a step from the point before; nil without one.
    mutating func time(
        at index: Int, from longitude: Int32, _ latitude: Int32, to longitude2: Int32, _ latitude2: Int32
    )
        -> Int64?
    {
        let before = estimates.position
        guard estimates.contains(index) else { return nil }
        let estimate = annotations.timeEstimates[estimates.position]
        if estimates.position != before || number >= estimate.count { (walked, number) = (0, 0) }
        walked += TimeEstimate.millimetres(longitude, latitude, longitude2, latitude2)
        defer { number += 1 }
        return estimate.time(number: number, walked: walked)
    }
}

/// Tells whether ascending numbers are in one of some ranges.
private struct RangeCursor: Sendable {
    private var ranges: [Range<Int>]
    private(set) var position = 0
    private var lower = Int.max
    private var upper = Int.max

    init(_ ranges: [Range<Int>]) {
        self.ranges = ranges
        load()
    }

    mutating func append(_ more: [Range<Int>]) {
        ranges += more
        load()
    }

    @inline(__always)
    mutating func contains(_ index: Int) -> Bool {
        if index < lower { return false }
        if index < upper { return true }
        return advance(to: index)
    }

    private mutating func advance(to index: Int) -> Bool {
        while position < ranges.count, ranges[position].upperBound <= index { position += 1 }
        load()
        return index >= lower && index < upper
    }

    private mutating func load() {
        (lower, upper) =
            position < ranges.count ? (ranges[position].lowerBound, ranges[position].upperBound) : (.max, .max)
    }
}
