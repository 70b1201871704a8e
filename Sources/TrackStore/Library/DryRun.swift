internal import Database
import Digest
internal import Pins
public import PrimaryStore
internal import Tracks

extension TrackDatabase {
    /// A temporary database for a dry run: imports into it have the outcome that they would have in `library`, which is
    /// not changed. nil stands for a new library. It is deleted with the last reference.
    ///
    /// It knows the persons and devices of the library from the beginning, other rows when an import needs them; only the
    /// former unless `comparing`, so that recordings that the library has are new to it.
    public static func dryRun(of library: TrackDatabase?, comparing: Bool = true) throws -> TrackDatabase {
        let storage = try (library?.storage ?? Library.storage(in: "")).temporaryStorage()
        return try TrackDatabase(
            dryRunIn: storage, comparedWith: try library.map { try ComparedDatabase($0, comparing: comparing) })
    }
}

/// A database with which the recordings of a dry run are compared.
private final class ComparedDatabase: ComparedLibrary {
    private let library: TrackDatabase
    /// Later tracks are not seen, so that their numbers are free.
    private let lastTrack: Int64
    /// Whether recordings are compared with those of the library.
    private let comparing: Bool

    init(_ library: TrackDatabase, comparing: Bool) throws {
        self.library = library
        self.comparing = comparing
        lastTrack = try library.read { try $0.session.integer("SELECT max(number) FROM track") ?? 0 }
    }

    func copyBasics(into session: any Session) throws {
        try library.read { snapshot in
            try session.transaction {
                for name in ["library", "zone", "cleaning"] {
                    guard let text = try Meta.text(name, snapshot.session) else { continue }
                    try Meta.set(name, to: .text(text), session)
                }
                try Self.person.copy("number > 1", [], from: snapshot.session, into: session)
                try Self.stream.copy("number > 0", [], from: snapshot.session, into: session)
                // New tracks get numbers after those of the library.
                try session.run("INSERT INTO track (number, state) VALUES ($1, 1)", [.integer(lastTrack + 1)])
                try session.run("DELETE FROM track WHERE number = $1", [.integer(lastTrack + 1)])
            }
        }
    }

    func has(_ recording: ClosedRecording) throws -> Bool {
        guard comparing else { return false }
        return try library.read { snapshot in
            try snapshot.session.integer(
                """
                SELECT 1 FROM track JOIN person ON person.number = track.person
                WHERE coalesce(person.name, '') = $1 AND digest = $2 AND state = 0 AND stream IS NULL
                AND track.number <= $3
                """,
                [
                    .text(recording.header.person ?? ""), .blob(recording.digest.bytes), .integer(lastTrack),
                ]) != nil
        }
    }

    func has(_ pin: PinID) throws -> Bool {
        guard comparing else { return false }
        return try library.read { try $0.pin(pin) != nil }
    }

    func similarTracks(of summary: TrackSummary, person: Int64) throws -> [String] {
        guard comparing else { return [] }
        return try library.read { try SimilarTracks.ids($0.session, of: summary, person: person, except: []) }
    }

    func copyTracks(startingAt start: Int64, person: Int64, into session: any Session) throws {
        guard comparing else { return }
        try library.read { snapshot in
            let numbers = try snapshot.session.rows(
                """
                SELECT number FROM track WHERE start = $1 AND state = 0 AND person + 0 = $2 AND stream IS NULL
                AND number <= $3 ORDER BY number DESC LIMIT $4
                """,
                [
                    .integer(start), .integer(person), .integer(lastTrack),
                    .integer(TrackWriter.continuationLimit),
                ]
            ) { $0.integer(0) }
            for number in numbers {
                let known = try session.integer("SELECT 1 FROM track WHERE number = $1", [.integer(number)])
                guard known == nil else { continue }
                let keys = TrackSchema.chunkKeys(of: number)
                try Self.track.copy("number = $1", [.integer(number)], from: snapshot.session, into: session)
                try Self.annotation.copy("track = $1", [.integer(number)], from: snapshot.session, into: session)
                try Self.chunk.copy(
                    "key BETWEEN $1 AND $2", [.integer(keys.lowerBound), .integer(keys.upperBound)],
                    from: snapshot.session, into: session)
            }
        }
    }

    func copyStream(of header: RecordingHeader, into session: any Session) throws {
        guard comparing else { return }
        let stream = try session.integer(
            """
            SELECT stream.number FROM stream JOIN person ON person.number = stream.person
            WHERE coalesce(person.name, '') = $1 AND device = $2
            """, [.text(header.person ?? ""), .text(header.device ?? "")])
        guard let stream else { return }
        let isKnown = try session.integer(
            "SELECT 1 FROM stream_chunk WHERE stream = $1 LIMIT 1", [.integer(stream)])
        guard isKnown == nil else { return }
        try library.read { snapshot in
            try session.transaction {
                try Self.streamChunk.copy(
                    "stream = $1", [.integer(stream)], from: snapshot.session, into: session)
                try Self.track.copy(
                    "stream = $1 AND state = 0 AND number <= $2", [.integer(stream), .integer(lastTrack)],
                    from: snapshot.session, into: session)
                try Self.annotation.copy(
                    "track IN (SELECT number FROM track WHERE stream = $1 AND state = 0 AND number <= $2)",
                    [.integer(stream), .integer(lastTrack)], from: snapshot.session, into: session)
            }
        }
    }

    private static let person = CopiedTable("person", integers: ["number"], texts: ["name"])
    private static let stream = CopiedTable(
        "stream", integers: ["number", "person", "gap"], texts: ["device", "name", "activity", "source", "notes"])
    private static let track = CopiedTable(
        "track",
        integers: [
            "number", "state", "person", "stream", "gap", "start", "finish", "span", "points", "untimed", "west",
            "south", "east", "north", "anchor",
        ],
        texts: ["id", "name", "activity", "source", "device", "notes", "marked", "long_segments"],
        reals: ["metres"], blobs: ["digest"])
    private static let annotation = CopiedTable("track_annotation", integers: ["track"], blobs: ["bytes"])
    private static let chunk = CopiedTable("chunk", integers: ["key"], blobs: ["bytes"])
    private static let streamChunk = CopiedTable(
        "stream_chunk",
        integers: ["stream", "first_time", "last_time", "first_east", "first_north", "points"], blobs: ["bytes"])
}

/// A table with the columns that a dry run copies.
private struct CopiedTable {
    let name: String
    let integers: [String]
    let texts: [String]
    let reals: [String]
    let blobs: [String]

    init(
        _ name: String, integers: [String], texts: [String] = [], reals: [String] = [], blobs: [String] = []
    ) {
        self.name = name
        self.integers = integers
        self.texts = texts
        self.reals = reals
        self.blobs = blobs
    }

    /// Copies rows.
    func copy(
        _ condition: String, _ values: [Value], from source: any Session, into session: any Session
    ) throws {
        let columns = integers + texts + reals + blobs
        let list = columns.joined(separator: ", ")
        let parameters = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try source.forEach("SELECT \(list) FROM \(name) WHERE \(condition)", values) { row in
            try session.run("INSERT INTO \(name) (\(list)) VALUES (\(parameters))", self.values(of: row))
        }
    }

    private func values(of row: any Row) -> [Value] {
        var column = 0
        func next(_ columns: [String], _ value: (Int) -> Value) -> [Value] {
            defer { column += columns.count }
            return (column..<column + columns.count).map { row.isNull($0) ? .null : value($0) }
        }
        return next(integers) { .integer(row.integer($0)) } + next(texts) { .text(row.text($0)) }
            + next(reals) { .real(row.real($0)) } + next(blobs) { .blob(row.blob($0)) }
    }
}
