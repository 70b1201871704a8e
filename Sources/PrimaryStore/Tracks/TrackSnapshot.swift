package import Database
public import Digest
import TrackQuery
public import Tracks

/// A snapshot of the primary store, valid only within `TrackDatabase.read`.
public struct TrackSnapshot {
    package let session: any Session

    /// Creates a snapshot of what a session reads.
    package init(session: any Session) {
        self.session = session
    }

    /// The newest revision and the digest of the log at it.
    public func head() throws -> Head {
        try ChangeLog.head(session)
    }

    /// The digest of the log at a revision; nil if the log does not have this revision.
    public func digest(at revision: Int64) throws -> ContentDigest? {
        if revision == 0 {
            let library = try Meta.text("library", session) ?? ""
            return ContentDigest(of: Array(library.utf8))
        }
        return try session.first("SELECT digest FROM change WHERE revision = $1", [.integer(revision)]) {
            ContentDigest(bytes: $0.blob(0))
        } ?? nil
    }

    /// The changes after a revision, in order.
    public func changes(since revision: Int64) throws -> [Change] {
        try session.rows(
            "SELECT revision, time, tracks, digest FROM change WHERE revision > $1 ORDER BY revision",
            [.integer(revision)]
        ) { try ChangeLog.change(of: $0, in: session) }
    }

    /// The library's time zone: its IANA name.
    public func zone() throws -> String {
        try Meta.text("zone", session) ?? "UTC"
    }

    /// The rule that excludes outliers.
    public func outlierRule() throws -> OutlierRule {
        RowCoding.outlierRule(try Meta.text("cleaning", session))
    }

    /// A track; nil if it does not exist.
    public func track(number: Int64) throws -> Track? {
        try session.first(
            "SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.number = $1 AND t.state = 0",
            [.integer(number)]
        ) { Track(row: $0) }
    }

    /// A track by its id, or by the id of a track that was merged into it.
    public func track(id: String) throws -> Track? {
        let known = try session.first(
            "SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.id = $1 AND t.state = 0", [.text(id)]
        ) { Track(row: $0) }
        if let known { return known }
        guard let number = try session.integer("SELECT track FROM alias WHERE id = $1", [.text(id)]) else {
            return nil
        }
        return try track(number: number)
    }

    /// The numbers of all tracks, ascending.
    public func trackNumbers() throws -> [Int64] {
        try session.rows("SELECT number FROM track WHERE state = 0 ORDER BY number") { $0.integer(0) }
    }

    /// The numbers of tracks and of points.
    public func totals() throws -> (tracks: Int, points: Int) {
        // The cast is for PostgreSQL, where the sum of BIGINT is NUMERIC; SQLite ignores it.
        try session.first("SELECT count(*), CAST(coalesce(sum(points), 0) AS BIGINT) FROM track WHERE state = 0") {
            (Int($0.integer(0)), Int($0.integer(1)))
        } ?? (0, 0)
    }

    /// The number of points of those of the tracks that exist.
    public func points(ofTracks numbers: [Int64]) throws -> Int {
        var sum = 0
        // A statement for each range of numbers without large gaps, rather than for each number.
        var rest = Set(numbers).sorted()[...]
        while let first = rest.first {
            let end = zip(rest.indices, rest.dropFirst()).first { $1 - rest[$0] > Self.rangeGap }.map { $0.0 + 1 }
            let range = rest[..<(end ?? rest.endIndex)]
            rest = rest[range.endIndex...]
            var wanted = range
            try session.forEach(
                "SELECT number, points FROM track WHERE number BETWEEN $1 AND $2 AND state = 0 ORDER BY number",
                [.integer(first), .integer(range.last ?? first)]
            ) { row in
                let number = row.integer(0)
                while let next = wanted.first, next < number { wanted.removeFirst() }
                if wanted.first == number { sum += Int(row.integer(1)) }
            }
        }
        return sum
    }

    /// Other tracks that are read between two wanted ones cost less than another statement.
    private static let rangeGap: Int64 = 8

    /// The number of points of a device in the streams of all persons; nil if there is no device with this name.
    public func points(ofDevice device: String) throws -> Int? {
        let streams = try session.integer("SELECT count(*) FROM stream WHERE device = $1", [.text(device)]) ?? 0
        guard streams > 0 else { return nil }
        let points = try session.integer(
            """
            SELECT CAST(sum(points) AS BIGINT) FROM stream_chunk WHERE stream IN (SELECT number FROM stream WHERE device = $1)
            """, [.text(device)])
        return Int(points ?? 0)
    }

    /// All persons, the owner first.
    public func persons() throws -> [Person] {
        try session.rows("SELECT number, name FROM person ORDER BY number") {
            Person(number: $0.integer(0), name: $0.textOrNil(1))
        }
    }

    /// The number of the person with this name; nil if there is none. The owner of the library has no name.
    public func personNumber(named name: String) throws -> Int64? {
        try session.integer("SELECT number FROM person WHERE name = $1", [.text(name)])
    }

    /// The number of a person; nil and an empty name mean the owner of the library. nil if there is no such person.
    package func personNumber(orOwner name: String?) throws -> Int64? {
        try session.integer(
            "SELECT number FROM person WHERE coalesce(name, '') = $1 ORDER BY number", [.text(name ?? "")])
    }

    /// The names of persons by their numbers; nil for the owner.
    package func personNames() throws -> [Int64: String?] {
        Dictionary(try persons().map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The activities of all tracks, ordered by name.
    public func activities() throws -> [Activity] {
        Set(try activityWords().compactMap { Activity(word: $0) }).sorted { $0.rawValue < $1.rawValue }
    }

    /// The words of all tracks for their activities, from files and from the owner's edits, ordered.
    func activityWords() throws -> [String] {
        try session.rows(
            """
            SELECT DISTINCT coalesce(e.activity, t.activity) AS activity FROM track t LEFT JOIN edit e ON e.track = t.number
            WHERE t.state = 0 AND coalesce(e.activity, t.activity) IS NOT NULL ORDER BY activity
            """
        ) { $0.text(0) }
    }

    /// Tracks newest first, those without times last. `after` is the `next` of the previous page; nil is returned if it
    /// is invalid.
    public func tracks(
        _ filter: TrackFilter = TrackFilter(), limit: Int, after: String? = nil
    ) throws -> TrackPage? {
        var cursor = TrackCursor.beginning
        if let after {
            guard let given = TrackCursor(after) else { return nil }
            cursor = given
        }
        var page = TrackPage(tracks: [], next: nil)
        if case .timed(let start, let number) = cursor {
            try gather(
                """
                SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.start IS NOT NULL
                AND (t.start, t.number) < ($1, $2) AND t.start < $3 ORDER BY t.start DESC, t.number DESC
                """,
                [.integer(start), .integer(number), .integer(filter.to ?? .max)], filter, limit, &page)
            cursor = .untimed(number: .max)
        }
        if page.next == nil, case .untimed(let number) = cursor, filter.from == nil, filter.to == nil {
            try gather(
                """
                SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 AND t.start IS NULL AND t.number < $1
                ORDER BY t.number DESC
                """,
                [.integer(number)], filter, limit, &page)
        }
        return page
    }

    private func gather(
        _ sql: String, _ values: [Value], _ filter: TrackFilter, _ limit: Int,
        _ page: inout TrackPage
    ) throws {
        try session.forEachWhile(sql, values) { row in
            let track = Track(row: row)
            try filter.checkCancellation()
            guard filter.admits(track) else { return true }
            guard page.tracks.count < limit else {
                page.next = page.tracks.last.map { TrackCursor(after: $0).description }
                return false
            }
            page.tracks.append(track)
            return true
        }
    }

    /// Calls `body` with a track's chunks in order: file order, or time order for streams.
    ///
    /// Does nothing if the track does not exist. `fields` selects the decoded fields.
    public func forEachChunk(ofTrack number: Int64, fields: WantedFields = .all, _ body: (PointColumns) throws -> Void)
        throws
    {
        let kind = try session.first(
            "SELECT stream, start, finish FROM track WHERE number = $1 AND state = 0", [.integer(number)]
        ) { (stream: $0.integerOrNil(0), start: $0.integer(1), end: $0.integer(2)) }
        guard let kind else { return }
        if let stream = kind.stream {
            try StreamChunks.forEach(session, stream: stream, from: kind.start, to: kind.end, fields: fields) {
                let slice = $0.slice(from: kind.start, to: kind.end)
                if slice.count > 0 { try body(slice) }
            }
        } else {
            try FileChunks.forEach(session, of: number, fields: fields, body)
        }
    }
}

/// The position in a list of tracks: `T` start `.` number, or `U` number.
enum TrackCursor: CustomStringConvertible {
    case timed(start: Int64, number: Int64)
    case untimed(number: Int64)

    static let beginning = TrackCursor.timed(start: .max, number: .max)

    init(after track: Track) {
        self = track.start.map { .timed(start: $0, number: track.number) } ?? .untimed(number: track.number)
    }

    init?(_ text: String) {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        if text.hasPrefix("T"), parts.count == 2, let start = parts[0], let number = parts[1] {
            self = .timed(start: start, number: number)
        } else if text.hasPrefix("U"), parts.count == 1, let number = parts[0] {
            self = .untimed(number: number)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .timed(let start, let number): "T\(start).\(number)"
        case .untimed(let number): "U\(number)"
        }
    }
}

extension TrackFilter {
    /// Whether a track passes the filter.
    package func admits(_ track: Track) -> Bool {
        if let from { guard let end = track.end, end >= from else { return false } }
        if let to { guard let start = track.start, start < to else { return false } }
        if let activity, !activity.admits(track.activityWord) { return false }
        if let person, track.person != person { return false }
        if let bounds { guard let box = track.bounds, box.intersects(bounds) else { return false } }
        if let condition, let calendar, !condition.admits(track.facts, in: calendar) { return false }
        return true
    }

    /// Throws `CancellationError` if nobody needs the tracks any more.
    package func checkCancellation() throws {
        if isCancelled() { throw CancellationError() }
    }
}

extension TrackSnapshot {
    /// Calls `body` with each track, by track number.
    package func forEachTrack(_ body: (Track) throws -> Void) throws {
        try session.forEach(
            "SELECT \(Track.columns(session)) FROM \(Track.tables) WHERE t.state = 0 ORDER BY t.number"
        ) { try body(Track(row: $0)) }
    }
}
