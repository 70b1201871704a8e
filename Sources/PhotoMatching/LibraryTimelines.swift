import Digest
public import PhotoLocating
import PrimaryStore
import Text
public import TrackStore
import Tracks

/// The paths of persons around instants, read from a library on demand.
///
/// Not thread-safe: each command and each request has its own.
public final class LibraryTimelines {
    private struct CachedPath {
        var path: RecordedPath
        var version: TrackVersion
        var lastUse: Int
    }

    private struct TrackVersion: Equatable {
        var digest: ContentDigest
        var gap: GapRule
        var outlierRule: OutlierRule
    }

    /// The number of points in memory: about 100 MB.
    private static let pointLimit = 4_000_000
    /// Of a longer track only the part around the instant is read, each time.
    var longestWholeTrack = LibraryTimelines.pointLimit / 4
    /// What is read of a longer track, on either side of the instant: a day, and one more point.
    private static let marginMilliseconds: Int64 = 86_400_000

    private let database: TrackDatabase
    private let persons: [Person]
    private let isCancelled: () -> Bool
    private var cache: [Int64: CachedPath] = [:]
    private var cachedPoints = 0
    private var uses = 0

    /// The timelines of one person, or of all (nil). Throws `CancellationError` soon after
    /// `isCancelled` returns true.
    public init(
        _ library: Library, person: Int64? = nil, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        database = library.database
        self.isCancelled = isCancelled
        persons = try library.database.persons().filter { person == nil || $0.number == person }
    }

    /// The timeline of each person who has tracks, with the tracks that touch a range of time, and those before and
    /// after it.
    public func timelines(in range: ClosedRange<Int64>) throws -> [PersonTimeline] {
        try database.read { snapshot in
            let touching = try snapshot.tracks(touching: range)
            return try persons.compactMap { person in
                var tracks = touching.filter { $0.person == person.number }
                if let before = try snapshot.lastTrack(
                    ofPerson: person.number, endingBefore: range.lowerBound)
                {
                    tracks.insert(before, at: 0)
                }
                if let after = try snapshot.firstTrack(
                    ofPerson: person.number, startingAfter: range.upperBound)
                {
                    tracks.append(after)
                }
                let paths = try tracks.map { try path(of: $0, around: range, snapshot) }.filter { !$0.points.isEmpty }
                return paths.isEmpty ? nil : PersonTimeline(person: person.name, paths: paths)
            }
        }
    }

    private func path(
        of track: Track, around range: ClosedRange<Int64>, _ snapshot: TrackSnapshot
    ) throws -> RecordedPath {
        let version = TrackVersion(digest: track.digest, gap: track.gap, outlierRule: track.outlierRule)
        uses += 1
        if let cached = cache[track.number], cached.version == version {
            cache[track.number]?.lastUse = uses
            return cached.path
        }
        let isLong = track.points > longestWholeTrack
        var reader = PathReader(
            track, within: isLong ? Self.widened(range) : nil)
        try snapshot.forEachChunk(ofTrack: track.number, fields: OutlierDetector.wanted) { chunk in
            if isCancelled() { throw CancellationError() }
            reader.add(chunk)
        }
        let path = RecordedPath(track: track.id, points: reader.finish())
        guard !isLong else { return path }
        while cachedPoints + path.points.count > Self.pointLimit,
            let oldest = cache.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            cachedPoints -= oldest.value.path.points.count
            cache[oldest.key] = nil
        }
        cachedPoints += path.points.count - (cache[track.number]?.path.points.count ?? 0)
        cache[track.number] = CachedPath(path: path, version: version, lastUse: uses)
        return path
    }

    private static func widened(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let least = range.lowerBound.subtractingReportingOverflow(marginMilliseconds)
        let most = range.upperBound.addingReportingOverflow(marginMilliseconds)
        return (least.overflow ? .min : least.partialValue)...(most.overflow ? .max : most.partialValue)
    }
}

/// Collects the usable points of a track in the order of time: all, or those in a range of time with the last one before
/// it and the first one after it, between which may be a long pause.
private struct PathReader {
    private var detector: OutlierDetector
    private let gap: GapRule
    private let outlierRule: OutlierRule
    private let range: ClosedRange<Int64>?
    private var classified: [ClassifiedPoint] = []
    /// The accuracies of points that are not decided yet, and the index of the first one.
    private var accuracies: [Float?] = []
    private var firstAccuracy = 0
    private var points: [PathPoint] = []
    private var before: PathPoint?
    private var after: PathPoint?
    private var lastTime = Int64.min
    private var isOrdered = true

    init(_ track: Track, within range: ClosedRange<Int64>?) {
        detector = track.detector
        gap = track.gap
        outlierRule = track.outlierRule
        self.range = range
    }

    mutating func add(_ chunk: PointColumns) {
        accuracies += Self.accuracies(of: chunk)
        classified.removeAll(keepingCapacity: true)
        detector.add(chunk, into: &classified)
        take()
    }

    mutating func finish() -> [PathPoint] {
        classified.removeAll(keepingCapacity: true)
        detector.finish(into: &classified)
        take()
        points = [before].compactMap { $0 } + points + [after].compactMap { $0 }
        guard isOrdered else { return sorted() }
        if !points.isEmpty { points[0].begins = true }
        return points
    }

    private mutating func take() {
        for point in classified {
            let accuracy = accuracies[point.index - firstAccuracy]
            guard point.outlierReason == nil, point.time != PointColumns.untimed, !point.isTimeEstimated else {
                continue
            }
            if lastTime > point.time { isOrdered = false }
            lastTime = point.time
            let found = PathPoint(
                time: point.time, longitude: point.longitude, latitude: point.latitude, accuracyMetres: accuracy,
                begins: point.connection == .begins)
            if let range, point.time < range.lowerBound {
                // Of points at the same time the last one is connected to the next point.
                if point.time >= before?.time ?? .min { before = found }
            } else if let range, point.time > range.upperBound {
                if point.time < after?.time ?? .max { after = found }
            } else {
                points.append(found)
            }
        }
        guard let last = classified.last else { return }
        accuracies.removeFirst(last.index + 1 - firstAccuracy)
        firstAccuracy = last.index + 1
    }

    /// Metres; nil for a point without an accuracy.
    private static func accuracies(of chunk: PointColumns) -> [Float?] {
        let column = chunk.column(FieldName.horizontalAccuracy)
        guard let (places, numbers) = column?.numbers else {
            return [Float?](repeating: nil, count: chunk.count)
        }
        let unit = Float(FixedDecimal.integerPower(places))
        return numbers.map { $0 == FieldColumn.absent || $0 <= 0 ? nil : Float($0) / unit }
    }

    /// The points of a file that is not in the order of time, sorted, with gaps found anew.
    private func sorted() -> [PathPoint] {
        let sorted = points.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        var detector = OutlierDetector(gap: gap, kind: .stream, outlierRule: outlierRule)
        var found: [ClassifiedPoint] = []
        detector.add(
            PointColumns(
                unit: .decimal(places: 7), longitudes: sorted.map { Int64($0.longitude) },
                latitudes: sorted.map { Int64($0.latitude) }, times: sorted.map(\.time), segmentStarts: []),
            into: &found)
        detector.finish(into: &found)
        return zip(sorted, found).compactMap { point, found in
            guard found.outlierReason == nil else { return nil }
            var point = point
            point.begins = found.connection == .begins
            return point
        }
    }
}
