import Database
import Files
package import HeatGrid
import Locking
import Malloc
import SQLite
package import Tracks

/// The result of an update of the grid.
package struct GridChange: Sendable, Equatable {
    /// The state before; nil if the grid was built from nothing.
    package var before: GridState?
    /// The state after.
    package var after: GridState
    /// Packed keys of the tiles that were written or emptied, ascending; nil if the grid was rebuilt.
    package var tiles: [UInt64]?
}

/// `grid.sqlite`: the grids of all zoom levels, derived from the primary store. It is rebuilt when it does not match
/// the primary store or is damaged.
package final class GridStore: Sendable {
    /// The path of `grid.sqlite`.
    package let path: String
    let lockPath: String
    let folder: String
    let rule: SumRule
    /// Whether the grid is opened read-only.
    let isReadOnly: Bool
    private let readers: ReaderPool
    private let readOnlyReaders: ReadOnlyReaders?
    private let state = Locked(State())

    private struct State {
        /// The damage that was found, until the grid is rebuilt.
        var damage: String?
        /// The damages that were repaired since `takeRepairs` was last called.
        var repaired: [String] = []
        /// The identity of the file that the readers have opened.
        var file: FileStatus.Identity?
    }

    /// Opens the grid of a library folder or creates an empty one; a grid that is damaged or of another version is
    /// replaced.
    ///
    /// With `isReadOnly`, it is opened without a change.
    package init(folder: String, rule: SumRule = SumRule(), isReadOnly: Bool = false) throws {
        self.folder = folder
        self.rule = rule
        self.isReadOnly = isReadOnly
        let path = folder + "/grid.sqlite"
        self.path = path
        lockPath = folder + "/grid.lock"
        readOnlyReaders = isReadOnly ? ReadOnlyReaders(path: path, GridSchema.summedTables) : nil
        readers =
            readOnlyReaders?.pool
            ?? ReaderPool(path: path) {
                var options = OpenOptions(mode: .readOnly)
                options.summedTables = GridSchema.summedTables
                return options
            }
        guard !isReadOnly else {
            try checkVersion()
            return
        }
        if let damage = try prepare() { state.withLock { $0.repaired.append(damage) } }
        state.withLock { $0.file = FileStatus.ifExists(of: path)?.identity }
    }

    /// Calls `body` with a snapshot of the grid.
    ///
    /// Throws `LibraryError.gridDamaged` if damage is found; the next `catchUp` then rebuilds the grid.
    package func read<Result>(_ body: (GridReader) throws -> Result) throws -> Result {
        readOnlyReaders?.poll()
        do {
            return try readers.read { try body(GridReader($0)) }
        } catch let error as GridDamage {
            throw recordDamage(error.what)
        } catch let error as StoreError where isDamage(error) {
            throw recordDamage(error.message)
        }
    }

    /// Compares all rows with their sums: a reader cannot distinguish a tile whose row is missing from an empty one.
    /// Reads the whole file: 1 GB/s.
    ///
    /// Throws `LibraryError.gridDamaged` as `read` does.
    package func checkRows() throws {
        try read { reader in
            guard let altered = try reader.session.alteredBlocks(of: nil).first else { return }
            throw GridDamage(what: "rows of table \(altered.table) were altered")
        }
    }

    /// Whether damage was found, so that the grid has to be rebuilt.
    package var isDamaged: Bool { state.withLock { $0.damage != nil } }

    /// The damages of grids that were repaired since the last call.
    package func takeRepairs() -> [String] {
        state.withLock { state in
            defer { state.repaired = [] }
            return state.repaired
        }
    }

    /// Checks whether the file was replaced or deleted since the readers opened it; if so, they open the file that is
    /// there now.
    package func poll() {
        guard !isReadOnly else { return }
        let file = FileStatus.ifExists(of: path)?.identity
        let hasChanged = state.withLock { state in
            defer { state.file = file }
            if file == nil { state.damage = state.damage ?? "the file is missing" }
            return state.file != file
        }
        if hasChanged { readers.closeIdle() }
    }

    private func recordDamage(_ what: String) -> LibraryError {
        state.withLock { $0.damage = what }
        return .gridDamaged(path: path, what: what)
    }

    /// Whether an error concerns the content of the file: damaged pages, or unexpected tables.
    private func isDamage(_ error: StoreError) -> Bool {
        error.kind == .damaged || error.kind == .schemaMismatch
            || error.kind == .cannotOpen && FileStatus.ifExists(of: path) == nil && !isReadOnly
    }

    /// Updates the grid to the newest revision of the primary store. If it does not descend from the store's change
    /// log, if rules or time zone have changed, or if it is damaged, it is rebuilt. One process does so at a time;
    /// others wait.
    package func catchUp(
        with source: any GridSource, calendar: DayCalendar, rebuilding: Bool = false,
        memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        guard !isReadOnly else { return nil }
        let lock = try LockFile.wait(for: lockPath)
        defer { withExtendedLifetime(lock) {} }
        func run(rebuilding: Bool) throws -> GridChange? {
            let update = GridUpdate(
                session: try Self.writer(path), source: source, calendar: calendar, rule: rule, folder: folder,
                memoryBytes: memoryBytes, report: report)
            return try update.run(rebuilding: rebuilding)
        }
        let known = state.withLock { $0.damage }
        do {
            let change = try run(rebuilding: rebuilding || known != nil)
            if let known { repaired(known) }
            if let change, change.tiles.map({ $0.count > Self.fewTiles }) ?? true { Malloc.releaseFreePages() }
            return change
        } catch let error as GridDamage {
            return try rebuildDamaged(error.what) { try run(rebuilding: true) }
        } catch let error as StoreError where isDamage(error) {
            return try rebuildDamaged(error.message) { try run(rebuilding: true) }
        }
    }

    /// Rebuilds a damaged grid from nothing: everything in it can be derived from the tracks.
    private func rebuildDamaged(_ damage: String, _ run: () throws -> GridChange?) throws -> GridChange? {
        do {
            let connection = try Self.writer(path)
            try connection.eraseDatabase()
            try Self.create(connection)
        } catch let error as StoreError where isDamage(error) {
            try discard()
            try Self.create(try Self.writer(path))
        }
        let change = try run()
        repaired(damage)
        return change
    }

    private func repaired(_ damage: String) {
        readers.closeIdle()
        state.withLock { state in
            state.damage = nil
            state.repaired.append(damage)
            state.file = FileStatus.ifExists(of: path)?.identity
        }
    }

    /// Moves the content of the WAL into the database and truncates the WAL; false if a reader prevented it.
    @discardableResult
    package func truncateLog() throws -> Bool {
        try Self.writer(path).eraseDeleted()
    }

    /// The problems found by `PRAGMA integrity_check`, and the tables with altered rows.
    package func integrityProblems() throws -> [String] {
        do {
            return try readers.read { connection in
                let problems = try connection.integrityProblems()
                guard problems.isEmpty else { return problems }
                return try connection.alteredBlocks(of: nil).map {
                    "rows of table \($0.table) were altered"
                }
            }
        } catch let error as StoreError where isDamage(error) {
            return [error.message]
        }
    }

    /// Whether a folder has a grid that was built from tracks, or one that cannot be read.
    static func isFilled(in folder: String) -> Bool {
        let path = folder + "/grid.sqlite"
        guard let fileStatus = FileStatus.ifExists(of: path), fileStatus.byteCount > 0 else { return false }
        do {
            let pool = ReaderPool(path: path) { ReadOnlyFiles.options(path) }
            return try pool.read { try GridReader($0).state().map { $0.revision > 0 } ?? false }
        } catch {
            return true
        }
    }

    /// A change of no more tiles takes little memory: there is little to release after it.
    private static let fewTiles = 4096
    /// The default memory limit for building a grid in bytes, besides what a single track needs.
    package static let defaultMemoryBytes = 640 << 20

    static func writer(_ path: String) throws -> Connection {
        try OwnerOnly.prepareDatabase(path)
        var options = OpenOptions(mode: .create)
        // What is lost in a power failure is rebuilt from the primary store.
        options.durability = .normal
        // Removed data must not remain readable in the file.
        options.secureDelete = true
        options.pageBytes = 8192
        options.cacheBytes = 64 << 20
        options.busyMilliseconds = 60_000
        options.summedTables = GridSchema.summedTables
        return try Connection(path: path, options: options)
    }

    // MARK: Creating the tables

    /// Creates the tables if they are missing or different; returns the damage of a file that had to be replaced.
    private func prepare() throws -> String? {
        // Checked without the lock first, because a process that builds a large grid holds it for long.
        if try isValid() { return nil }
        let lock = try LockFile.wait(for: lockPath)
        defer { withExtendedLifetime(lock) {} }
        if try isValid() { return nil }
        var damage: String?
        do {
            let connection = try Self.writer(path)
            if try connection.tableCount() > 0 {
                // A grid of another version is replaced without a report.
                if try Self.hasExpectedVersion(connection) { damage = "its tables do not match this version" }
                try connection.eraseDatabase()
            }
            try Self.create(connection)
        } catch let error as StoreError where isDamage(error) {
            damage = error.message
            try discard()
            try Self.create(try Self.writer(path))
        }
        return damage
    }

    private func isValid() throws -> Bool {
        do {
            let connection = try Self.writer(path)
            return try Self.hasExpectedVersion(connection) && Self.hasTables(connection)
        } catch let error as StoreError where isDamage(error) {
            return false
        }
    }

    private func checkVersion() throws {
        let isFit = try readers.read { try Self.hasExpectedVersion($0) && Self.hasTables($0) }
        guard isFit else { throw LibraryError.gridDamaged(path: path, what: "it is of another version") }
    }

    private static func create(_ connection: Connection) throws {
        try connection.transaction {
            for statement in GridSchema.statements { try connection.execute(statement) }
            try connection.setApplicationID(GridSchema.applicationID)
            try connection.setUserVersion(Int32(GridSchema.version))
        }
    }

    private static func hasExpectedVersion(_ connection: Connection) throws -> Bool {
        try connection.applicationID() == Int64(GridSchema.applicationID)
            && connection.userVersion() == Int64(GridSchema.version)
    }

    private static func hasTables(_ connection: Connection) throws -> Bool {
        let found = try connection.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") { $0.text(0) }
        return Set(found) == Set(GridSchema.statements)
    }

    private func discard() throws {
        for suffix in ["", "-wal", "-shm"] { _ = try AtomicFile.remove(path + suffix) }
        readers.closeIdle()
    }
}
