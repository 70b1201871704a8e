/// The intervals of a track between gaps, within a window.
struct TrackRuns {
    /// Milliseconds since 1970; a lone point's interval has equal bounds.
    private(set) var runs: [ClosedRange<Int64>] = []

    /// Reads the track's times and places once; calls `each` with the time of each point within the window.
    init(
        of track: ReplayTrack, from source: any ReplaySource, window: (from: Int64, to: Int64),
        each: (Int64) throws -> Void = { _ in }
    ) throws {
        var points = try PlayablePoints(of: track, from: source, fields: false)
        var last: Int64?
        while let point = try points.next(), last ?? .min < window.to {
            // Of an edge that crosses the window's boundary, the part within counts.
            let start = point.begins ? point.time : max(last ?? point.time, window.from)
            let end = min(point.time, window.to)
            last = point.time
            if point.time >= window.from, point.time < window.to { try each(point.time) }
            guard point.time >= window.from, start < window.to else { continue }
            if point.begins || runs.isEmpty {
                runs.append(start...end)
            } else {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound...end
            }
        }
    }

    /// Milliseconds without gaps.
    var movingMilliseconds: Int64 { runs.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// Milliseconds from the first point to the last.
    var milliseconds: Int64 { (runs.last?.upperBound ?? 0) - (runs.first?.lowerBound ?? 0) }
}

/// The time that it takes to play a query from beginning to end.
struct PlayingTime {
    private var total: Int64 = 0
    private var runs: [ClosedRange<Int64>] = []
    private let gaps: ReplayQuery.Gaps
    private let isTogether: Bool

    /// With more points the playing time is not computed: reading them would take more than half a second.
    static let maxPoints = 1_000_000

    init(gaps: ReplayQuery.Gaps, isTogether: Bool) {
        self.gaps = gaps
        self.isTogether = isTogether
    }

    /// Adds a track whose opening step is at `opening`.
    mutating func add(_ track: TrackRuns, opening: Int64) {
        if isTogether, let first = track.runs.first {
            // On the common clock a track is active from its opening step on.
            runs.append(min(opening, first.upperBound)...first.upperBound)
            runs += track.runs.dropFirst()
        }
        let (sum, isTooMuch) = total.addingReportingOverflow(
            gaps == .skip ? track.movingMilliseconds : track.milliseconds)
        total = isTooMuch ? .max : sum
    }

    /// Milliseconds of track time.
    var trackMilliseconds: Int64 {
        guard isTogether else { return total }
        guard gaps == .skip else {
            let first = runs.map(\.lowerBound).min() ?? 0
            return (runs.map(\.upperBound).max() ?? first) - first
        }
        var end = Int64.min
        return runs.sorted { $0.lowerBound < $1.lowerBound }.reduce(0) { sum, run in
            defer { end = max(end, run.upperBound) }
            return sum + max(0, run.upperBound - max(end, run.lowerBound))
        }
    }

    /// Milliseconds of playback; nil if the replay has no pace, or if there are too many points.
    static func milliseconds(
        of query: ReplayQuery, _ source: any ReplaySource, points: Int
    ) throws -> Int64? {
        guard case .steady(let rate) = query.pace, points <= maxPoints else { return nil }
        var time = PlayingTime(gaps: query.gaps, isTogether: query.isTogether)
        try query.forEachTrack(in: source) { track in
            let runs = try TrackRuns(of: track, from: source, window: query.window)
            time.add(runs, opening: max(track.start ?? query.window.from, query.window.from))
        }
        return milliseconds(of: time.trackMilliseconds, at: rate)
    }

    /// Milliseconds of playback for milliseconds of track time.
    static func milliseconds(of trackMilliseconds: Int64, at rate: FrameRate) -> Int64 {
        let speed = Int64(rate.speedThousandths)
        let (whole, rest) = trackMilliseconds.quotientAndRemainder(dividingBy: speed)
        let (milliseconds, isTooMuch) = whole.multipliedReportingOverflow(by: 1000)
        let (sum, isMore) = milliseconds.addingReportingOverflow(rest * 1000 / speed)
        return isTooMuch || isMore ? .max : sum
    }
}

extension ReplayQuery {
    /// Calls `body` for each track in playing order, regardless of `seek`.
    func forEachTrack(in source: any ReplaySource, _ body: (ReplayTrack) throws -> Void) throws {
        guard case .window = scope else {
            guard case .track(let id) = scope, let track = try source.track(id: id) else { return }
            return try body(track)
        }
        var order: ReplayOrder?
        while let track = try source.track(after: order, from: window.from, to: window.to) {
            try body(track)
            order = track.order
        }
    }
}
