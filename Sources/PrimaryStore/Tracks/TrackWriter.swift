package import Database
internal import Digest
import Tracks

/// The only writer of a process: its session, and the recordings that wait to be written in one transaction.
package struct TrackWriter {
    package let session: any Session
    private let database: any Database
    package let now: @Sendable () -> Int64
    let library: String
    private var pending: [ClosedRecording] = []
    private var pendingBytes = 0
    private var pendingPins: [ClosedPins] = []
    /// The library with which a dry run compares; nil except in a dry run.
    let comparedLibrary: (any ComparedLibrary)?
    /// Whether ids of new tracks are not those that they will have: in a dry run without a library.
    let hasProvisionalIDs: Bool
    /// Tracks with provisional rows that are no longer needed; `TrackDatabase.write` deletes them.
    private var unneededProvisional: [Int64] = []
    /// New tracks of files without waypoints, with the revisions that added them: nobody needs to search them for pins.
    private(set) var tracksWithoutWaypoints: [Int64: Int64] = [:]
    /// This process as the owner of provisional rows.
    private var provisionalOwner: (name: String, lock: any HeldLock)?

    /// The limits of one transaction in bytes and recordings; both take well under 100 ms.
    private static let batchBytes = 4 << 20
    private static let batchCount = 400

    init(
        session: any Session, database: any Database, now: @escaping @Sendable () -> Int64,
        comparedLibrary: (any ComparedLibrary)? = nil, hasProvisionalIDs: Bool = false
    ) throws {
        self.hasProvisionalIDs = hasProvisionalIDs
        self.session = session
        self.comparedLibrary = comparedLibrary
        self.database = database
        self.now = now
        guard let library = try Meta.text("library", session) else {
            throw LibraryError.damaged(path: session.databaseName, what: "the library's id is missing")
        }
        self.library = library
    }

    /// Stores a recording at the next flush. The outcome is added to that of its file when it is durable: only the
    /// transaction that stores a recording knows what other processes have stored before.
    mutating func add(_ given: ClosedRecording) throws {
        var recording = given
        if recording.header.person?.isEmpty == true { recording.header.person = nil }
        if recording.header.device?.isEmpty == true { recording.header.device = nil }
        if recording.header.device != nil, recording.summary.untimed < recording.summary.points {
            return try addToStream(recording)
        }
        if recording.header.gap != .standard || recording.summary.needsOutlierSearch {
            try remeasure(&recording, outlierRule: recording.outlierRule)
        }
        try addFile(recording)
    }

    package mutating func addFile(_ recording: ClosedRecording) throws {
        // If an earlier flush failed (full disk), nothing more is accepted until a flush succeeds, so that memory is
        // limited.
        if isBatchFull { try flush() }
        pending.append(recording)
        pendingBytes += recording.byteCount
        if isBatchFull { try flush() }
    }

    /// Stores pins at the next flush.
    mutating func add(_ pins: ClosedPins) throws {
        if isBatchFull { try flush() }
        pendingPins.append(pins)
        pendingBytes += pins.byteCount
        if isBatchFull { try flush() }
    }

    private var isBatchFull: Bool {
        pendingBytes >= Self.batchBytes || pending.count >= Self.batchCount
    }

    /// Writes the waiting recordings in one transaction.
    package mutating func flush() throws {
        guard !pending.isEmpty || !pendingPins.isEmpty else { return }
        let (outcomes, pinOutcomes, withoutWaypoints, revision) = try session.transaction {
            var draft = ChangeLog.Draft()
            var reads = RepeatedReads()
            var withoutWaypoints: [Int64] = []
            let outcomes = try pending.map { recording in
                let added = draft.added.count
                defer { if recording.waypoints == 0 { withoutWaypoints += draft.added[added...] } }
                return try apply(recording, &reads, &draft)
            }
            let pinOutcomes = try pendingPins.map { try apply($0, &draft) }
            return (outcomes, pinOutcomes, withoutWaypoints, try ChangeLog.append(draft, time: now(), session))
        }
        for number in withoutWaypoints { tracksWithoutWaypoints[number] = revision }
        for (recording, outcome) in zip(pending, outcomes) { recording.collector.add(outcome) }
        for (pins, outcome) in zip(pendingPins, pinOutcomes) { pins.collector.add(outcome) }
        pendingPins.removeAll()
        let provisionalTrack = pending.compactMap(\.provisionalTrack)
        pending.removeAll()
        pendingBytes = 0
        // Those that became tracks are no longer provisional; the points of the others are stored already.
        provisionalTrack.forEach { discardProvisional($0) }
    }

    /// Forgets which of the tracks that were added up to a revision have no waypoints.
    mutating func forgetTracksWithoutWaypoints(addedUpTo revision: Int64) {
        tracksWithoutWaypoints = tracksWithoutWaypoints.filter { $0.value > revision }
    }

    /// Discards the closed but unwritten recordings of an import, for example after a failed flush.
    package mutating func discardPending(ofImport number: Int64) {
        pendingPins.removeAll { $0.origin.importNumber == number }
        let kept = pending.filter { $0.origin.importNumber != number }
        guard kept.count < pending.count else { return }
        for provisionalTrack in pending.filter({ $0.origin.importNumber == number }).compactMap(\.provisionalTrack) {
            discardProvisional(provisionalTrack)
        }
        pending = kept
        pendingBytes = kept.reduce(0) { $0 + $1.byteCount } + pendingPins.reduce(0) { $0 + $1.byteCount }
    }

    // MARK: Provisional rows of recordings that are being read

    /// Writes chunks under a provisional track number, which is created with the first of them.
    mutating func writeProvisional(_ chunks: [[UInt8]], number: Int64?, firstOrdinal: Int) throws -> Int64 {
        let owner = try ownProvisionalRows()
        return try session.transaction {
            let track =
                try number
                ?? session.inserted(
                    "INSERT INTO track (state, session) VALUES ($1, $2) RETURNING number",
                    [TrackState.provisional, .text(owner)])
            for (index, bytes) in chunks.enumerated() {
                try FileChunks.write(session, of: track, ordinal: firstOrdinal + index, bytes)
            }
            return track
        }
    }

    /// Notes that the rows under a track number are no longer needed if it is still provisional.
    mutating func discardProvisional(_ number: Int64) {
        unneededProvisional.append(number)
    }

    /// The tracks whose provisional rows are to be deleted, once.
    mutating func takeUnneededProvisional() -> [Int64] {
        defer { unneededProvisional.removeAll() }
        return unneededProvisional
    }

    /// Deletes some chunks under a track number if it is still provisional; returns false if nothing is left.
    func deleteSomeProvisional(_ number: Int64) throws -> Bool {
        try session.transaction {
            let isProvisional = try session.integer(
                "SELECT 1 FROM track WHERE number = $1 AND state = 2 AND id IS NULL", [.integer(number)])
            guard isProvisional != nil else { return false }
            if try FileChunks.delete(session, of: number, limit: Self.deletedChunks) { return true }
            try session.run("DELETE FROM track WHERE number = $1 AND state = 2 AND id IS NULL", [.integer(number)])
            return false
        }
    }

    /// The tracks with provisional rows of killed processes.
    func abandonedProvisional() throws -> [Int64] {
        let left = try session.rows("SELECT number, session FROM track WHERE state = 2 AND id IS NULL") {
            (number: $0.integer(0), owner: $0.text(1))
        }
        return try left.filter { try !database.isLocked(.importing($0.owner)) }.map(\.number)
    }

    /// Removes the locks of killed processes.
    func removeAbandonedLocks() throws {
        try database.removeAbandonedLocks()
    }

    /// Takes the lock that keeps provisional rows of this process; returns its name.
    private mutating func ownProvisionalRows() throws -> String {
        if let provisionalOwner { return provisionalOwner.name }
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        provisionalOwner = (name, try database.lock(.importing(name)))
        return name
    }

    // MARK: Persons and ids

    func knownPerson(_ name: String?) throws -> Int64? {
        guard let name else { return 1 }
        return try TrackSnapshot(session: session).personNumber(named: name)
    }

    func person(_ name: String?) throws -> Int64 {
        if let known = try knownPerson(name) { return known }
        return try session.inserted("INSERT INTO person (name) VALUES ($1) RETURNING number", [.text(orNull: name)])
    }

    func liveFile(person: Int64, digest: ContentDigest) throws -> Int64? {
        let query = liveFileQuery(person: person, digest: digest)
        return try session.integer(query.sql, query.values)
    }

    func liveFileQuery(person: Int64, digest: ContentDigest) -> Query {
        Query(
            "SELECT number FROM track WHERE person = $1 AND digest = $2 AND state = 0 AND stream IS NULL",
            [.integer(person), .blob(digest.bytes)])
    }

    /// An id that cannot be guessed without knowing the library, and that the same content gets again.
    func newID(_ content: (inout Digester) -> Void) throws -> String {
        var attempt = 0
        while true {
            let id = Self.id(library: library, attempt: attempt, content)
            let query = Self.idQuery(id)
            if try session.integer(query.sql, query.values) == nil { return id }
            attempt += 1
        }
    }

    /// The statement that tells whether an id is taken.
    static func idQuery(_ id: String) -> Query {
        Query("SELECT 1 FROM track WHERE id = $1 UNION ALL SELECT 1 FROM alias WHERE id = $1", [.text(id)])
    }

    /// Ten characters of 6 bits; `newID` tries again if the id is taken.
    static func id(library: String, attempt: Int, _ content: (inout Digester) -> Void) -> String {
        var digester = Digester()
        digester.update(library)
        digester.update(attempt)
        content(&digester)
        var rest = digester.finish().first64
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for position in 0..<10 {
            // The first character is never a dash or underscore: on a command line, a dash begins an option.
            text.append(alphabet[Int(position == 0 ? rest % 62 : rest & 63)])
            rest >>= 6
        }
        return text
    }
}
