import Text

/// What a player's slider needs before playback: the tracks with their gaps, the playing time, and the density of
/// points over time.
public struct ReplayManifest: Sendable {
    /// The `application/json` body: keys in a fixed order, times in milliseconds since 1970.
    public let json: [UInt8]

    /// Why there is no manifest.
    public enum Fault: Error, Equatable {
        /// There is no such track.
        case noSuchTrack
        /// The query exceeds the limits of tracks or points.
        case tooMuch(tracks: Int, points: Int)
    }

    /// The maximum number of tracks listed: 200 bytes each.
    public static let maxTracks = 5000
    /// The maximum number of points read: some seconds of work.
    public static let maxPoints = 5_000_000
    /// The number of intervals into which the time from the first to the last point is divided, chosen for the width
    /// of a slider.
    public static let densityBins = 240

    /// The manifest of a query; reads the times and places of all its tracks.
    ///
    /// Throws `CancellationError` soon after `isCancelled` returns true.
    public init(
        _ query: ReplayQuery, source: any ReplaySource, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        while true {
            do {
                self = try Self.read(query, source, isCancelled)
                return
            } catch is TrackChanged {
                // A track changed while it was read: start again with the new data.
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

    /// The number of points between two checks for cancellation: some milliseconds of reading.
    private static let pointsBetweenChecks = 16_384

    private static func read(
        _ query: ReplayQuery, _ source: any ReplaySource, _ isCancelled: @escaping () -> Bool
    ) throws -> ReplayManifest {
        if case .track(let id) = query.scope, try source.track(id: id) == nil { throw Fault.noSuchTrack }
        var tracks: [ReplayTrack] = []
        var points = 0
        try query.forEachTrack(in: source) { track in
            points += track.points
            guard tracks.count < maxTracks, points <= maxPoints else {
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
        var pointsUntilCheck = Self.pointsBetweenChecks
        let entries = try tracks.map { track in
            let runs = try TrackRuns(of: track, from: source, window: window) { time in
                density.add(time)
                pointsUntilCheck -= 1
                guard pointsUntilCheck <= 0 else { return }
                pointsUntilCheck = Self.pointsBetweenChecks
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
        var json = JSONWriter()
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

/// The number of points in each of equal intervals of time.
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

extension JSONWriter {
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
        for (index, (before, after)) in zip(runs.runs, runs.runs.dropFirst()).enumerated() {
            raw(index > 0 ? ",[" : "[")
            add(before.upperBound)
            raw(",")
            add(after.lowerBound)
            raw("]")
        }
        raw("]}")
    }
}
