import Files
package import HeatGrid
import Locking
import SQLite
package import Tracks

/// What catching up did.
package struct GridChange: Sendable, Equatable {
    /// The state before; nil where the grid was made.
    package var before: GridState?
    /// The state after.
    package var after: GridState
    /// Packed keys of the tiles that were written or emptied, ascending; nil where the grid was made anew.
    package var tiles: [UInt64]?
}

/// `grid.sqlite`: the grid of every zoom level, derived from the truth and made again whenever it does not fit it, or is damaged.
package final class GridStore: Sendable {
    /// The file.
    package let path: String
    let lockPath: String
    let folder: String
    let rule: SumRule
    /// Whether the file cannot be changed.
    let isReadOnly: Bool
    private let readers: ReaderPool
    private let lasting: ReadOnlyReaders?
    private let state = Locked(State())

    private struct State {
        /// What is wrong with the grid, until it has been made again.
        var damage: String?
        /// What was wrong with it since somebody asked for it.
        var repaired: [String] = []
        /// Which file the readers have opened.
        var file: FileStatus.Identity?
    }

    /// Bytes of the file that readers map: reads are then of the page cache, without a copy.
    private static let mappedBytes: Int64 = 1 << 36

    /// Opens the grid of a library folder, or makes an empty one; one of another version, or that is damaged, is replaced.
    ///
    /// One that `isReadOnly` is opened as it is.
    package init(folder: String, rule: SumRule = SumRule(), isReadOnly: Bool = false) throws {
        self.folder = folder
        self.rule = rule
        self.isReadOnly = isReadOnly
        let path = folder + "/grid.sqlite"
        self.path = path
        lockPath = folder + "/grid.lock"
        lasting = isReadOnly ? ReadOnlyReaders(path: path) : nil
        readers =
            lasting?.pool
            ?? ReaderPool(path: path) {
                var options = OpenOptions(mode: .readOnly)
                options.mappedBytes = Self.mappedBytes
                return options
            }
        guard !isReadOnly else {
            try checkVersion()
            return
        }
        if let damage = try prepare() { state.withLock { $0.repaired.append(damage) } }
        state.withLock { $0.file = FileStatus.ifAny(of: path)?.identity }
    }

    /// Reads the grid as it stands at one moment.
    ///
    /// Throws `LibraryError.gridDamaged` where something of it is not as it was written; it is made again then by the next
    /// `catchUp`.
    package func read<Result>(_ body: (GridReader) throws -> Result) throws -> Result {
        lasting?.look()
        do {
            return try readers.read { try body(GridReader($0)) }
        } catch let error as GridDamage {
            throw noted(error.what)
        } catch let error as SQLiteError where isDamage(error) {
            throw noted(error.message)
        }
    }

    /// Compares all rows with their sums, as no reader can tell a tile whose row is gone from an empty one. Reads everything: 1 GB/s.
    ///
    /// Throws `LibraryError.gridDamaged` as `read` does.
    package func checkRows() throws {
        try read { reader in
            guard let altered = try reader.connection.alteredBlocks(of: GridSchema.summed).first else { return }
            throw GridDamage(what: "what is stored in table \(altered.table) is not as it was written")
        }
    }

    /// Whether something of it was found that is not as it was written; it has to be made again.
    package var isDamaged: Bool { state.withLock { $0.damage != nil } }

    /// What was wrong with grids that were replaced since the last call.
    package func takeRepaired() -> [String] {
        state.withLock { state in
            defer { state.repaired = [] }
            return state.repaired
        }
    }

    /// Looks whether the file is another one than the readers have opened, or is gone; then they open what is there.
    package func look() {
        guard !isReadOnly else { return }
        let file = FileStatus.ifAny(of: path)?.identity
        let isOther = state.withLock { state in
            defer { state.file = file }
            if file == nil { state.damage = state.damage ?? "the file is gone" }
            return state.file != file
        }
        if isOther { readers.closeIdle() }
    }

    private func noted(_ what: String) -> LibraryError {
        state.withLock { $0.damage = what }
        return .gridDamaged(path: path, what: what)
    }

    /// Whether an error is of the file's content: of its pages, or of tables that are not as this program makes them.
    private func isDamage(_ error: SQLiteError) -> Bool {
        error.isNoDatabase || error.isWrongSchema
            || error.isCannotOpen && FileStatus.ifAny(of: path) == nil && !isReadOnly
    }

    /// Brings the grid to the truth's newest entry; where it does not descend from the truth's log, rules or zone have
    /// changed, or it is damaged, it is made anew. One process does so at a time; others wait.
    package func catchUp(
        with source: any GridSource, calendar: DayCalendar, anew: Bool = false,
        memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        guard !isReadOnly else { return nil }
        let lock = try LockFile.wait(for: lockPath)
        defer { withExtendedLifetime(lock) {} }
        func run(anew: Bool) throws -> GridChange? {
            let update = GridUpdate(
                connection: try Self.writer(path), source: source, calendar: calendar, rule: rule, folder: folder,
                memoryBytes: memoryBytes, report: report)
            return try update.run(anew: anew)
        }
        let known = state.withLock { $0.damage }
        do {
            let change = try run(anew: anew || known != nil)
            if let known { repaired(known) }
            return change
        } catch let error as GridDamage {
            return try remade(error.what) { try run(anew: true) }
        } catch let error as SQLiteError where isDamage(error) {
            return try remade(error.message) { try run(anew: true) }
        }
    }

    /// Makes a damaged grid again from nothing: there is nothing in it that the tracks do not tell.
    private func remade(_ damage: String, _ run: () throws -> GridChange?) throws -> GridChange? {
        do {
            let connection = try Self.writer(path)
            try connection.removeEverything()
            try Self.create(connection)
        } catch let error as SQLiteError where isDamage(error) {
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
            state.file = FileStatus.ifAny(of: path)?.identity
        }
    }

    /// Moves what was written into the database and empties the log of writes; false where a reader stood in the way.
    @discardableResult
    package func truncateLog() throws -> Bool {
        try Self.writer(path).checkpointTruncating()
    }

    /// What `PRAGMA integrity_check` finds, and which tables have rows that are not as they were written.
    package func integrityProblems() throws -> [String] {
        do {
            return try readers.read { connection in
                let problems = try connection.integrityProblems()
                guard problems.isEmpty else { return problems }
                return try connection.alteredBlocks(of: GridSchema.summed).map {
                    "what is stored in table \($0.table) is not as it was written"
                }
            }
        } catch let error as SQLiteError where isDamage(error) {
            return [error.message]
        }
    }

    /// Whether there is a grid in a folder that was made from tracks, or that cannot be read any more.
    static func isFilled(in folder: String) -> Bool {
        let path = folder + "/grid.sqlite"
        guard let facts = FileStatus.ifAny(of: path), facts.byteCount > 0 else { return false }
        do {
            let pool = ReaderPool(path: path) { ReadOnlyFiles.options(path) }
            return try pool.read { try GridReader($0).state().map { $0.revision > 0 } ?? false }
        } catch {
            return true
        }
    }

    /// Bytes that building a grid takes unless told otherwise, beside what one track needs.
    package static let defaultMemoryBytes = 640 << 20

    static func writer(_ path: String) throws -> Connection {
        try OwnerOnly.prepareDatabase(path)
        var options = OpenOptions(mode: .create)
        // What a loss of power takes is made again from the truth.
        options.durability = .normal
        // What is removed shall not be found in the file.
        options.secureDelete = true
        options.pageBytes = 8192
        options.cacheBytes = 64 << 20
        options.busyMilliseconds = 60_000
        let connection = try Connection(path: path, options: options)
        connection.keepSums(of: GridSchema.summed)
        return connection
    }

    // MARK: Making the tables

    /// Makes the tables where there are none, or others; gives what was wrong with a file that had to be replaced.
    private func prepare() throws -> String? {
        // Looked at without a lock first: whoever makes a large grid holds it for long.
        if try isSound() { return nil }
        let lock = try LockFile.wait(for: lockPath)
        defer { withExtendedLifetime(lock) {} }
        if try isSound() { return nil }
        var damage: String?
        do {
            let connection = try Self.writer(path)
            if try connection.tableCount() > 0 {
                // One of another version is replaced without a word.
                if try Self.isOurs(connection) { damage = "its tables are not those of this version" }
                try connection.removeEverything()
            }
            try Self.create(connection)
        } catch let error as SQLiteError where isDamage(error) {
            damage = error.message
            try discard()
            try Self.create(try Self.writer(path))
        }
        return damage
    }

    private func isSound() throws -> Bool {
        do {
            let connection = try Self.writer(path)
            return try Self.isOurs(connection) && Self.hasTables(connection)
        } catch let error as SQLiteError where isDamage(error) {
            return false
        }
    }

    private func checkVersion() throws {
        let isFit = try readers.read { try Self.isOurs($0) && Self.hasTables($0) }
        guard isFit else { throw LibraryError.gridDamaged(path: path, what: "it is of another version") }
    }

    private static func create(_ connection: Connection) throws {
        try connection.transaction(.immediate) {
            for statement in GridSchema.statements { try connection.execute(statement) }
            try connection.setApplicationID(GridSchema.applicationID)
            try connection.setUserVersion(Int32(GridSchema.version))
        }
    }

    private static func isOurs(_ connection: Connection) throws -> Bool {
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
