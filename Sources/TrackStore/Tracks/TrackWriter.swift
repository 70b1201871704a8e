internal import Database
internal import Digest
internal import Tracks

/// The only writer of a process: its session, and the recordings that wait to be written in one transaction.
struct TrackWriter {
    let session: any Session
    private let database: any Database
    let now: @Sendable () -> Int64
    let library: String
    private var pending: [ClosedRecording] = []
    private var pendingBytes = 0
    private var pendingKeys: [PendingKey: Int] = [:]
    /// This process as the owner of provisional rows.
    private var provisionalOwner: (name: String, lock: any HeldLock)?

    private struct PendingKey: Hashable {
        var person: String?
        var digest: ContentDigest
    }

    /// The limits of one transaction in bytes and recordings; both take well under 100 ms.
    private static let batchBytes = 4 << 20
    private static let batchCount = 400

    init(session: any Session, database: any Database, now: @escaping @Sendable () -> Int64) throws {
        self.session = session
        self.database = database
        self.now = now
        guard let library = try Meta.text("library", session) else {
            throw LibraryError.damaged(path: session.databaseName, what: "the library's id is missing")
        }
        self.library = library
    }

    /// Stores a recording at the next flush, and returns the outcome.
    mutating func add(_ given: ClosedRecording) throws -> RecordingOutcome {
        var recording = given
        if recording.header.person?.isEmpty == true { recording.header.person = nil }
        if recording.header.device?.isEmpty == true { recording.header.device = nil }
        if recording.header.device != nil, recording.summary.untimed < recording.summary.points {
            return try addToStream(recording)
        }
        if recording.header.gap != .standard {
            try remeasure(&recording, cleaning: recording.cleaning)
        }
        return try addFile(recording)
    }

    mutating func addFile(_ recording: ClosedRecording) throws -> RecordingOutcome {
        // If an earlier flush failed (full disk), nothing more is accepted until a flush succeeds, so that memory is
        // limited.
        if isBatchFull { try flush() }
        var outcome = RecordingOutcome()
        let summary = recording.summary
        let key = PendingKey(person: recording.header.person, digest: recording.digest)
        let person = try knownPerson(recording.header.person)
        let known = try person.flatMap { try liveFile(person: $0, digest: recording.digest) }
        if known != nil || pendingKeys[key] != nil {
            outcome.duplicateTracks = 1
            outcome.duplicatePoints = summary.points
        } else {
            outcome.newTracks = 1
            outcome.points = summary.points
            outcome.untimed = summary.untimed
            outcome.excluded = summary.excluded
            outcome.similarTracks = try similarTracks(of: recording, person: person)
            pendingKeys[key] = pending.count
        }
        pending.append(recording)
        pendingBytes += recording.byteCount
        if isBatchFull { try flush() }
        return outcome
    }

    private var isBatchFull: Bool {
        pendingBytes >= Self.batchBytes || pending.count >= Self.batchCount
    }

    /// Writes the waiting recordings in one transaction.
    mutating func flush() throws {
        guard !pending.isEmpty else { return }
        try session.transaction {
            var draft = ChangeLog.Draft()
            for recording in pending { try apply(recording, &draft) }
            try ChangeLog.append(draft, time: now(), session)
        }
        let provisionalTrack = pending.compactMap(\.provisionalTrack)
        pending.removeAll()
        pendingKeys.removeAll()
        pendingBytes = 0
        // Those that became tracks are no longer provisional; the points of the others are stored already.
        for number in provisionalTrack { try deleteProvisional(number) }
    }

    /// Discards the closed but unwritten recordings of an import, for example after a failed flush.
    mutating func discardPending(ofImport number: Int64) {
        let kept = pending.filter { $0.importNumber != number }
        guard kept.count < pending.count else { return }
        // If that fails, too, the rest is deleted when the library is next opened.
        for provisionalTrack in pending.filter({ $0.importNumber == number }).compactMap(\.provisionalTrack) {
            try? deleteProvisional(provisionalTrack)
        }
        pending = kept
        pendingBytes = kept.reduce(0) { $0 + $1.byteCount }
        pendingKeys = [:]
        for (index, recording) in kept.enumerated() {
            pendingKeys[PendingKey(person: recording.header.person, digest: recording.digest)] = index
        }
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

    /// Deletes the chunks under a track number if it is still provisional.
    func deleteProvisional(_ number: Int64) throws {
        let isProvisional = try session.integer(
            "SELECT 1 FROM track WHERE number = $1 AND state = 2 AND id IS NULL", [.integer(number)])
        guard isProvisional != nil else { return }
        try deleteChunks(of: number)
        try session.run("DELETE FROM track WHERE number = $1 AND state = 2 AND id IS NULL", [.integer(number)])
    }

    /// Deletes the provisional rows of killed processes.
    func deleteAbandonedProvisional() throws {
        let left = try session.rows("SELECT number, session FROM track WHERE state = 2 AND id IS NULL") {
            (number: $0.integer(0), owner: $0.text(1))
        }
        for (number, owner) in left {
            if try !database.isLocked(.importing(owner)) { try deleteProvisional(number) }
        }
        try database.removeAbandonedLocks()
    }

    /// Deletes chunks in short transactions.
    func deleteChunks(of number: Int64) throws {
        while try deleteSomeChunks(of: number) { TrackDatabase.letOthersWrite() }
    }

    private func deleteSomeChunks(of number: Int64) throws -> Bool {
        try session.transaction { try FileChunks.delete(session, of: number, limit: Self.deletedChunks) }
    }

    /// Takes the lock that keeps provisional rows of this process; returns its name.
    private mutating func ownProvisionalRows() throws -> String {
        if let provisionalOwner { return provisionalOwner.name }
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        provisionalOwner = (name, try database.lock(.importing(name)))
        return name
    }

    // MARK: Persons, ids and similar tracks

    func knownPerson(_ name: String?) throws -> Int64? {
        guard let name else { return 1 }
        return try session.integer("SELECT number FROM person WHERE name = $1", [.text(name)])
    }

    func person(_ name: String?) throws -> Int64 {
        if let known = try knownPerson(name) { return known }
        return try session.inserted("INSERT INTO person (name) VALUES ($1) RETURNING number", [.text(orNull: name)])
    }

    func liveFile(person: Int64, digest: ContentDigest) throws -> Int64? {
        try session.integer(
            "SELECT number FROM track WHERE person = $1 AND digest = $2 AND state = 0 AND stream IS NULL",
            [.integer(person), .blob(digest.bytes)])
    }

    /// An id that cannot be guessed without knowing the library, and that the same content gets again.
    func newID(_ content: (inout Digester) -> Void) throws -> String {
        var attempt = 0
        while true {
            let id = Self.id(library: library, attempt: attempt, content)
            let taken = try session.integer(
                "SELECT 1 FROM track WHERE id = $1 UNION ALL SELECT 1 FROM alias WHERE id = $1", [.text(id)])
            if taken == nil { return id }
            attempt += 1
        }
    }

    static func fileID(library: String, person: String?, digest: ContentDigest, attempt: Int = 0) -> String {
        id(library: library, attempt: attempt) { digester in
            digester.update(person ?? "")
            digester.update(digest)
        }
    }

    private static func id(library: String, attempt: Int, _ content: (inout Digester) -> Void) -> String {
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

    /// The maximum number of ids in the receipt; nobody would read more.
    private static let similarTrackLimit = 10

    private func similarTracks(of recording: ClosedRecording, person: Int64?) throws -> [String] {
        guard let start = recording.summary.start, let end = recording.summary.end,
            let bounds = recording.summary.bounds
        else { return [] }
        var ids: [String] = []
        if let person { ids = try storedSimilarTracks(person: person, from: start, to: end, bounds) }
        for other in pending where ids.count < Self.similarTrackLimit && other.header.person == recording.header.person
        {
            guard let otherStart = other.summary.start, let otherEnd = other.summary.end,
                otherStart <= end, start <= otherEnd, other.summary.bounds?.intersects(bounds) == true
            else { continue }
            let id = Self.fileID(library: library, person: other.header.person, digest: other.digest)
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// Queries each class of duration separately, because the tracks of one class that overlap a time start not long
    /// before it.
    private func storedSimilarTracks(
        person: Int64, from start: Int64, to end: Int64, _ bounds: E7Bounds
    ) throws -> [String] {
        var ids: [String] = []
        var lastClass: Int64 = -1
        while ids.count < Self.similarTrackLimit {
            let next = try session.integer(
                "SELECT span FROM track WHERE person = $1 AND span > $2 AND state = 0 ORDER BY span LIMIT 1",
                [.integer(person), .integer(lastClass)])
            guard let span = next else { break }
            lastClass = span
            let (earliest, overflow) = start.subtractingReportingOverflow(Self.maxDuration(ofClass: span))
            try session.forEachWhile(
                """
                SELECT id, west, south, east, north FROM track
                WHERE person = $1 AND span = $2 AND state = 0 AND start BETWEEN $3 AND $4 AND finish >= $5
                """,
                [
                    .integer(person), .integer(span), .integer(overflow ? .min : earliest), .integer(end),
                    .integer(start),
                ]
            ) { row in
                guard !row.isNull(1) else { return true }
                let box = E7Bounds(
                    west: Int32(clamping: row.integer(1)), south: Int32(clamping: row.integer(2)),
                    east: Int32(clamping: row.integer(3)), north: Int32(clamping: row.integer(4)))
                if box.intersects(bounds) { ids.append(row.text(0)) }
                return ids.count < Self.similarTrackLimit
            }
        }
        return ids
    }

    /// The upper limit of the duration of tracks of a class, in milliseconds.
    private static func maxDuration(ofClass span: Int64) -> Int64 {
        span >= 31 ? .max : 1 << (2 * span)
    }
}
