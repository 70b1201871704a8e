import Tracks

/// A point of a track, in the order of time.
struct PlayablePoint: Sendable {
    var longitude: Int32
    var latitude: Int32
    var time: Int64
    /// The index of the point in the track as stored, from 0.
    var index: Int
    var fields: PointFields
    /// Whether its time is estimated.
    var isTimeEstimated = false
    /// Whether there is a gap before the point; true for the first point.
    var begins: Bool
}

/// The playable points of a track in the order of time, read on demand.
///
/// Memory: 50 bytes for each of `batchSize` points. A file whose points are not in the order of time is scanned once,
/// and then read again for every `sortedPoints` of its points.
struct PlayablePoints {
    /// The state of reading, without the source.
    struct Progress: Sendable {
        fileprivate var reader: FileOrderReader
        fileprivate var gaps: GapDetector
        fileprivate var ready: [PlayablePoint] = []
        fileprivate var nextReady = 0
        fileprivate var isAtEnd = false
    }

    /// The number of points that are kept and sorted at a time, for a file that is not in the order of time: 1 MB.
    static let sortedPoints = 1 << 13

    private let track: ReplayTrack
    private let source: any ReplaySource
    let isOrdered: Bool
    private var progress: Progress
    private var raw: [TimedPoint] = []
    /// The last point returned from a file that is not in the order of time.
    private var last: (time: Int64, index: Int)?
    private let maxSorted: Int

    /// The number of points to read at a time.
    var batchSize = PointChunk.capacity
    /// Until points reach this instant, whole chunks are read.
    var firstNeeded = Int64.min

    /// Scans the times first if the track is a file that may not be in the order of time.
    init(
        of track: ReplayTrack, from source: any ReplaySource, fields: Bool = true,
        maxSorted: Int = PlayablePoints.sortedPoints
    ) throws {
        self.track = track
        self.source = source
        self.maxSorted = maxSorted
        isOrdered = try track.isStream || Self.isOrdered(track, source)
        progress = Progress(reader: FileOrderReader(track, fields: fields), gaps: GapDetector(track))
    }

    /// The state of reading; nil while points that were read are not yet returned.
    var progressWithoutPendingPoints: Progress? {
        isOrdered && progress.nextReady == progress.ready.count && !progress.isAtEnd ? progress : nil
    }

    /// Continues from the state of another reader of the same track.
    mutating func skip(to progress: Progress) {
        self.progress = progress
        self.progress.ready = []
        self.progress.nextReady = 0
    }

    /// The next point; nil at the end.
    mutating func next() throws -> PlayablePoint? {
        while progress.nextReady == progress.ready.count {
            guard !progress.isAtEnd else { return nil }
            progress.ready = []
            progress.nextReady = 0
            raw = []
            let before = progress
            let isSkipping = isOrdered && firstNeeded > .min
            if isOrdered {
                let most = isSkipping ? PointChunk.capacity : batchSize
                progress.isAtEnd = try !progress.reader.read(from: source, most: most, into: &raw)
            } else {
                try readSorted()
            }
            progress.gaps.take(raw, into: &progress.ready)
            raw = []
            if progress.isAtEnd { progress.gaps.finish(into: &progress.ready) }
            // The wanted points are read again in small portions, because these may stay in memory for a long time.
            if isSkipping, progress.isAtEnd || progress.ready.last?.time ?? .min >= firstNeeded {
                firstNeeded = .min
                progress = before
            }
        }
        defer { progress.nextReady += 1 }
        return progress.ready[progress.nextReady]
    }

    private static func isOrdered(_ track: ReplayTrack, _ source: any ReplaySource) throws -> Bool {
        if let known = source.seekIndex?.isOrdered(track) { return known }
        let isOrdered = try readsOrdered(track, source)
        source.seekIndex?.record(track, isOrdered: isOrdered)
        return isOrdered
    }

    private static func readsOrdered(_ track: ReplayTrack, _ source: any ReplaySource) throws -> Bool {
        var reader = FileOrderReader(track, fields: false)
        var raw: [TimedPoint] = []
        var last = Int64.min
        while try reader.read(from: source, most: PointChunk.capacity, into: &raw) {
            for point in raw {
                guard point.time >= last else { return false }
                last = point.time
            }
            raw.removeAll(keepingCapacity: true)
        }
        return true
    }

    /// Reads the whole track and keeps the next points in the order of time.
    private mutating func readSorted() throws {
        var reader = FileOrderReader(track, fields: true)
        var chunk: [TimedPoint] = []
        while try reader.read(from: source, most: PointChunk.capacity, into: &chunk) {
            for point in chunk {
                if let last, (point.time, point.index) <= last { continue }
                raw.append(point)
            }
            chunk.removeAll(keepingCapacity: true)
            if raw.count >= 2 * maxSorted { keepFirst() }
        }
        keepFirst()
        last = raw.last.map { ($0.time, $0.index) } ?? last
        progress.isAtEnd = raw.isEmpty
    }

    private mutating func keepFirst() {
        raw.sort { ($0.time, $0.index) < ($1.time, $1.index) }
        if raw.count > maxSorted { raw.removeLast(raw.count - maxSorted) }
    }
}

/// Finds the gaps between playable points with an `OutlierDetector`, without the points that are not playable.
struct GapDetector: Sendable {
    private let track: ReplayTrack
    private let longSegments: Set<Int>
    private var detector: OutlierDetector?
    private var segment = 0
    private var waiting: [TimedPoint] = []
    /// The detector would skip the previous point. It is played all the same, with a gap after it.
    private var followsOutlier = false
    private var followsEstimate = false

    init(_ track: ReplayTrack) {
        self.track = track
        longSegments = Set(track.longSegments)
    }

    mutating func take(_ raw: [TimedPoint], into ready: inout [PlayablePoint]) {
        var start = 0
        while start < raw.count {
            let end = raw[start...].firstIndex { $0.segment != raw[start].segment } ?? raw.count
            begin(raw[start].segment, into: &ready)
            let points = raw[start..<end]
            waiting += points
            var classified: [ClassifiedPoint] = []
            detector?.add(
                PointChunk(
                    unit: .decimal(places: 7), longitudes: points.map { Int64($0.longitude) },
                    latitudes: points.map { Int64($0.latitude) }, times: points.map(\.time), segmentStarts: []),
                into: &classified)
            emit(classified, &ready)
            start = end
        }
    }

    mutating func finish(into ready: inout [PlayablePoint]) {
        var classified: [ClassifiedPoint] = []
        detector?.finish(into: &classified)
        detector = nil
        emit(classified, &ready)
    }

    private mutating func begin(_ segment: Int, into ready: inout [PlayablePoint]) {
        guard detector == nil || segment != self.segment else { return }
        finish(into: &ready)
        self.segment = segment
        // Each segment has its own detector; the pause rule applies to streams and to a file's long segments.
        let pausesAreGaps = track.isStream || longSegments.contains(segment)
        detector = OutlierDetector(
            gap: track.gap, kind: pausesAreGaps ? .stream : .file(longSegments: []), outlierRule: track.outlierRule)
    }

    private mutating func emit(_ classified: [ClassifiedPoint], _ ready: inout [PlayablePoint]) {
        for (point, classified) in zip(waiting, classified) {
            // Between estimated times there are no pauses: untimed points are joined by lines.
            let isPause = classified.connection != .continues && !point.isTimeEstimated && !followsEstimate
            ready.append(
                PlayablePoint(
                    longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
                    fields: point.fields, isTimeEstimated: point.isTimeEstimated, begins: followsOutlier || isPause))
            followsOutlier = classified.outlierReason != nil
            followsEstimate = point.isTimeEstimated
        }
        // A new array, because the old one keeps the capacity of a whole portion.
        waiting = Array(waiting.dropFirst(classified.count))
    }
}
