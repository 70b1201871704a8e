internal import Database
internal import Files
internal import Locking
internal import SQLite

/// A database in a file, with locks in files beside it.
final class SQLiteDatabase: Database {
    let name: String
    let isReadOnly: Bool
    var hasRowSums: Bool { true }
    private let folder: String
    private let definition: TableDefinition
    private let options: OpenOptions
    private let readers: ReaderPool
    /// The version of the files that the readers of a read-only database have opened.
    private let openedVersion = Locked<Int64?>(nil)
    /// The identity of the file that the readers have opened.
    private let openedFile = Locked<FileStatus.Identity?>(nil)
    /// Kept open: SQLite defines `data_version` only relative to earlier values of the same connection.
    private let watcher = Locked<Connection?>(nil)

    /// `options` are those of writers.
    init(path: String, folder: String, _ definition: TableDefinition, options: OpenOptions, isReadOnly: Bool) {
        name = path
        self.isReadOnly = isReadOnly
        self.folder = folder
        self.definition = definition
        self.options = options
        let busyMilliseconds = options.busyMilliseconds
        readers = ReaderPool(path: path) {
            var options = isReadOnly ? ReadOnlyFiles.options(path) : OpenOptions(mode: .readOnly)
            options.summedTables = definition.summed
            options.busyMilliseconds = busyMilliseconds
            return options
        }
        let file = FileStatus.ifExists(of: path)?.identity
        openedFile.withLock { $0 = file }
    }

    func exists() -> Bool {
        FileStatus.ifExists(of: name) != nil
    }

    func snapshot<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        if isReadOnly { closeOutdated() }
        return try readers.read { try body($0) }
    }

    func closeIdleReaders() {
        readers.closeIdle()
    }

    /// Closes idle connections that were opened before the files of a read-only database changed.
    private func closeOutdated() {
        let now = ReadOnlyFiles.version(name)
        let hasChanged = openedVersion.withLock { version in
            defer { version = now }
            return version != now
        }
        if hasChanged { readers.closeIdle() }
    }

    func writer() throws -> any Session {
        try connection()
    }

    func fill<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        // Idle readers of this process would keep the log in use, too.
        closeIdleReaders()
        let connection = try connection()
        let isAlone = try connection.useRollbackJournal()
        // If it fails, the next writer does it.
        defer { if isAlone { try? connection.useWAL() } }
        return try body(connection)
    }

    private func connection() throws -> Connection {
        try OwnerOnly.prepareDatabase(name)
        return try Connection(path: name, options: options)
    }

    func changeToken() throws -> Int64 {
        if isReadOnly { return ReadOnlyFiles.version(name) }
        let path = name
        return try watcher.withLock { watcher in
            let connection = try watcher ?? Connection(path: path, options: OpenOptions(mode: .readOnly))
            watcher = connection
            return try connection.dataVersion()
        }
    }

    // MARK: Locks

    func lock(_ name: LockName) throws -> any HeldLock {
        if case .importing = name { try Folder.make(folder + Self.importing, access: .owner) }
        return HeldFileLock(try LockFile.wait(for: path(of: name)))
    }

    func lockIfFree(_ name: LockName) throws -> (any HeldLock)? {
        try LockFile.take(path(of: name)).map { HeldFileLock($0) }
    }

    func isLocked(_ name: LockName) throws -> Bool {
        try LockFile.isHeld(path(of: name))
    }

    func removeAbandonedLocks() throws {
        guard FileStatus.ifExists(of: folder + Self.importing) != nil else { return }
        for entry in try Folder.entries(of: folder + Self.importing) {
            // If the lock can be taken, its process has ended.
            if let lock = try LockFile.take(entry.path) { try AtomicFile.remove(lock.path) }
        }
    }

    private static let importing = "/importing"

    private func path(of name: LockName) -> String {
        switch name {
        case .grid: folder + "/grid.lock"
        case .layers: folder + "/grid.lock.layers"
        case .copying: folder + "/copy.lock"
        case .deriving: folder + "/edition.lock"
        case .retention: folder + "/retention.lock"
        case .importing(let owner): folder + Self.importing + "/" + owner
        }
    }

    // MARK: Tables

    func schemaState(in session: any Session) throws -> SchemaState {
        try definition.state(of: session)
    }

    func upgradeTables(in writer: any Session) throws {
        try definition.upgrade(writer)
    }

    func recreate() throws {
        try recreate(version: definition.version)
    }

    private func recreate(version: Int64) throws {
        defer { readers.closeIdle() }
        do {
            let connection = try connection()
            // In place if possible: processes that have the file open see a normal change, but would not see another
            // file.
            if (try? connection.tableCount()) != 0 { try connection.eraseDatabase() }
            try definition.create(in: connection, version: version)
        } catch let error as StoreError where isDamage(error) {
            for suffix in ["", "-wal", "-shm"] { _ = try AtomicFile.remove(name + suffix) }
            try definition.create(in: try connection(), version: version)
        }
    }

    /// Whether other files have to take the place of these.
    private func isDamage(_ error: StoreError) -> Bool {
        switch error.kind {
        case .damaged, .schemaMismatch: true
        case .cannotOpen: !exists()
        case .busy, .disk, .other: false
        }
    }

    // MARK: Copies

    func beginCopy() throws {
        try recreate(version: TableDefinition.incomplete)
    }

    func endCopy(numbers: [String: Int64], in writer: any Session) throws {
        guard let connection = writer as? Connection else {
            preconditionFailure("the session belongs to another database")
        }
        if !numbers.isEmpty { try connection.setHighestNumbers(numbers) }
        try definition.setVersion(definition.version, connection)
    }

    func highestNumbers(in session: any Session) throws -> [String: Int64] {
        let hasNumbers = try session.integer("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != nil
        guard hasNumbers else { return [:] }
        let found = try session.rows("SELECT name, seq FROM sqlite_sequence") { ($0.text(0), $0.integer(1)) }
        return Dictionary(found) { max($0, $1) }
    }

    func refresh() -> Bool {
        let file = FileStatus.ifExists(of: name)?.identity
        let wasReplaced = openedFile.withLock { opened in
            defer { opened = file }
            return opened != file
        }
        if wasReplaced { readers.closeIdle() }
        return file != nil
    }
}

/// A held lock on a file.
private final class HeldFileLock: HeldLock {
    private let file: LockFile

    init(_ file: LockFile) {
        self.file = file
    }
}
