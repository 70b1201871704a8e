import Digest
import Replay
import Statistics
import TestSupport
import TileMath
import Tracks

/// A replay source with tracks in memory.
struct SyntheticLibrary: ReplaySource {
    struct Entry {
        var track: ReplayTrack
        var chunks: [PointColumns]
    }

    var entries: [Entry] = []
    var seekIndex: SeekIndex?
    /// Ascending.
    var photos: [ReplayPhoto] = []

    /// Adds a recording, measured as the library does.
    @discardableResult
    mutating func add(
        _ chunks: [PointColumns], id: String? = nil, name: String? = nil, gap: GapRule = .standard,
        isStream: Bool = false
    ) -> ReplayTrack {
        var measure = TrackSummaryBuilder(gap: gap, isStream: isStream, outlierRule: .standard)
        var digest = RecordingDigest()
        for chunk in chunks {
            measure.add(chunk)
            digest.add(chunk)
        }
        let summary = measure.finish()
        let number = Int64(entries.count + 1)
        var track = ReplayTrack(
            number: number, id: id ?? "t\(number)", name: name, summary: summary, digest: digest.finish())
        track.gap = gap
        track.isStream = isStream
        entries.append(Entry(track: track, chunks: chunks))
        return track
    }

    func track(id: String) -> ReplayTrack? { entries.first { $0.track.id == id }?.track }
    func track(number: Int64) -> ReplayTrack? { entries.first { $0.track.number == number }?.track }

    func track(after order: ReplayOrder?, from: Int64, to: Int64) -> ReplayTrack? {
        tracks(from: from, to: to).first { track in order.map { $0 < track.order } ?? true }
    }

    func track(endingBefore instant: Int64) -> ReplayTrack? {
        entries.map(\.track).filter { $0.end.map { $0 < instant } ?? false }
            .max { ($0.end ?? 0, $0.order) < ($1.end ?? 0, $1.order) }
    }

    func totals(from: Int64, to: Int64) -> ReplayTotals {
        let met = tracks(from: from, to: to)
        return ReplayTotals(
            tracks: met.count, points: met.reduce(0) { $0 + $1.points },
            trackMilliseconds: met.reduce(0) { $0 + min($1.end ?? 0, to) - max($1.start ?? 0, from) })
    }

    func maxTracksAtOnce(from: Int64, to: Int64) -> Int {
        let met = tracks(from: from, to: to)
        return met.map { track in
            let start = max(track.start ?? 0, from)
            return met.filter { max($0.start ?? 0, from) <= start && $0.end ?? 0 >= start }.count
        }.max() ?? 0
    }

    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) -> PointReading {
        guard let entry = entries.first(where: { $0.track.number == track.number }), entry.track.digest == track.digest
        else { return .changed }
        return position.chunks < entry.chunks.count ? .points(entry.chunks[position.chunks]) : .end
    }

    /// A third of the photos are those of the person of a track.
    func photos(after order: ReplayPhoto.Order, of track: ReplayTrack?, limit: Int) -> [ReplayPhoto] {
        let own = photos.filter { photo in track.map { photo.order.number % 3 == $0.number % 3 } ?? true }
        return Array(own.filter { $0.order > order }.prefix(limit))
    }

    func trackNumbers(from: Int64?, to: Int64?) -> [Int64] {
        let untimed = entries.map(\.track).filter { $0.start == nil && from == nil && to == nil }
        return (untimed + tracks(from: from ?? .min, to: to ?? .max)).map(\.number)
    }

    /// Each point is a visit.
    func forEachVisit(of track: ReplayTrack?, _ body: (Int64, TileVisit) -> Void) {
        for entry in entries where track.map({ $0.number == entry.track.number }) ?? true {
            for chunk in entry.chunks {
                for index in 0..<chunk.count {
                    let point = WorldPoint(
                        longitude: Double(chunk.longitudes[index]) / 1e7, latitude: Double(chunk.latitudes[index]) / 1e7
                    )
                    let time = chunk.times[index] == PointColumns.untimed ? nil : chunk.times[index]
                    let tile = ExplorerTile(x: Int(point.x >> 15), y: Int(point.y >> 15))
                    body(entry.track.number, TileVisit(tile: tile, enter: time, exit: time))
                }
            }
        }
    }

    func revision() -> String { "\(entries.count)" }

    private func tracks(from: Int64, to: Int64) -> [ReplayTrack] {
        entries.map(\.track).filter { track in
            guard let start = track.start, let end = track.end else { return false }
            return end >= from && start < to
        }.sorted { $0.order < $1.order }
    }
}

extension SyntheticLibrary {
    static let noon: Int64 = 1_700_000_000_000

    /// Tracks of a week with everything that occurs in recordings: pauses, jumps, spikes, points without time, clocks
    /// set back, segments, waypoints, the antimeridian.
    static func random(seed: Int, tracks: Int = 6) -> SyntheticLibrary {
        var library = SyntheticLibrary()
        var random = SeededRandom(seed: seed)
        for _ in 0..<tracks { library.addRandom(&random) }
        return library
    }

    mutating func addRandom(_ random: inout SeededRandom) {
        let isStream = random.once(in: 4)
        var time = Self.noon + Int64(random.below(7 * 24 * 60)) * 60_000
        var (longitude, latitude) = (
            Int64(random.below(3)) * 1_799_990_000 - 1_799_990_000, Int64(random.below(600_000_000))
        )
        if longitude == 0 { longitude = 134_000_000 }
        var dots: [TestPoint] = []
        for _ in 0..<(3 + random.below(40)) {
            var dot = TestPoint(
                longitude: longitude, latitude: latitude, time: time, elevation: random.once(in: 3) ? nil : 350,
                isWaypoint: random.once(in: 12))
            if !isStream {
                dot.beginsSegment = random.once(in: 15)
                if random.once(in: 12) { dot.time = nil }
                if random.once(in: 20) { dot.time = time - Int64(random.below(90_000)) }
                if random.once(in: 20) { (dot.longitude, dot.latitude) = (0, 0) }
            }
            dots.append(dot)
            time += random.once(in: 8) ? 0 : Int64(random.below(random.once(in: 10) ? 5_400_000 : 20_000))
            longitude += Int64(random.below(4000)) - 1000
            latitude += Int64(random.below(2000)) - 1000
            if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
            if isStream, random.once(in: 30) { latitude += 9_000_000 }
        }
        if isStream {
            dots.sort { ($0.time ?? 0, $0.longitude, $0.latitude) < ($1.time ?? 0, $1.longitude, $1.latitude) }
        }
        add(dots.chunks(of: 1 + random.below(9)), isStream: isStream)
    }
}

extension SyntheticLibrary {
    /// Adds a stream's track of many points with pauses and waypoints.
    mutating func addLong(_ random: inout SeededRandom, points: Int) {
        var time = Self.noon
        var (longitude, latitude) = (Int64(134_000_000), Int64(525_000_000))
        var dots: [TestPoint] = []
        dots.reserveCapacity(points)
        for _ in 0..<points {
            time += 500 + Int64(random.below(2000)) + (random.once(in: 100) ? 2_400_000 : 0)
            longitude += Int64(random.below(900)) - 400
            latitude += Int64(random.below(900)) - 450
            dots.append(
                TestPoint(
                    longitude: longitude, latitude: latitude, time: time, elevation: Int64(random.below(900)),
                    isWaypoint: random.once(in: 20)))
        }
        add(dots.chunks(of: 40 + random.below(40)), isStream: true)
    }
}
