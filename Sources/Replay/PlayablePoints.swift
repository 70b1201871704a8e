import Tracks

/// A point of a track on its way through time.
struct PlayablePoint: Sendable {
    var longitude: Int32
    var latitude: Int32
    var time: Int64
    /// Which point of the track it is, as stored, counted from 0.
    var index: Int
    var fields: PointFields
    /// Whether a gap lies before it; true for the first.
    var begins: Bool
}

/// A track's playable points in the order of time, read as they are asked for.
///
/// Memory is 50 bytes for each of `portion` points. A file that is not in the order of time is looked through first, and
/// then read once for every `sortedPoints` of its points.
struct PlayablePoints {
    /// How far it has been read, without what it is read from.
    struct Progress: Sendable {
        fileprivate var reader: FileOrderReader
        fileprivate var gaps: GapDetector
        fileprivate var ready: [PlayablePoint] = []
        fileprivate var nextReady = 0
        fileprivate var isAtEnd = false
    }

    /// Points of a file out of order that are held and sorted at once: 1 MB.
    static let sortedPoints = 1 << 13

    private let track: ReplayTrack
    private let source: any ReplaySource
    let isOrdered: Bool
    private var progress: Progress
    private var raw: [RawPoint] = []
    /// Of a file out of order, behind which point the next ones are sought.
    private var last: (time: Int64, index: Int)?
    private let mostSorted: Int

    /// Points that are read at once.
    var portion = PointChunk.capacity
    /// As long as points lie before this instant, whole chunks are read.
    var wanted = Int64.min

    /// Reads times ahead where a file might not be in their order.
    init(
        of track: ReplayTrack, from source: any ReplaySource, fields: Bool = true,
        mostSorted: Int = PlayablePoints.sortedPoints
    ) throws {
        self.track = track
        self.source = source
        self.mostSorted = mostSorted
        isOrdered = try track.isStream || Self.isOrdered(track, source)
        progress = Progress(reader: FileOrderReader(track, fields: fields), gaps: GapDetector(track))
    }

    /// How far it has been read, where no point that was read waits to be given.
    var restingProgress: Progress? {
        isOrdered && progress.nextReady == progress.ready.count && !progress.isAtEnd ? progress : nil
    }

    /// Goes on where another reading of the same track was.
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
            let isSkipping = isOrdered && wanted > .min
            if isOrdered {
                let most = isSkipping ? PointChunk.capacity : portion
                progress.isAtEnd = try !progress.reader.read(from: source, most: most, into: &raw)
            } else {
                try readSorted()
            }
            progress.gaps.take(raw, into: &progress.ready)
            raw = []
            if progress.isAtEnd { progress.gaps.finish(into: &progress.ready) }
            // What is asked for is read anew, in portions that may stay in memory for long.
            if isSkipping, progress.isAtEnd || progress.ready.last?.time ?? .min >= wanted {
                wanted = .min
                progress = before
            }
        }
        defer { progress.nextReady += 1 }
        return progress.ready[progress.nextReady]
    }

    private static func isOrdered(_ track: ReplayTrack, _ source: any ReplaySource) throws -> Bool {
        if let known = source.milestones?.isOrdered(track) { return known }
        let isOrdered = try readsOrdered(track, source)
        source.milestones?.note(track, isOrdered: isOrdered)
        return isOrdered
    }

    private static func readsOrdered(_ track: ReplayTrack, _ source: any ReplaySource) throws -> Bool {
        var reader = FileOrderReader(track, fields: false)
        var raw: [RawPoint] = []
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

    /// The next points by time in one pass over the track, the rest let go.
    private mutating func readSorted() throws {
        var reader = FileOrderReader(track, fields: true)
        var chunk: [RawPoint] = []
        while try reader.read(from: source, most: PointChunk.capacity, into: &chunk) {
            for point in chunk {
                if let last, (point.time, point.index) <= last { continue }
                raw.append(point)
            }
            chunk.removeAll(keepingCapacity: true)
            if raw.count >= 2 * mostSorted { keepFirst() }
        }
        keepFirst()
        last = raw.last.map { ($0.time, $0.index) } ?? last
        progress.isAtEnd = raw.isEmpty
    }

    private mutating func keepFirst() {
        raw.sort { ($0.time, $0.index) < ($1.time, $1.index) }
        if raw.count > mostSorted { raw.removeLast(raw.count - mostSorted) }
    }
}

/// Finds the gaps between playable points by `OutlierDetector`, whatever was left out between them.
struct GapDetector: Sendable {
    private let track: ReplayTrack
    private let longSegments: Set<Int>
    private var walk: OutlierDetector?
    private var segment = 0
    private var waiting: [RawPoint] = []
    /// The walk would step over the point before; it is played all the same, and stands alone.
    private var standsAlone = false

    init(_ track: ReplayTrack) {
        self.track = track
        longSegments = Set(track.longSegments)
    }

    mutating func take(_ raw: [RawPoint], into ready: inout [PlayablePoint]) {
        var start = 0
        while start < raw.count {
            let end = raw[start...].firstIndex { $0.segment != raw[start].segment } ?? raw.count
            begin(raw[start].segment, into: &ready)
            let points = raw[start..<end]
            waiting += points
            var walked: [CleanedPoint] = []
            walk?.walk(
                PointChunk(
                    unit: .decimal(places: 7), longitudes: points.map { Int64($0.longitude) },
                    latitudes: points.map { Int64($0.latitude) }, times: points.map(\.time), segmentStarts: []),
                into: &walked)
            give(walked, &ready)
            start = end
        }
    }

    mutating func finish(into ready: inout [PlayablePoint]) {
        var walked: [CleanedPoint] = []
        walk?.finish(into: &walked)
        walk = nil
        give(walked, &ready)
    }

    private mutating func begin(_ segment: Int, into ready: inout [PlayablePoint]) {
        guard walk == nil || segment != self.segment else { return }
        finish(into: &ready)
        self.segment = segment
        // Within one segment, what makes a stream's rule of pauses hold is that the segment is long.
        let pausesAreGaps = track.isStream || longSegments.contains(segment)
        walk = OutlierDetector(
            gap: track.gap, kind: pausesAreGaps ? .stream : .file(longSegments: []), cleaning: track.cleaning)
    }

    private mutating func give(_ walked: [CleanedPoint], _ ready: inout [PlayablePoint]) {
        for (point, walked) in zip(waiting, walked) {
            ready.append(
                PlayablePoint(
                    longitude: point.longitude, latitude: point.latitude, time: point.time, index: point.index,
                    fields: point.fields, begins: standsAlone || walked.connection != .continues))
            standsAlone = walked.mark != nil
        }
        // A new array: the old one has room for a whole portion.
        waiting = Array(waiting.dropFirst(walked.count))
    }
}
