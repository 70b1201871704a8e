import Tracks

/// What a slider needs to know of a replay before it is played: its tracks with their gaps, how long it plays, and where
/// on the way the points are.
public struct ReplayManifest: Sendable {
    /// As `application/json`: keys in a fixed order, times in milliseconds since 1970.
    public let json: [UInt8]

    /// Why there is none.
    public enum Fault: Error, Equatable {
        /// There is no such track.
        case noSuchTrack
        /// It would have to read, or to list, more than it may.
        case tooMuch(tracks: Int, points: Int)
    }

    /// Tracks that are listed at most: 200 bytes each.
    public static let mostTracks = 5000
    /// Points that are read at most: some seconds' work.
    public static let mostPoints = 5_000_000
    /// Stretches into which the time from the first to the last point is divided: as many as a slider has pixels to show.
    public static let densityBins = 240

    /// The manifest of a query; reads all times and places of its tracks. Throws `CancellationError` soon after
    /// `isCancelled` has become true.
    public init(
        _ query: ReplayQuery, source: any ReplaySource, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        while true {
            do {
                self = try Self.read(query, source, isCancelled)
                return
            } catch is TrackChanged {
                // Points came or went meanwhile: what is read now is as good as what was there then.
            }
        }
    }

    private init(json: [UInt8]) {
        self.json = json
    }

    private struct Entry {
        let track: ReplayTrack
        let runs: TrackRuns
    }

    /// Points between two looks at whether the manifest is still wanted: some milliseconds of reading.
    private static let pointsBetweenLooks = 16_384

    private static func read(
        _ query: ReplayQuery, _ source: any ReplaySource, _ isCancelled: @escaping () -> Bool
    ) throws -> ReplayManifest {
        if case .track(let id) = query.scope, try source.track(id: id) == nil { throw Fault.noSuchTrack }
        var tracks: [ReplayTrack] = []
        var points = 0
        try query.forEachTrack(in: source) { track in
            points += track.points
            guard tracks.count < mostTracks, points <= mostPoints else {
                throw Fault.tooMuch(tracks: tracks.count + 1, points: points)
            }
            tracks.append(track)
            if isCancelled() { throw CancellationError() }
        }
        let window = query.window
        let first = max(tracks.compactMap(\.start).min() ?? 0, window.from)
        let last = max(min(tracks.compactMap(\.end).max() ?? first, window.to), first)
        var density = Density(from: first, to: last)
        var time = PlayingTime(gaps: query.gaps, isTogether: query.isTogether)
        var pointsUntilLook = Self.pointsBetweenLooks
        let entries = try tracks.map { track in
            let runs = try TrackRuns(of: track, from: source, window: window) { time in
                density.add(time)
                pointsUntilLook -= 1
                guard pointsUntilLook <= 0 else { return }
                pointsUntilLook = Self.pointsBetweenLooks
                if isCancelled() { throw CancellationError() }
            }
            time.add(runs, opening: max(track.start ?? window.from, window.from))
            return Entry(track: track, runs: runs)
        }
        return ReplayManifest(json: text(query, entries, time.trackMilliseconds, density))
    }

    private static func text(
        _ query: ReplayQuery, _ entries: [Entry], _ trackMilliseconds: Int64, _ density: Density
    ) -> [UInt8] {
        var json = JSONBytes()
        json.raw("{\"tracks\":[")
        for (index, entry) in entries.enumerated() {
            if index > 0 { json.raw(",") }
            json.add(entry.track, runs: entry.runs)
        }
        json.raw("],\"points\":")
        json.add(density.counts.reduce(0, +))
        json.raw(",\"trackMs\":")
        json.add(trackMilliseconds)
        json.raw(",\"playMs\":")
        if case .steady(let rate) = query.pace {
            json.add(PlayingTime.milliseconds(of: trackMilliseconds, at: rate))
        } else {
            json.raw("null")
        }
        json.raw(",\"density\":{\"from\":")
        json.add(density.from)
        json.raw(",\"to\":")
        json.add(density.to)
        json.raw(",\"points\":[")
        for (index, count) in density.counts.enumerated() {
            if index > 0 { json.raw(",") }
            json.add(count)
        }
        json.raw("]}}\n")
        return json.bytes
    }
}

/// How many points there are in each of equal stretches of time.
private struct Density {
    let from: Int64
    let to: Int64
    private(set) var counts = [Int](repeating: 0, count: ReplayManifest.densityBins)

    init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }

    mutating func add(_ instant: Int64) {
        let share = Double(instant - from) / Double(max(1, to - from))
        counts[min(max(Int(share * Double(counts.count)), 0), counts.count - 1)] += 1
    }
}

extension JSONBytes {
    fileprivate mutating func add(_ track: ReplayTrack, runs: TrackRuns) {
        raw("{\"track\":")
        add(track.id)
        raw(",\"name\":")
        add(track.name)
        raw(",\"start\":")
        add(orNull: track.start)
        raw(",\"end\":")
        add(orNull: track.end)
        raw(",\"points\":")
        add(track.points)
        raw(",\"metres\":")
        add(metres: track.metres)
        raw(",\"gaps\":[")
        for (index, (before, behind)) in zip(runs.runs, runs.runs.dropFirst()).enumerated() {
            raw(index > 0 ? ",[" : "[")
            add(before.upperBound)
            raw(",")
            add(behind.lowerBound)
            raw("]")
        }
        raw("]}")
    }
}
