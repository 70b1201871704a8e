import Digest
import Replay
import Tracks

/// A replay source with tracks in memory.
struct SyntheticLibrary: ReplaySource {
    struct Entry {
        var track: ReplayTrack
        var chunks: [PointChunk]
    }

    var entries: [Entry] = []
    var seekIndex: SeekIndex?

    /// Adds a recording, measured as the library does.
    @discardableResult
    mutating func add(
        _ chunks: [PointChunk], id: String? = nil, name: String? = nil, gap: GapRule = .standard, isStream: Bool = false
    ) -> ReplayTrack {
        var measure = TrackSummaryBuilder(gap: gap, isStream: isStream, cleaning: .standard)
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

    func revision() -> String { "\(entries.count)" }

    private func tracks(from: Int64, to: Int64) -> [ReplayTrack] {
        entries.map(\.track).filter { track in
            guard let start = track.start, let end = track.end else { return false }
            return end >= from && start < to
        }.sorted { $0.order < $1.order }
    }
}

/// A point in a test: coordinates in 1e-7°, time in milliseconds.
struct Dot {
    var longitude: Int64
    var latitude: Int64
    var time: Int64?
    var elevation: Int64?
    var isWaypoint = false
    var beginsSegment = false
}

extension [Dot] {
    /// The points in chunks of `size`.
    func chunks(of size: Int = 100) -> [PointChunk] {
        stride(from: 0, to: count, by: size).map { start in
            let dots = self[start..<Swift.min(start + size, count)]
            return PointChunk(
                unit: .decimal(places: 7), longitudes: dots.map(\.longitude), latitudes: dots.map(\.latitude),
                times: dots.map { $0.time ?? PointChunk.untimed },
                segmentStarts: dots.indices.filter { $0 == 0 || dots[$0].beginsSegment }.map { $0 - start },
                fields: [
                    FieldColumn(
                        name: FieldName.elevation,
                        values: .numbers(places: 1, dots.map { $0.elevation ?? FieldColumn.absent })),
                    FieldColumn(
                        name: FieldName.mark,
                        values: .numbers(places: 0, dots.map { $0.isWaypoint ? 1 : FieldColumn.absent })),
                ])
        }
    }
}

/// A pseudorandom generator that gives the same numbers in every run.
struct Dice {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    mutating func roll(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int((state >> 11) % UInt64(limit))
    }

    mutating func once(in times: Int) -> Bool { roll(times) == 0 }
}

extension SyntheticLibrary {
    static let noon: Int64 = 1_700_000_000_000

    /// Tracks of a week with everything that occurs in recordings: pauses, jumps, spikes, points without time, clocks
    /// set back, segments, waypoints, the antimeridian.
    static func random(seed: Int, tracks: Int = 6) -> SyntheticLibrary {
        var library = SyntheticLibrary()
        var dice = Dice(seed: seed)
        for _ in 0..<tracks { library.addRandom(&dice) }
        return library
    }

    mutating func addRandom(_ dice: inout Dice) {
        let isStream = dice.once(in: 4)
        var time = Self.noon + Int64(dice.roll(7 * 24 * 60)) * 60_000
        var (longitude, latitude) = (Int64(dice.roll(3)) * 1_799_990_000 - 1_799_990_000, Int64(dice.roll(600_000_000)))
        if longitude == 0 { longitude = 134_000_000 }
        var dots: [Dot] = []
        for _ in 0..<(3 + dice.roll(40)) {
            var dot = Dot(
                longitude: longitude, latitude: latitude, time: time, elevation: dice.once(in: 3) ? nil : 350,
                isWaypoint: dice.once(in: 12))
            if !isStream {
                dot.beginsSegment = dice.once(in: 15)
                if dice.once(in: 12) { dot.time = nil }
                if dice.once(in: 20) { dot.time = time - Int64(dice.roll(90_000)) }
                if dice.once(in: 20) { (dot.longitude, dot.latitude) = (0, 0) }
            }
            dots.append(dot)
            time += dice.once(in: 8) ? 0 : Int64(dice.roll(dice.once(in: 10) ? 5_400_000 : 20_000))
            longitude += Int64(dice.roll(4000)) - 1000
            latitude += Int64(dice.roll(2000)) - 1000
            if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
            if isStream, dice.once(in: 30) { latitude += 9_000_000 }
        }
        if isStream {
            dots.sort { ($0.time ?? 0, $0.longitude, $0.latitude) < ($1.time ?? 0, $1.longitude, $1.latitude) }
        }
        add(dots.chunks(of: 1 + dice.roll(9)), isStream: isStream)
    }
}

extension SyntheticLibrary {
    /// Adds a stream's track of many points with pauses and waypoints.
    mutating func addLong(_ dice: inout Dice, points: Int) {
        var time = Self.noon
        var (longitude, latitude) = (Int64(134_000_000), Int64(525_000_000))
        var dots: [Dot] = []
        dots.reserveCapacity(points)
        for _ in 0..<points {
            time += 500 + Int64(dice.roll(2000)) + (dice.once(in: 100) ? 2_400_000 : 0)
            longitude += Int64(dice.roll(900)) - 400
            latitude += Int64(dice.roll(900)) - 450
            dots.append(
                Dot(
                    longitude: longitude, latitude: latitude, time: time, elevation: Int64(dice.roll(900)),
                    isWaypoint: dice.once(in: 20)))
        }
        add(dots.chunks(of: 40 + dice.roll(40)), isStream: true)
    }
}
