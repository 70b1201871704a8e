import Tracks

/// The playable points of a track in the order of time, read on demand.
///
/// Memory: 50 bytes for each of `batchSize` points. A file whose points are not in the order of time is scanned once,
/// and then read again for every `sortedPoints` of its points.
struct PlayablePoints {
    /// The number of points that are kept and sorted at a time, for a file that is not in the order of time: 1 MB.
    static let sortedPoints = 1 << 13

    private let track: ReplayTrack
    private let source: any ReplaySource
    let isOrdered: Bool
    private var progress: ReadingProgress
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
        progress = ReadingProgress(reader: FileOrderReader(track, fields: fields), gaps: GapDetector(track))
    }

    /// The state of reading; nil while points that were read are not yet returned.
    var progressWithoutPendingPoints: ReadingProgress? {
        isOrdered && progress.nextReady == progress.ready.count && !progress.isAtEnd ? progress : nil
    }

    /// Continues from the state of another reader of the same track.
    mutating func skip(to progress: ReadingProgress) {
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
