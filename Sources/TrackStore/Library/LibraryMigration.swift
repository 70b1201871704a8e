internal import Database
internal import Files
internal import GridStorage
package import PrimaryStore
internal import RecordingStore

/// Copies a library with its inbox, from and to either kind of storage.
///
/// Everything is copied from one snapshot of each database. The target cannot be opened as a library before it is
/// complete, whenever the process ends.
package struct LibraryMigration {
    /// A part of the work that is done.
    package struct Progress: Sendable {
        package var doneBytes: Int
        /// About as many bytes will have been copied at the end.
        package var totalBytes: Int
        package var isComparing: Bool
        package var fraction: Double
    }

    /// What was copied.
    package struct Outcome: Sendable {
        package var head: Head
        /// Changes of the source that were made since.
        package var missedChanges: Int64
    }

    private let source: Library
    /// The inbox of the source.
    private let inbox: Library?
    private let folder: String
    private let target: any LibraryStorage
    private let inboxTarget: any LibraryStorage
    /// Whether an earlier copy was interrupted; it is replaced by this one.
    package let isRestart: Bool
    /// Whether the copy is for a backup: without a map, which can be made again, and also during an import, whose incomplete
    /// tracks are deleted when the copy is opened.
    package var isForBackup = false

    /// Names the source and the target in messages.
    package var sourceName: String { source.database.storage.name(of: .tracks) }
    package var targetName: String { target.name(of: .tracks) }

    /// Checks that the target is new, empty or an incomplete copy. `folder` is that of the target; see `ServerLocation`.
    package init(from source: Library, to folder: String) throws {
        self.source = source
        self.folder = folder
        inbox = try source.inbox()
        target = try Library.storage(in: folder)
        inboxTarget = try Library.storage(in: Library.inboxFolder(of: folder))
        isRestart = try Self.isIncomplete(target, folder, source)
        guard !isRestart else { return }
        _ = try Self.isIncomplete(inboxTarget, Library.inboxFolder(of: folder), source)
        let targetName = target.name(of: .tracks)
        guard target.exists(.tracks) else { return }
        let coordination = try LibraryCoordination.shared(by: Library.storage(in: folder), folder: folder)
        try coordination.recordingLog.forEachAbandoned { _ in throw MigrationError.targetNotEmpty(targetName) }
        guard try coordination.membership.waitUntilConfirmed(.max, timeoutMilliseconds: 0) else {
            throw MigrationError.targetInUse(targetName)
        }
    }

    /// Whether a library is an incomplete copy. Throws unless it is one, or does not exist, or has no content.
    private static func isIncomplete(_ storage: any LibraryStorage, _ folder: String, _ source: Library) throws -> Bool
    {
        let path = storage.name(of: .tracks)
        return try TrackDatabase.mappingErrors(path) {
            guard !storage.isReadOnly else { throw LibraryError.readOnly(path: path) }
            guard try Library.existsWithTracks(in: folder) else { return false }
            if path == source.database.storage.name(of: .tracks) { throw MigrationError.sameLibrary(path) }
            let database = try storage.database(.tracks, isReadOnly: true)
            return try database.snapshot { session in
                switch try database.schemaState(in: session) {
                case .empty: return false
                case .incomplete: return true
                case .current:
                    if try Meta.text("library", session)
                        == source.database.read({ try Meta.text("library", $0.session) })
                    {
                        throw MigrationError.sameLibrary(path)
                    }
                    guard try hasNoContent(session) else { throw MigrationError.targetNotEmpty(path) }
                    return false
                case .older: throw MigrationError.targetNotEmpty(path)
                case let state: throw TrackSchema.error(state, path: path) ?? MigrationError.targetNotEmpty(path)
                }
            }
        }
    }

    /// Whether a library contains no more than a new one.
    private static func hasNoContent(_ session: any Session) throws -> Bool {
        for table in LibraryTables.tracks where !["meta", "person", "reward"].contains(table) {
            if try session.integer("SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
        }
        return try session.integer("SELECT 1 FROM person WHERE name IS NOT NULL LIMIT 1") == nil
    }

    /// Copies everything. `others` copies what is in no database, before the target is complete; `report` may be called
    /// often; `isStopped` ends the copy, which then throws `MigrationError.stopped`.
    package func run(
        isStopped: @escaping () -> Bool, report: @escaping (Progress) -> Void, others: () throws -> Void
    ) throws -> Outcome {
        for library in [inbox, source] {
            if let library { try Self.moveRecorded(library) }
        }
        let head = try TrackDatabase.mappingErrors(target.name(of: .tracks)) {
            try copy(isStopped, report, others)
        }
        return Outcome(head: head, missedChanges: try source.database.head().revision - head.revision)
    }

    /// A running server stores what it has recorded within a second; one that takes longer than this hangs.
    private static let recordedMilliseconds = 10_000

    private static func moveRecorded(_ library: Library) throws {
        guard !library.isReadOnly else {
            return try library.coordination.recordingLog.forEachAbandoned { _ in throw library.database.refusal }
        }
        let isMoved = try library.database.moveEverything(
            of: library.coordination.recordingLog, timeoutMilliseconds: recordedMilliseconds)
        guard isMoved else { throw MigrationError.recordedNotMoved(library.database.storage.name(of: .tracks)) }
    }

    // MARK: Copying

    private func copy(
        _ isStopped: @escaping () -> Bool, _ report: @escaping (Progress) -> Void, _ others: () throws -> Void
    ) throws -> Head {
        let database = try target.database(.tracks, isReadOnly: false)
        guard let lock = try database.lockIfFree(.copying) else { throw MigrationError.targetInUse(targetName) }
        defer { withExtendedLifetime(lock) {} }
        // What moves from the inbox to the tracks while the snapshots begin is then in both rather than in neither. A
        // grid may be older than the tracks, never newer.
        let kinds: [DatabaseKind] = [.grid, .tracks]
        let inboxSources = try inbox.map { try Self.databases(kinds, $0) } ?? []
        let sources = try Self.databases(kinds, source)
        return try Self.withSnapshots(inboxSources + sources) { sessions in
            guard let tracks = sessions.last else { preconditionFailure("the tracks are always copied") }
            try checkTracks(tracks, sources[1], source)
            let meter = Meter(
                totalBytes: try byteCount(kinds, inbox) + byteCount(kinds, source), isStopped: isStopped, report: report
            )
            var copy = try DatabaseCopy(from: tracks, to: database, tables: LibraryTables.tracks)
            if let inbox {
                try checkTracks(sessions[1], inboxSources[1], inbox)
                let inboxDatabase = try inboxTarget.database(.tracks, isReadOnly: false)
                var inboxCopy = try DatabaseCopy(from: sessions[1], to: inboxDatabase, tables: LibraryTables.tracks)
                try copyGrid(sessions[0], inboxSources[0], to: inboxTarget, meter)
                try inboxCopy.load(meter.copied)
                try inboxCopy.end(numbers: inboxSources[1].highestNumbers(in: sessions[1]), meter.compared)
            } else {
                try emptyInbox()
            }
            try copyGrid(sessions[sessions.count - 2], sources[0], to: target, meter)
            try copy.load(meter.copied)
            try copyRefusals()
            try others()
            try copy.end(numbers: sources[1].highestNumbers(in: tracks), meter.compared)
            return try ChangeLog.head(tracks)
        }
    }

    /// Empties what an interrupted copy of another library may have left.
    private func emptyInbox() throws {
        for kind in [DatabaseKind.grid, .tracks] where inboxTarget.exists(kind) {
            try inboxTarget.database(kind, isReadOnly: false).recreate()
        }
    }

    private static func databases(_ kinds: [DatabaseKind], _ library: Library) throws -> [any Database] {
        try kinds.map { try library.database.storage.database($0, isReadOnly: library.isReadOnly) }
    }

    private func byteCount(_ kinds: [DatabaseKind], _ library: Library?) throws -> Int {
        try kinds.reduce(0) { try $0 + Int(library?.database.storage.byteCount($1) ?? 0) }
    }

    /// Runs `body` with a snapshot of each database, which begin in this order.
    private static func withSnapshots<Result>(
        _ databases: [any Database], _ sessions: [any Session] = [], _ body: ([any Session]) throws -> Result
    ) throws -> Result {
        guard let first = databases.first else { return try body(sessions) }
        return try first.snapshot { session in
            // A snapshot begins when it is first read.
            _ = try session.integer("SELECT 1 FROM meta LIMIT 1")
            return try withSnapshots(Array(databases.dropFirst()), sessions + [session], body)
        }
    }

    private func checkTracks(_ session: any Session, _ database: any Database, _ library: Library) throws {
        if let altered = try session.alteredBlocks(of: nil).first {
            throw MigrationError.damaged(source: database.name, table: altered.table)
        }
        // In a library that cannot be written to, these rows are those of a killed process, and are deleted later.
        guard !library.isReadOnly, !isForBackup else { return }
        if try session.integer("SELECT 1 FROM track WHERE state = 2 AND state <> 0 LIMIT 1") != nil {
            throw MigrationError.sourceInUse(database.name)
        }
    }

    /// Copies the grid, unless it is damaged or was never made: then the target makes its own.
    private func copyGrid(
        _ session: any Session, _ source: any Database, to storage: any LibraryStorage, _ meter: Meter
    ) throws {
        let target = try storage.database(.grid, isReadOnly: false)
        guard !isForBackup, try source.schemaState(in: session) == .current, try GridStore.isBuilt(session),
            try session.alteredBlocks(of: nil).isEmpty
        else { return try target.recreate() }
        var copy = try DatabaseCopy(from: session, to: target, tables: LibraryTables.grid)
        try copy.load(meter.copied)
        try copy.end(numbers: [:], meter.compared)
    }

    private func copyRefusals() throws {
        let refusals = try LibraryCoordination.shared(by: Library.storage(in: folder), folder: folder).refusals
        for record in try source.coordination.refusals.all() {
            try refusals.change(device: record.device, limit: .max, orElse: record.device) { $0 = record }
        }
    }
}

/// Counts what was copied and compared.
private final class Meter {
    private let totalBytes: Int
    private let isStopped: () -> Bool
    private let report: (LibraryMigration.Progress) -> Void
    private var copiedBytes = 0
    private var comparedBytes = 0

    /// Comparing takes about this share of the time of copying.
    private static let comparingShare = 0.2

    init(totalBytes: Int, isStopped: @escaping () -> Bool, report: @escaping (LibraryMigration.Progress) -> Void) {
        self.totalBytes = max(1, totalBytes)
        self.isStopped = isStopped
        self.report = report
    }

    func copied(_ bytes: Int) throws {
        copiedBytes += bytes
        try show(isComparing: false)
    }

    func compared(_ bytes: Int) throws {
        comparedBytes += bytes
        try show(isComparing: true)
    }

    private func show(isComparing: Bool) throws {
        guard !isStopped() else { throw MigrationError.stopped }
        let work = Double(copiedBytes) + Double(comparedBytes) * Self.comparingShare
        let fraction = min(1, work / (Double(totalBytes) * (1 + Self.comparingShare)))
        report(
            LibraryMigration.Progress(
                doneBytes: isComparing ? comparedBytes : copiedBytes, totalBytes: totalBytes, isComparing: isComparing,
                fraction: fraction))
    }
}
