public import Digest
internal import Files
internal import Foundation
internal import Locking
internal import SQLite
public import Tracks

/// What `tracks.sqlite` holds: recordings as they came, and the log of what changed.
///
/// Any thread may use it, and several processes may use the same file. Every call throws `LibraryError`.
public final class TrackDatabase: Sendable {
    /// The library's folder.
    public let folder: String
    let path: String
    let now: @Sendable () -> Int64
    /// Whether nothing can be changed: the library is on a read-only disk, or somebody else's.
    public var isReadOnly: Bool { lasting != nil }
    private let readers: ReaderPool
    /// Where the library can only be read.
    private let lasting: ReadOnlyReaders?
    private let writer: Locked<TrackWriter?>
    private let watcher: Locked<Connection?>
    let buffered = Locked(0)

    /// Milliseconds since 1970 by the system's clock.
    public static let systemClock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }

    /// Opens the truth of the library in `folder`, or makes it, and finishes what a killed process left undone.
    ///
    /// `zoneIfNew` is the time zone of a library that is made here; `isReadOnly` says that nothing is to be changed, and is
    /// found out where it is nil; `now` gives the times of the change log.
    public init(
        folder: String, zoneIfNew: String = "UTC", isReadOnly: Bool? = nil,
        now: @escaping @Sendable () -> Int64 = TrackDatabase.systemClock
    ) throws {
        self.folder = folder
        self.now = now
        let path = folder + "/tracks.sqlite"
        self.path = path
        if isReadOnly ?? ReadOnlyFiles.isReadOnly(folder) {
            let readers = ReadOnlyReaders(path: path)
            (self.readers, lasting, writer, watcher) = (readers.pool, readers, Locked(nil), Locked(nil))
            try read { snapshot in
                try TrackSchema.check(snapshot.connection)
                _ = try snapshot.head()
            }
            return
        }
        lasting = nil
        (readers, writer, watcher) = try Self.labelled(path) {
            try Self.checkTracksAreThere(folder)
            try Folder.make(folder, access: .owner)
            try OwnerOnly.prepareDatabase(path)
            LibraryFolder.tighten(folder)
            var options = OpenOptions(mode: .create)
            options.secureDelete = true
            options.cacheBytes = 16 << 20
            let connection = try Connection(path: path, options: options)
            connection.keepSums(of: TrackSchema.summed)
            try TrackSchema.prepare(connection)
            try Self.prepareMeta(connection, zone: zoneIfNew)
            // Fewer, larger checkpoints: each one waits for the disk twice.
            try connection.execute("PRAGMA wal_autocheckpoint = 4000")
            let writer = try TrackWriter(connection: connection, folder: folder, now: now)
            // Not mapped into memory: a backup copied over the file would end the process.
            let watcher = try Connection(path: path, options: OpenOptions(mode: .readOnly))
            return (ReaderPool(path: path), Locked(writer), Locked(watcher))
        }
        try finishLeftovers()
    }

    /// Throws where a new library would begin beside the grid of one whose tracks have been lost.
    static func checkTracksAreThere(_ folder: String) throws {
        let path = folder + "/tracks.sqlite"
        if let facts = FileStatus.ifAny(of: path), facts.byteCount > 0 { return }
        let isLeft =
            GridStore.isFilled(in: folder) || FileStatus.ifAny(of: path + "-wal").map { $0.byteCount > 0 } == true
        if isLeft { throw LibraryError.tracksMissing(path: path) }
    }

    private static func prepareMeta(_ connection: Connection, zone: String) throws {
        func isPrepared() throws -> Bool {
            try Meta.text("library", connection) != nil && Meta.text("cleaning", connection) != nil
        }
        guard try !isPrepared() else { return }
        try connection.transaction {
            guard try !isPrepared() else { return }
            try Cleaning.set(.standard, connection)
            guard try Meta.text("library", connection) == nil else { return }
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
            try Meta.set("library", to: .text(ContentDigest(of: bytes).description), connection)
            try Meta.set("zone", to: .text(zone), connection)
        }
    }

    /// Runs `body` on the truth as it stands at one moment, whatever is written meanwhile.
    public func read<Result>(_ body: (TrackSnapshot) throws -> Result) throws -> Result {
        lasting?.look()
        return try Self.labelled(path) {
            try readers.read { try body(TrackSnapshot(connection: $0)) }
        }
    }

    /// Runs `body` as the one writer of this process.
    func write<Result: Sendable>(_ body: (inout TrackWriter) throws -> Result) throws -> Result {
        try Self.labelled(path) {
            try writer.withLock { writer in
                guard var lent = writer.take() else { throw LibraryError.readOnly(path: path) }
                defer { writer = lent }
                return try body(&lent)
            }
        }
    }

    /// Errors of SQLite and of files, as the library's.
    static func labelled<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.isNoDatabase
                ? LibraryError.damaged(path: path, what: "is no sound database (\(error.message))")
                : LibraryError.database(path: path, error)
        } catch let error as FileError {
            throw LibraryError.file(error)
        }
    }

    // MARK: What is asked often, each in a snapshot of its own

    /// The newest revision, with the digest of the log.
    public func head() throws -> Head { try read { try $0.head() } }
    /// The digest of the log at a revision; nil where this log has none such.
    public func digest(at revision: Int64) throws -> ContentDigest? { try read { try $0.digest(at: revision) } }
    /// What changed after a revision, in order.
    public func changes(since revision: Int64) throws -> [Change] { try read { try $0.changes(since: revision) } }
    /// A track; nil where there is none such.
    public func track(number: Int64) throws -> Track? { try read { try $0.track(number: number) } }
    /// A track by its id, or by that of one that was merged into it.
    public func track(id: String, for viewer: Viewer) throws -> Track? {
        try read { try $0.track(id: id, for: viewer) }
    }
    /// The numbers of all tracks, rising.
    public func trackNumbers() throws -> [Int64] { try read { try $0.trackNumbers() } }
    /// How many tracks and points there are.
    public func totals() throws -> (tracks: Int, points: Int) { try read { try $0.totals() } }
    /// Everybody who has been named, the owner first.
    public func persons() throws -> [Person] { try read { try $0.persons() } }
    /// The activities of the tracks there are, ordered by name.
    public func activities() throws -> [String] { try read { try $0.activities() } }
    /// The library's time zone, as the time-zone database calls it.
    public func zone() throws -> String { try read { try $0.zone() } }
    /// Which points are marked.
    public func cleaning() throws -> CleaningRule { try read { try $0.cleaning() } }

    /// Tracks newest first, those without times last; `after` is a page's `next`. An `after` of nonsense gives nil.
    public func tracks(
        _ filter: TrackFilter = TrackFilter(), for viewer: Viewer, limit: Int, after: String? = nil
    ) throws -> TrackPage? {
        try read { try $0.tracks(filter, for: viewer, limit: limit, after: after) }
    }

    /// Calls `body` with a track's chunks in order; `fields` off leaves out all but times and places.
    public func forEachChunk(ofTrack number: Int64, fields: WantedFields = .all, _ body: (PointChunk) throws -> Void)
        throws
    {
        try read { try $0.forEachChunk(ofTrack: number, fields: fields, body) }
    }

    /// Sets the library's time zone; the grid is then another.
    public func setZone(_ zone: String) throws {
        try write { writer in
            try writer.flush()
            try writer.connection.transaction { try Meta.set("zone", to: .text(zone), writer.connection) }
        }
    }

    /// The number that each activity has in grids, given once and for ever; those behind the 254th, or of whose
    /// number there is a layer of the operator's, have none.
    func activityNumbers() throws -> [String: UInt8] {
        if !isReadOnly {
            try write { writer in
                try writer.flush()
                try writer.connection.run(
                    """
                    INSERT OR IGNORE INTO activity (name) SELECT name FROM (\(Self.activityNames))
                    WHERE name NOT IN (SELECT name FROM activity) ORDER BY name
                    """)
            }
        }
        return try read { snapshot in
            var numbers: [String: UInt8] = [:]
            let taken = try snapshot.connection.rows("SELECT number FROM layer") { $0.integer(0) }
            var last: Int64 = 0
            try snapshot.connection.forEach("SELECT number, name FROM activity ORDER BY number") { row in
                last = row.integer(0)
                if last <= Self.mostActivities, !taken.contains(last) {
                    numbers[row.text(1)] = UInt8(truncatingIfNeeded: last)
                }
            }
            guard isReadOnly else { return numbers }
            // Given for as long as this object lives: a grid of it is made in a place of its own.
            try snapshot.connection.forEach(
                "SELECT name FROM (\(Self.activityNames)) WHERE name NOT IN (SELECT name FROM activity) ORDER BY name"
            ) { row in
                last += 1
                if last <= Self.mostActivities, !taken.contains(last) {
                    numbers[row.text(0)] = UInt8(truncatingIfNeeded: last)
                }
            }
            return numbers
        }
    }

    private static let mostActivities: Int64 = 254
    private static let activityNames = """
        SELECT DISTINCT activity AS name FROM (SELECT activity FROM track WHERE state = 0 UNION SELECT activity FROM edit)
        WHERE activity IS NOT NULL
        """

    /// Another number whenever anybody, in this process or another, has committed: cheap enough to be asked many times a
    /// second. It has no meaning in another process, or after this object.
    public func dataVersion() throws -> Int64 {
        try Self.labelled(path) {
            try watcher.withLock { try $0?.dataVersion() } ?? ReadOnlyFiles.version(path)
        }
    }

    /// A sink for one thread's recordings; its `finish()` makes them durable.
    ///
    /// What it brings is of the import with that number.
    public func beginImport(of importNumber: Int64 = ImportRecord.none) throws -> ImportSession {
        try ImportSession(store: self, importNumber: importNumber)
    }

    /// Makes everything durable that closed recordings left in memory.
    public func flush() throws {
        try write { try $0.flush() }
    }
}
