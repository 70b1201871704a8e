/// A point of a track with its connection to the point before, as heat, lines and replay use it.
public struct ClassifiedPoint: Sendable, Equatable {
    /// How a point is connected to the returned point before it.
    public enum Connection: Sendable, Equatable {
        /// Not connected: the first point of a segment, or a point after an impossible step or a pause.
        case begins
        /// After a pause that is a gap only if the segment spans more than a day.
        case pauses
        /// Connected by a line.
        case continues
    }

    /// 1e-7° east, rounded half away from zero.
    public let longitude: Int32
    /// 1e-7° north, rounded half away from zero.
    public let latitude: Int32
    /// Milliseconds since 1970, or `PointColumns.untimed`.
    public var time: Int64
    /// The index of the point in the track, counted from 0 over all chunks.
    public let index: Int
    /// How the point is connected to the last point before it that is not an outlier; `.begins` for an outlier.
    public let connection: Connection
    /// Why the point is an outlier; nil if it is not.
    public let outlierReason: OutlierReason?
    /// Whether `time` is not recorded, but estimated from the timed points before and after the point.
    public var isTimeEstimated = false
    /// Whether the step that leads to this point is within a rest: the receiver stood still, so the step has neither
    /// length nor moving time in statistics.
    public var isAtRest = false
}

/// Finds outliers and gaps in the points of a track, in recorded order.
///
/// Heat, lines, replay and the splitting of streams all use this rule. A step that is faster than the `OutlierRule`
/// allows over more than 2 km is a gap; a step that takes longer than a year is a gap, too. An outlier is: a point with
/// such impossible steps both to and from its neighbours; a point at 0,0 with no neighbour within 2 km; a jump away and
/// back, of one point or of a run of points (`JumpRun.swift`); a point whose recorded accuracy is too poor. Outliers are
/// skipped when points are joined. The `GapRule` says which pauses are gaps. If a step has an untimed end, its speed is
/// unknown: far untimed steps are lines until their sum exceeds `untimedFarMetresInAll`.
///
/// Each point is decided when the next one is known, except after a step that may be a jump: then up to
/// `maximumUndecided` points wait until one of them is back, or shows that the step was movement. `finish` decides the
/// last points.
public struct OutlierDetector: Sendable {
    /// The kind of track.
    public enum Kind: Sendable {
        /// A stream of a device: pauses are gaps everywhere.
        case stream
        /// A file's recording; `longSegments` are its segments (counted from 0) that span more than a day.
        case file(longSegments: Set<Int>)
        /// A file's recording whose long segments are not known yet: pauses that depend on them give `.pauses`.
        case unmeasuredFile
    }

    /// Distance in metres above which speed and pauses are checked; receiver errors are smaller.
    public static let farMetres = 2000.0
    /// A pause longer than this is a gap, at any distance.
    public static let longPauseMilliseconds: Int64 = 30 * 60_000
    /// A pause longer than this is a gap if the points are more than `farMetres` apart.
    public static let farPauseMilliseconds: Int64 = 5 * 60_000
    /// A file's segment that spans more than this is treated like a stream.
    public static let longSegmentMilliseconds: Int64 = 86_400_000

    /// A step with an untimed end counts as far if it is longer than this, in metres.
    public static let untimedFarMetres = 100_000.0
    /// The sum of far untimed steps, in metres, that one recording may have: two and a half times round the Earth. The
    /// step that exceeds it and all far untimed steps after it are gaps, so that a list of cities is not drawn as a net
    /// over the Earth: one such list took 8 GB of grid.
    public static let untimedFarMetresInAll = 100_000_000.0

    private let gap: GapRule
    private let kind: Kind
    let outlierRule: OutlierRule
    private var untimedFarMetres = 0.0
    private var pausesAreGaps = false
    private var segment = -1
    private var nextIndex = 0
    /// The last decided point that is not an outlier.
    private(set) var previous: Candidate?
    /// Whether `previous` was returned; false if it was skipped because no line of it meets the box.
    private var previousIsReturned = false
    private var pending: Candidate?
    /// The points after `pending` while it is not known whether a run of jumps begins there; otherwise empty.
    private var following: [Candidate] = []
    private var annotations: AnnotationCursor

    struct Candidate {
        var longitude: Int32
        var latitude: Int32
        var time: Int64
        var index: Int
        /// Why it is an outlier whatever is before and after it, apart from its place; nil if nothing says so.
        var exclusion: OutlierReason?
    }

    /// The fields to decode from chunks.
    public static let wanted = WantedFields.only([FieldName.horizontalAccuracy])

    /// Creates a detector for a track without points. `annotations` are those of the track's summary.
    public init(gap: GapRule, kind: Kind, outlierRule: OutlierRule, annotations: PointAnnotations = .init()) {
        self.gap = gap
        self.outlierRule = outlierRule
        self.kind = kind
        self.annotations = AnnotationCursor(annotations)
        if case .stream = kind { pausesAreGaps = true }
    }

    /// Annotates points that are not added yet as outliers.
    mutating func append(_ outliers: [PointAnnotations.Outliers]) {
        annotations.append(outliers)
    }

    /// Adds a chunk and appends the points decided by it to `classified`.
    public mutating func add(_ chunk: PointColumns, into classified: inout [ClassifiedPoint]) {
        add(chunk, near: nil, into: &classified)
    }

    /// Adds a chunk, but skips points that have no line into `box`. Everything inside the box and every line through it
    /// is returned; a point after skipped points has `.begins`. Costs a few ns per point.
    public mutating func add(
        _ chunk: PointColumns, near box: BufferedTileBounds, into classified: inout [ClassifiedPoint]
    ) {
        add(chunk, near: .some(box), into: &classified)
    }

    @inline(__always)
    private mutating func add(
        _ chunk: PointColumns, near box: BufferedTileBounds?, into classified: inout [ClassifiedPoint]
    ) {
        var starts = chunk.segmentStarts.makeIterator()
        var nextStart = starts.next()
        let converter = E7Converter(unit: chunk.unit)
        let inaccuracies = AccuracyColumn(chunk, outlierRule)
        for index in 0..<chunk.count {
            if index == nextStart {
                nextStart = starts.next()
                if !isStream { beginSegment(into: &classified) }
            }
            let candidate = Candidate(
                longitude: converter.e7(chunk.longitudes[index]), latitude: converter.e7(chunk.latitudes[index]),
                time: chunk.times[index], index: nextIndex,
                exclusion: inaccuracies.exceedsLimit(index) ? .inaccurate : annotations.outlierReason(at: nextIndex))
            nextIndex += 1
            guard let waiting = pending, following.isEmpty else {
                if pending == nil { pending = candidate } else { wait(candidate, into: &classified) }
                continue
            }
            if let before = previous {
                if Self.mayBeFar(before, waiting) {
                    wait(candidate, into: &classified)
                    continue
                }
                // An estimated time depends on the length of the way so far, for which no point may be skipped.
                if let box, !annotations.hasEstimates, Self.canBeSkipped(before, waiting, candidate, box) {
                    previous = waiting
                    previousIsReturned = false
                    pending = candidate
                    continue
                }
            }
            decide(waiting, next: candidate, into: &classified)
            pending = candidate
        }
    }

    /// Decides the last points; call this at the end of the track.
    public mutating func finish(into classified: inout [ClassifiedPoint]) {
        decideWaiting(isAtEnd: true, into: &classified)
        if let waiting = pending { decide(waiting, next: nil, into: &classified) }
        pending = nil
        previous = nil
    }

    private mutating func wait(_ candidate: Candidate, into classified: inout [ClassifiedPoint]) {
        following.append(candidate)
        decideWaiting(isAtEnd: false, into: &classified)
    }

    /// Decides the waiting points, up to the first that is still undecided and at most up to the last but one.
    private mutating func decideWaiting(isAtEnd: Bool, into classified: inout [ClassifiedPoint]) {
        while let waiting = pending, let next = following.first {
            switch jumpRun(from: waiting, following) {
            case .undecided where !isAtEnd:
                return
            case .points(let count):
                for point in [waiting] + following.prefix(count - 1) {
                    Self.exclude(point, ownExclusion(of: point) ?? .jump, into: &classified)
                }
                pending = following[count - 1]
                following.removeFirst(count)
            case .none, .undecided:
                decide(waiting, next: next, into: &classified)
                pending = next
                following.removeFirst()
            }
        }
    }

    /// Whether a point is not an outlier, and not connected to anything that may be in the box, whatever comes before and
    /// after.
    @inline(__always)
    private static func canBeSkipped(
        _ before: Candidate, _ point: Candidate, _ next: Candidate, _ box: BufferedTileBounds
    ) -> Bool {
        !mayBeFar(before, point) && !mayBeFar(point, next) && (point.longitude != 0 || point.latitude != 0)
            && point.exclusion == nil && !box.meets(before.longitude, before.latitude, point.longitude, point.latitude)
            && !box.meets(point.longitude, point.latitude, next.longitude, next.latitude)
    }

    private var isStream: Bool {
        if case .stream = kind { return true }
        return false
    }

    private mutating func beginSegment(into classified: inout [ClassifiedPoint]) {
        finish(into: &classified)
        segment += 1
        if case .file(let longSegments) = kind { pausesAreGaps = longSegments.contains(segment) }
    }

    @inline(__always)
    private mutating func decide(_ point: Candidate, next: Candidate?, into classified: inout [ClassifiedPoint]) {
        if let outlierReason = outlierReason(of: point, next: next) {
            // The way on from a repeated point was recorded before.
            if outlierReason == .repeated { previous = nil }
            return Self.exclude(point, outlierReason, into: &classified)
        }
        var connection = ClassifiedPoint.Connection.begins
        if let previous {
            connection = self.connection(from: previous, to: point)
            if !previousIsReturned { connection = .begins }
        }
        var classifiedPoint = ClassifiedPoint(
            longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
            connection: connection, outlierReason: nil)
        if point.time == PointColumns.untimed, let previous { estimateTime(of: &classifiedPoint, after: previous) }
        classifiedPoint.isAtRest = annotations.isAtRest(point.index)
        previous = point
        previousIsReturned = true
        classified.append(classifiedPoint)
    }

    // Like the other rare cases, not inlined: hardly any point gets here, and the loop over all points stays short.
    @inline(never)
    private mutating func estimateTime(of point: inout ClassifiedPoint, after previous: Candidate) {
        let time = annotations.time(
            at: point.index, from: previous.longitude, previous.latitude, to: point.longitude, point.latitude)
        guard let time else { return }
        point.time = time
        point.isTimeEstimated = true
    }

    private static func exclude(
        _ point: Candidate, _ outlierReason: OutlierReason, into classified: inout [ClassifiedPoint]
    ) {
        classified.append(
            ClassifiedPoint(
                longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
                connection: .begins, outlierReason: outlierReason))
    }

    @inline(__always)
    func outlierReason(of point: Candidate, next: Candidate?) -> OutlierReason? {
        if point.exclusion == nil, point.longitude != 0 || point.latitude != 0 {
            guard let previous, Self.mayBeFar(previous, point) else { return nil }
        }
        return Self.rareOutlierReason(of: point, after: previous, next: next, outlierRule)
    }

    /// Not a method, which would copy the whole detector for each point.
    @inline(never)
    private static func rareOutlierReason(
        of point: Candidate, after previous: Candidate?, next: Candidate?, _ rule: OutlierRule
    ) -> OutlierReason? {
        if let exclusion = point.exclusion { return exclusion }
        if point.longitude == 0, point.latitude == 0 {
            if let previous, !isFar(previous, point) { return nil }
            if let next, next.longitude != 0 || next.latitude != 0, !isFar(point, next) { return nil }
            return .zeroZero
        }
        guard let previous, let next, isFar(previous, point), isFar(point, next) else { return nil }
        let fastest = rule.metresPerSecond
        if isFaster(than: fastest, previous, point), isFaster(than: fastest, point, next) { return .impossibleSpeed }
        return isJump(from: previous, over: point, to: next, rule) ? .jump : nil
    }

    /// Whether a point is far from both neighbours, these are near each other, and both steps are too fast for a
    /// journey.
    private static func isJump(
        from start: Candidate, over point: Candidate, to end: Candidate, _ rule: OutlierRule
    ) -> Bool {
        guard let fastest = rule.jumpMetresPerSecond, isFaster(than: fastest, start, point),
            isFaster(than: fastest, point, end)
        else { return false }
        let steps = min(metres(start, point), metres(point, end))
        return metres(start, end) * 2 < steps
    }

    @inline(__always)
    private mutating func connection(from start: Candidate, to end: Candidate) -> ClassifiedPoint.Connection {
        // Nearly all steps; also those between two untimed points, which are joined, too.
        let (pause, overflow) = end.time.subtractingReportingOverflow(start.time)
        if !overflow, pause >= 0, pause <= Self.farPauseMilliseconds, case .standard = gap, !Self.mayBeFar(start, end) {
            return .continues
        }
        return rareConnection(from: start, to: end)
    }

    @inline(never)
    private mutating func rareConnection(from start: Candidate, to end: Candidate) -> ClassifiedPoint.Connection {
        if isImpossible(start, end) { return .begins }
        guard start.time != PointColumns.untimed, end.time != PointColumns.untimed else {
            return untimedConnection(from: start, to: end)
        }
        let pause = Self.milliseconds(start, end)
        if pause > GapRule.longestStepMilliseconds { return .begins }
        switch gap {
        case .none:
            return .continues
        case .pause(let longest):
            return pause > longest ? .begins : .continues
        case .standard:
            guard pause > Self.farPauseMilliseconds else { return .continues }
            guard pause > Self.longPauseMilliseconds || Self.isFar(start, end) else { return .continues }
            if case .unmeasuredFile = kind { return .pauses }
            return pausesAreGaps ? .begins : .continues
        }
    }

    private mutating func untimedConnection(from start: Candidate, to end: Candidate) -> ClassifiedPoint.Connection {
        guard Self.mayBeFar(start, end) else { return .continues }
        let metres = Geodesy.sphereMetres(start.longitude, start.latitude, end.longitude, end.latitude)
        guard metres > Self.untimedFarMetres else { return .continues }
        untimedFarMetres += metres
        return untimedFarMetres > Self.untimedFarMetresInAll ? .begins : .continues
    }

    static func milliseconds(_ start: Candidate, _ end: Candidate) -> Int64 {
        let (difference, overflow) = end.time.subtractingReportingOverflow(start.time)
        return overflow || difference == .min ? .max : abs(difference)
    }

    func isImpossible(_ start: Candidate, _ end: Candidate) -> Bool {
        Self.isFaster(than: outlierRule.metresPerSecond, start, end)
    }

    /// Whether a step is longer than `farMetres` and faster than `metresPerSecond`.
    static func isFaster(than metresPerSecond: Int, _ start: Candidate, _ end: Candidate) -> Bool {
        guard start.time != PointColumns.untimed, end.time != PointColumns.untimed, mayBeFar(start, end) else {
            return false
        }
        let metres = metres(start, end)
        guard metres > farMetres else { return false }
        return metres * 1000 > Double(metresPerSecond) * Double(milliseconds(start, end))
    }

    static func isFar(_ start: Candidate, _ end: Candidate) -> Bool {
        mayBeFar(start, end) && metres(start, end) > farMetres
    }

    static func metres(_ start: Candidate, _ end: Candidate) -> Double {
        Geodesy.sphereMetres(start.longitude, start.latitude, end.longitude, end.latitude)
    }

    /// A cheap test: 0.01° is at most 1,113 m, so two places within that in both directions are less than 2 km apart.
    /// Two places on both sides of 180° pass it as far; their distance is then computed.
    static func mayBeFar(_ start: Candidate, _ end: Candidate) -> Bool {
        (Int64(end.longitude) - Int64(start.longitude)).magnitude > 100_000
            || (Int64(end.latitude) - Int64(start.latitude)).magnitude > 100_000
    }
}
