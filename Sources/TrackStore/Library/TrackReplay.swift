internal import Database
internal import Digest
internal import GridStorage
public import Pins
public import PrimaryStore
public import Replay
public import Statistics
public import Tracks

/// The tracks of a library for a replay. Each query reads a snapshot of its own, which ends with the query.
public struct TrackReplaySource: ReplaySource {
    private let database: TrackDatabase
    private let grid: GridStore
    private let filter: TrackFilter
    /// Which pins with photos are played; none by default.
    public var admitsPhoto: (@Sendable (Pin) -> Bool)?
    /// The pins whose content the reader may have: waypoints of others have no names. nil for all.
    public var admitsContent: (@Sendable (Pin) -> Bool)?
    public let seekIndex: SeekIndex?

    /// The tracks of a layer; nil if there is no such layer. Every query throws
    /// `CancellationError` soon after `isCancelled` returns true.
    public init?(
        _ library: Library, layer: String = LayerDefinition.everything,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        database = library.database
        grid = library.grid
        seekIndex = library.seekIndex
        guard var filter = try library.filter(layer: layer) else { return nil }
        filter.isCancelled = isCancelled
        self.filter = filter
    }

    public func track(id: String) throws -> ReplayTrack? {
        try database.track(id: id).map { ReplayTrack($0) }
    }

    public func track(number: Int64) throws -> ReplayTrack? {
        try database.track(number: number).flatMap { try admits($0) ? ReplayTrack($0) : nil }
    }

    public func track(after order: ReplayOrder?, from: Int64, to: Int64) throws -> ReplayTrack? {
        var found: ReplayTrack?
        try database.read { snapshot in
            try snapshot.forEachTrackWhile(after: order, from: from, to: to) { track in
                guard try admits(track) else { return true }
                found = ReplayTrack(track)
                return false
            }
        }
        return found
    }

    public func track(endingBefore instant: Int64) throws -> ReplayTrack? {
        var found: ReplayTrack?
        try database.read { snapshot in
            try snapshot.session.forEachWhile(
                """
                SELECT \(Track.columns(snapshot.session)) FROM \(Track.tables) WHERE t.state = 0 AND t.finish < $1
                ORDER BY t.finish DESC, t.start DESC, t.digest DESC, t.number DESC
                """, [.integer(instant)]
            ) { row in
                let track = Track(row: row)
                guard try admits(track) else { return true }
                found = ReplayTrack(track)
                return false
            }
        }
        return found
    }

    public func totals(from: Int64, to: Int64) throws -> ReplayTotals {
        var totals = ReplayTotals(tracks: 0, points: 0, trackMilliseconds: 0)
        try database.read { snapshot in
            try snapshot.forEachTrackWhile(after: nil, from: from, to: to) { track in
                guard try admits(track), let start = track.start, let end = track.end else { return true }
                totals.tracks += 1
                totals.points += track.points
                totals.trackMilliseconds &+= min(end, to) &- max(start, from)
                return true
            }
        }
        return totals
    }

    public func maxTracksAtOnce(from: Int64, to: Int64) throws -> Int {
        var starts: [Int64] = []
        var ends: [Int64] = []
        try database.read { snapshot in
            try snapshot.forEachTrackWhile(after: nil, from: from, to: to) { track in
                guard try admits(track), let start = track.start, let end = track.end else { return true }
                starts.append(max(start, from))
                ends.append(end)
                return true
            }
        }
        starts.sort()
        ends.sort()
        var (most, over) = (0, 0)
        // A sweep: of the tracks that have begun until this start, those that ended before it are over.
        for (index, start) in starts.enumerated() {
            while ends[over] < start { over += 1 }
            most = max(most, index + 1 - over)
        }
        return most
    }

    public func points(
        of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int
    ) throws -> PointReading {
        try filter.checkCancellation()
        return try database.read { snapshot in
            guard let now = try snapshot.track(number: track.number), ReplayTrack(now).version == track.version else {
                return .changed
            }
            let wanted: WantedFields = fields ? .only(ReplayFields.names) : OutlierDetector.wanted
            let chunk =
                try track.isStream
                ? snapshot.streamPoints(of: track, at: position, fields: wanted, most: most)
                : snapshot.filePoints(of: track, at: position, fields: wanted, most: most)
            guard let chunk else { return .end }
            guard fields, let admitsContent else { return .points(chunk) }
            return .points(try snapshot.withoutContent(chunk, of: now, admits: admitsContent))
        }
    }

    public func photos(
        after order: ReplayPhoto.Order, of track: ReplayTrack?, limit: Int
    ) throws -> [ReplayPhoto] {
        guard let admitsPhoto else { return [] }
        var found: [ReplayPhoto] = []
        try database.read { snapshot in
            try snapshot.session.forEachWhile(
                """
                SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.photo IS NOT NULL AND p.state = 0
                AND (p.time, p.number) > ($1, $2)
                AND (CAST($3 AS BIGINT) = 0 OR p.person = (SELECT person FROM track WHERE number = $4))
                ORDER BY p.time, p.number
                """,
                [
                    .integer(order.time), .integer(order.number), .integer(track == nil ? 0 : 1),
                    .integer(track?.number ?? 0),
                ]
            ) { row in
                guard let pin = Pin(row: row), let time = pin.time, admitsPhoto(pin) else { return true }
                found.append(
                    ReplayPhoto(
                        pin: pin.id.description, order: ReplayPhoto.Order(time: time, number: row.integer(0)),
                        longitude: pin.place.longitude, latitude: pin.place.latitude, caption: pin.caption))
                return found.count < limit
            }
        }
        return found
    }

    public func trackNumbers(from: Int64?, to: Int64?) throws -> [Int64] {
        var numbers: [Int64] = []
        try database.read { snapshot in
            if from == nil, to == nil {
                try snapshot.session.forEach(
                    """
                    SELECT \(Track.columns(snapshot.session)) FROM \(Track.tables) WHERE t.state = 0 AND t.start IS NULL
                    ORDER BY t.number
                    """
                ) { row in
                    let track = Track(row: row)
                    if try admits(track) { numbers.append(track.number) }
                }
            }
            try snapshot.forEachTrackWhile(after: nil, from: from ?? .min, to: to ?? .max) { track in
                if try admits(track) { numbers.append(track.number) }
                return true
            }
        }
        return numbers
    }

    public func forEachVisit(of track: ReplayTrack?, _ body: (_ track: Int64, TileVisit) -> Void) throws {
        try filter.checkCancellation()
        try grid.read { reader in
            guard let track else { return try reader.forEach(TileVisits.self, body) }
            for visit in try reader.elements(of: TileVisits.self, ofTrack: track.number) { body(track.number, visit) }
        }
    }

    public func countedDays(in calendar: DayCalendar, from: Int64, to: Int64) throws -> CountedDays? {
        let head = try database.head()
        let selected = Set(try trackNumbers(from: from, to: to))
        return try grid.read { reader in
            // A grid that is being built has not all tracks yet.
            guard try reader.state()?.digest == head.digest else { return nil }
            return try reader.countedDays(in: calendar) { number, _ in selected.contains(number) }
        }
    }

    public func revision() throws -> String {
        String(try database.head().digest.description.prefix(16))
    }

    private func admits(_ track: Track) throws -> Bool {
        try filter.checkCancellation()
        return filter.admits(track)
    }
}

extension Library {
    /// The filter for a layer's tracks; nil if there is no layer of this name.
    public func filter(layer name: String) throws -> TrackFilter? {
        var filter = TrackFilter()
        if wholeLayerNames.contains(name) { return filter }
        // A layer of the operator hides an activity that was given the same name later.
        if let layer = try database.layers().first(where: { $0.name == name }) {
            filter.condition = layer.condition
            filter.calendar = try calendar()
            return filter
        }
        // `running` asks for the layer `run`.
        guard let activity = Activity(knownWord: name), try database.activities().contains(activity) else { return nil }
        filter.activity = ActivityFilter(activity.rawValue)
        return filter
    }
}

extension ReplayTrack {
    init(_ track: Track) {
        self.init(
            number: track.number, id: track.id, name: track.name, summary: track.summary, digest: track.digest)
        gap = track.gap
        outlierRule = track.outlierRule
        isStream = track.isStream
    }
}

extension TrackSnapshot {
    /// Calls `body` with the tracks that end at or after `from` and start before `to`, ordered by start, digest and
    /// number, until it returns false.
    fileprivate func forEachTrackWhile(
        after order: ReplayOrder?, from: Int64, to: Int64, _ body: (Track) throws -> Bool
    ) throws {
        let after = order ?? ReplayOrder(start: .min, digest: ContentDigest(of: []), number: .min)
        // The first comparison is for the index, which does not contain digests.
        let comparison =
            order == nil ? "t.start >= $3" : "t.start >= $3 AND (t.start, t.digest, t.number) > ($3, $4, $5)"
        let values: [Value] =
            order == nil
            ? [.integer(Int64.min)]
            : [.integer(after.start), .blob(after.digest.bytes), .integer(after.number)]
        try session.forEachWhile(
            """
            SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.start IS NOT NULL
            AND t.finish >= $1 AND t.start < $2 AND \(comparison) ORDER BY t.start, t.digest, t.number
            """, [.integer(from), .integer(to)] + values
        ) { try body(Track(row: $0)) }
    }

    /// The next points of a file's track; nil at its end. All its chunks but the last are full.
    func filePoints(
        of track: ReplayTrack, at position: ReadingPosition, fields: WantedFields, most: Int
    ) throws -> PointColumns? {
        let (ordinal, first) = position.points.quotientAndRemainder(dividingBy: PointChunk.capacity)
        let chunk = try FileChunks.read(session, of: track.number, ordinal: ordinal, fields: fields)
        guard let chunk, first < chunk.count else { return nil }
        return first == 0 && chunk.count <= most ? chunk : chunk.slice(first..<min(chunk.count, first + most))
    }

    /// The next points of a stream's track; nil at its end.
    ///
    /// A stream is a set ordered by time and place, so a time and a count identify a position however the chunks are
    /// divided.
    func streamPoints(
        of track: ReplayTrack, at position: ReadingPosition, fields: WantedFields, most: Int
    ) throws -> PointColumns? {
        let stream = try session.integer("SELECT stream FROM track WHERE number = $1", [Value.integer(track.number)])
        guard let stream, let start = track.start, let end = track.end else { return nil }
        let first = position.lastTime ?? start
        var seen = position.pointsAtLastTime
        var found: PointColumns?
        try StreamChunks.forEachWhile(session, stream: stream, from: first, to: end, fields: fields) { chunk in
            let slice = chunk.slice(from: first, to: end)
            let old = slice.times.prefix(seen).prefix { $0 == position.lastTime }.count
            seen -= old
            guard slice.count > old else { return true }
            found = slice.slice(old..<min(slice.count, old + most))
            return false
        }
        return found
    }

    /// The next points of a stream's track with all their fields and changes of heading; nil at its end.
    func wholeStreamPoints(of track: ReplayTrack, at position: ReadingPosition, most: Int) throws -> PointColumns? {
        guard let chunk = try streamPoints(of: track, at: position, fields: .all, most: most),
            let stream = try session.integer(
                "SELECT stream FROM track WHERE number = $1", [Value.integer(track.number)])
        else { return nil }
        return try HeadingRows.added(to: chunk, previous: position.lastTime, stream: stream, session)
    }
}
