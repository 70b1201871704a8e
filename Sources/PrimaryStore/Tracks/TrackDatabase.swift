public import Database
public import Digest
internal import Foundation
internal import Locking
public import Tracks

/// The database `tracks.sqlite`, the primary store: recordings as they came, and the log of changes.
///
/// It may be used from any thread, and several processes may use the same file. Every call throws `LibraryError`.
public final class TrackDatabase: Sendable {
    package let storage: any LibraryStorage
    let database: any Database
    /// Names the database in messages.
    var path: String { database.name }
    package let now: @Sendable () -> Int64
    /// Whether the library is read-only: it is on a read-only disk, or belongs to another user.
    public var isReadOnly: Bool { database.isReadOnly }
    /// Whether `verify` compares each row with a sum, besides what the digests of tracks and the change log show.
    public var hasRowSums: Bool { database.hasRowSums }
    /// The error of every change to a read-only library.
    package let refusal: LibraryError
    private let writer: Locked<TrackWriter?>
    let buffered = Locked(0)

    /// Milliseconds since 1970 by the system's clock.
    public static let systemClock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }

    /// Opens or creates the database of a library, and completes what a killed process left unfinished.
    ///
    /// `zoneIfNew` is the time zone of a library that is created here; `isReadOnly` opens the library without changing
    /// anything, and is determined by the storage where it is nil; `refusal` is the error of changes to a read-only
    /// library; `now` gives the times of the change log.
    public convenience init(
        _ storage: any LibraryStorage, zoneIfNew: @autoclosure @Sendable () -> String = "UTC", isReadOnly: Bool? = nil,
        refusal: LibraryError? = nil, now: @escaping @Sendable () -> Int64 = TrackDatabase.systemClock
    ) throws {
        try self.init(
            storage, comparedWith: nil, hasProvisionalIDs: false, zoneIfNew: zoneIfNew(), isReadOnly: isReadOnly,
            refusal: refusal, now: now)
    }

    /// The database of a dry run, in temporary storage: imports into it have the outcome that they would have in
    /// `library`; nil stands for a library that does not exist yet.
    package convenience init(dryRunIn storage: any LibraryStorage, comparedWith library: (any ComparedLibrary)?) throws
    {
        try self.init(
            storage, comparedWith: library, hasProvisionalIDs: library == nil, isReadOnly: false)
    }

    private init(
        _ storage: any LibraryStorage, comparedWith comparedLibrary: (any ComparedLibrary)?, hasProvisionalIDs: Bool,
        zoneIfNew: @autoclosure @Sendable () -> String = "UTC", isReadOnly: Bool?, refusal: LibraryError? = nil,
        now: @escaping @Sendable () -> Int64 = TrackDatabase.systemClock
    ) throws {
        self.storage = storage
        self.now = now
        let path = storage.name(of: .tracks)
        self.refusal = refusal ?? .readOnly(path: path)
        if isReadOnly ?? storage.isReadOnly {
            (database, writer) = (try storage.database(.tracks, isReadOnly: true), Locked(nil))
            try read { snapshot in
                if let error = TrackSchema.error(try database.schemaState(in: snapshot.session), path: path) {
                    throw error
                }
                _ = try snapshot.head()
            }
            return
        }
        (database, writer) = try Self.mappingErrors(path) {
            let database = try storage.database(.tracks, isReadOnly: false)
            let session = try database.writer()
            do {
                try database.upgradeTables(in: session)
            } catch let mismatch as SchemaMismatch {
                throw TrackSchema.error(mismatch.state, path: path) ?? mismatch
            }
            try Self.prepareMeta(session, zone: zoneIfNew())
            try comparedLibrary?.copyBasics(into: session)
            let writer = try TrackWriter(
                session: session, database: database, now: now, comparedLibrary: comparedLibrary,
                hasProvisionalIDs: hasProvisionalIDs)
            return (database, Locked(writer))
        }
        try finishInterruptedWork()
    }

    deinit {
        // The writer closes last, so that it copies its log into the database.
        database.closeIdleReaders()
    }

    private static func prepareMeta(_ session: any Session, zone: @autoclosure @Sendable () -> String) throws {
        func isPrepared() throws -> Bool {
            try Meta.text("library", session) != nil && OutlierRuleStore.isPrepared(session)
        }
        guard try !isPrepared() else { return }
        try session.transaction {
            // Another process may have been faster. The check above avoids the lock of writers at every other start.
            guard try !isPrepared() else { return }
            try OutlierRuleStore.prepare(session)
            guard try Meta.text("library", session) == nil else { return }
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
            try Meta.set("library", to: .text(ContentDigest(of: bytes).description), session)
            try Meta.set("zone", to: .text(zone()), session)
        }
    }

    /// Runs `body` on a snapshot of the database, which later writes do not change.
    public func read<Result>(_ body: (TrackSnapshot) throws -> Result) throws -> Result {
        try Self.mappingErrors(path) {
            try database.snapshot { try body(TrackSnapshot(session: $0)) }
        }
    }

    /// Runs `body` as the only writer of this process.
    package func write<Result: Sendable>(_ body: (inout TrackWriter) throws -> Result) throws -> Result {
        let (result, unneeded) = try Self.mappingErrors(path) {
            try writer.withLock { writer in
                guard var current = writer.take() else { throw refusal }
                defer { writer = current }
                let result = try body(&current)
                return (result, current.takeUnneededProvisional())
            }
        }
        // Afterwards, so that other threads can write between the transactions. What `body` has done does not fail with
        // it: what remains is deleted when the library is next opened.
        for number in unneeded { try? deleteProvisional(number) }
        return result
    }

    /// Overwrites what deleted rows have left in logs, if possible. In a session of its own: the writer's would keep the
    /// other threads of this process waiting.
    func eraseDeleted() throws -> Erasure {
        try Self.mappingErrors(path) { try database.writer().eraseDeleted() }
    }

    /// Runs `body` and converts errors of databases and of files to `LibraryError`.
    package static func mappingErrors<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try LibraryError.mappingFiles(body)
        } catch let error as StoreError {
            throw error.kind == .damaged
                ? LibraryError.damaged(path: path, what: "is not a valid database (\(error.message))")
                : LibraryError.database(path: path, error)
        }
    }

    // MARK: Frequent queries, each in a snapshot of its own

    /// The newest revision and the digest of the log at it.
    public func head() throws -> Head { try read { try $0.head() } }
    /// The digest of the log at a revision; nil if the log does not have this revision.
    public func digest(at revision: Int64) throws -> ContentDigest? { try read { try $0.digest(at: revision) } }
    /// The changes after a revision, in order.
    public func changes(since revision: Int64) throws -> [Change] { try read { try $0.changes(since: revision) } }
    /// A track; nil if it does not exist.
    public func track(number: Int64) throws -> Track? { try read { try $0.track(number: number) } }
    /// A track by its id, or by the id of a track that was merged into it.
    public func track(id: String) throws -> Track? {
        try read { try $0.track(id: id) }
    }
    /// The numbers of all tracks, ascending.
    public func trackNumbers() throws -> [Int64] { try read { try $0.trackNumbers() } }
    /// The numbers of tracks and of points.
    public func totals() throws -> (tracks: Int, points: Int) { try read { try $0.totals() } }
    /// All persons, the owner first.
    public func persons() throws -> [Person] { try read { try $0.persons() } }
    /// The number of the person with this name; nil if there is none. The owner of the library has no name.
    public func personNumber(named name: String) throws -> Int64? {
        try read { try $0.personNumber(named: name) }
    }
    /// The activities of all tracks, ordered by name.
    public func activities() throws -> [Activity] { try read { try $0.activities() } }
    /// The library's time zone: its IANA name.
    public func zone() throws -> String { try read { try $0.zone() } }
    /// The rule that excludes outliers.
    public func outlierRule() throws -> OutlierRule { try read { try $0.outlierRule() } }

    /// Tracks newest first, those without times last. `after` is the `next` of the previous page; nil is returned if it
    /// is invalid.
    public func tracks(
        _ filter: TrackFilter = TrackFilter(), limit: Int, after: String? = nil
    ) throws -> TrackPage? {
        try read { try $0.tracks(filter, limit: limit, after: after) }
    }

    /// Calls `body` with a track's chunks in order; `fields` selects which fields besides times and places are decoded.
    public func forEachChunk(ofTrack number: Int64, fields: WantedFields = .all, _ body: (PointColumns) throws -> Void)
        throws
    {
        try read { try $0.forEachChunk(ofTrack: number, fields: fields, body) }
    }

    /// Sets the library's time zone. The grid then has to be rebuilt.
    public func setZone(_ zone: String) throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction { try Meta.set("zone", to: .text(zone), writer.session) }
        }
    }

    /// The number of each activity in grids. An activity whose number a layer of the operator uses has none.
    package func activityNumbers() throws -> [Activity: UInt8] {
        let taken = Set(try layers().map(\.number))
        let numbers = Activity.allCases.map { ($0, $0.number) }.filter { !taken.contains($0.1) }
        return Dictionary(uniqueKeysWithValues: numbers)
    }

    /// How often this process has waited for an answer of the server of the database.
    package var roundTrips: Int { database.roundTrips }

    /// A number that changes with every commit of this process or another: cheap enough to be read many times a second.
    /// It is meaningful only in this process and for the lifetime of this object.
    public func dataVersion() throws -> Int64 {
        try Self.mappingErrors(path) { try database.changeToken() }
    }

    /// Makes durable what closed recordings still hold in memory.
    public func flush() throws {
        try write { try $0.flush() }
    }
}
