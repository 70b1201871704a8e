internal import CSQLite
public import Database

/// How a database file is opened.
public enum OpenMode: Sendable {
    /// Must exist; nothing is changed.
    case readOnly
    /// Created if it does not exist.
    case create
    /// Another program's database; must exist, is not changed by anyone meanwhile, and its content is not trusted.
    case untrusted
    /// Must exist without a WAL, and is not changed by anyone meanwhile: for a disk that cannot be written to.
    case immutable
    /// Must exist and is not changed by anyone meanwhile; its WAL is read, although the WAL index cannot be created.
    case immutableWithWAL
}

/// The durability of a commit (`PRAGMA synchronous`).
public enum Durability: String, Sendable {
    /// A commit survives a power failure.
    case full = "FULL"
    /// A power failure may lose the newest commits, but does not damage the database.
    case normal = "NORMAL"
    /// No fsync: for data that can be rebuilt.
    case off = "OFF"
}

/// Options for opening a connection.
public struct OpenOptions: Sendable {
    /// Whether the file may be created, changed or only read.
    public var mode: OpenMode = .create
    /// How long a statement waits for another connection's lock, in milliseconds.
    public var busyMilliseconds: Int32 = 10_000
    /// The durability of a commit.
    public var durability: Durability = .full
    /// Whether deleted content is overwritten with zeros.
    public var secureDelete = false
    /// The page size in bytes of a database created by this connection; nil for SQLite's default.
    public var pageBytes: Int?
    /// The size of the page cache in bytes; nil for SQLite's default (2 MB).
    public var cacheBytes: Int?
    /// The number of pages in the WAL at which a commit copies it into the database; nil for SQLite's default (1,000).
    public var checkpointPages: Int?
    /// The tables that have sums in `row_sum`. A connection that may change the database maintains the sums.
    public var summedTables: [ChecksummedTable] = []

    public init(mode: OpenMode = .create) {
        self.mode = mode
    }
}

/// A connection to an SQLite database in WAL mode; used by one thread at a time.
///
/// Not Sendable: `ReaderPool` lends connections to threads; a writer used by several threads keeps its connection under
/// a lock. Safe: the handle is private, and its statements are finalized before it is closed.
@safe
public final class Connection: Session {
    public let path: String
    public var databaseName: String { path }
    let handle: OpaquePointer
    /// Prepared statements by their SQL; those that are lent, too.
    private var statements: [String: Statement] = [:]
    private(set) var rowSums: BlockChecksums?
    /// Whether `row_sum` is known to exist.
    var hasRowSumTable = false
    private let summedTables: [ChecksummedTable]
    /// The durability of commits to the WAL.
    private let durability: Durability
    let lockWait: LockWait

    /// Opens or creates a database.
    public init(path: String, options: OpenOptions = OpenOptions()) throws(StoreError) {
        _ = Self.memoryStatisticsStatus
        var handle: OpaquePointer?
        // A path that begins with "file:" would be parsed as a URI.
        let isURI = options.mode == .untrusted || options.mode == .immutable
        let plain = isURI ? Self.immutableURI(path) : path.hasPrefix("/") ? path : "./" + path
        let flags = Self.flags(for: options.mode) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Without locks, which a read-only disk may not support.
        let system = options.mode == .immutableWithWAL ? "unix-none" : nil
        let status = unsafe sqlite3_open_v2(plain, &handle, flags, system)
        guard status == SQLITE_OK, let opened = unsafe handle else {
            let error = unsafe StoreError.latest(of: handle, status: status, statement: nil)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        self.path = path
        unsafe self.handle = opened
        summedTables = options.summedTables
        durability = options.durability
        lockWait = LockWait(milliseconds: options.busyMilliseconds)
        try configure(options)
    }

    deinit {
        statements.removeAll()
        // Always returns SQLITE_OK: it defers the close until lent statements are finalized.
        unsafe sqlite3_close_v2(handle)
    }

    /// The result of a call made once before the first connection; if it fails, statements are only slower.
    private static let memoryStatisticsStatus = tileserve_disable_memory_statistics()

    private static func flags(for mode: OpenMode) -> Int32 {
        switch mode {
        case .readOnly, .immutableWithWAL: SQLITE_OPEN_READONLY
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .untrusted, .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
    }

    /// A URI with `immutable=1`: SQLite ignores journals and locks, so nothing is written beside the file.
    private static func immutableURI(_ path: String) -> String {
        let plain = path.utf8.map { byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
        return "file:" + plain.joined() + "?immutable=1"
    }

    private func configure(_ options: OpenOptions) throws(StoreError) {
        let status = unsafe lockWait.install(in: handle)
        guard status == SQLITE_OK else {
            throw unsafe StoreError.latest(of: handle, status: status, statement: nil)
        }
        // Before journal_mode: SQLite cannot change the page size of a database in WAL mode.
        if let pageBytes = options.pageBytes { try execute("PRAGMA page_size = \(pageBytes)") }
        // As SQLite recommends: views and triggers of a file from elsewhere cannot call functions with side effects.
        try execute("PRAGMA trusted_schema = OFF")
        // Another program may cut the file short, and reading a mapped page that no longer exists ends the process
        // (SIGBUS). Mapping gained nothing: 2.595 G instructions for 600 tiles instead of 2.597 G.
        try execute("PRAGMA mmap_size = 0")
        if let cacheBytes = options.cacheBytes { try execute("PRAGMA cache_size = -\(cacheBytes / 1024)") }
        // The WAL index is then kept in this connection's memory.
        if options.mode == .immutableWithWAL { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        guard options.mode == .create else { return }
        try useWAL()
        try execute("PRAGMA secure_delete = \(options.secureDelete ? "ON" : "OFF")")
        if let pages = options.checkpointPages { try execute("PRAGMA wal_autocheckpoint = \(pages)") }
        if !summedTables.isEmpty { maintainSums(of: summedTables) }
    }

    /// Writes changes to a write-ahead log first: readers then never wait.
    public func useWAL() throws(StoreError) {
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(durability.rawValue)")
    }

    /// Writes changes to the database itself, with a journal of the pages that it had before; false if another
    /// connection has the database open. Until `useWAL`, readers wait for a writer that needs more than its cache.
    ///
    /// Nothing waits for the disk: after a power failure within half a minute, the database can be damaged. Only for one
    /// that can be made again, and whose damage is noticed.
    ///
    /// A WAL costs more than the pages when much is written in one transaction: each page is written to it, read for the
    /// checksums of all frames if one is written again, and read and written once more for the database.
    public func useRollbackJournal() throws -> Bool {
        lockWait.isEnabled = false
        defer { lockWait.isEnabled = true }
        do {
            guard try first("PRAGMA journal_mode = DELETE", [], { $0.text(0) }) == "delete" else { return false }
            try execute("PRAGMA synchronous = OFF")
            return true
        } catch let error as StoreError where error.kind == .busy {
            return false
        }
    }

    /// Runs `body`, in which nothing waits for a lock of another connection.
    func withoutWaiting(_ body: () -> Int32) -> Int32 {
        lockWait.isEnabled = false
        defer { lockWait.isEnabled = true }
        return body()
    }

    /// Runs one or several statements without parameters, separated by `;`; rows are discarded.
    public func execute(_ script: String) throws(StoreError) {
        let status = unsafe sqlite3_exec(handle, script, nil, nil, nil)
        guard status == SQLITE_OK else {
            throw unsafe StoreError.latest(of: handle, status: status, statement: script)
        }
        try writeRowSumsIfAlone()
    }

    public func run(_ sql: String, _ values: [Value]) throws(StoreError) {
        try change(sql) { statement throws(StoreError) in
            try statement.bind(values)
            while try statement.step() {}
        }
    }

    public func returning(_ sql: String, _ values: [Value]) throws(StoreError) -> Int64? {
        try change(sql) { statement throws(StoreError) in
            try statement.bind(values)
            // A step after the last one would run the statement again.
            guard try statement.step() else { return nil }
            let found = statement.integerOrNil(0)
            while try statement.step() {}
            return found
        }
    }

    public func batch(_ queries: [Query]) throws(StoreError) {
        for query in queries { try run(query.sql, query.values) }
    }

    public func load(into table: String, _ body: (_ add: ([Value]) throws -> Void) throws -> Void) throws {
        var loading: Statement?
        defer { if let loading { release(loading) } }
        try body { values in
            let statement = try loading ?? acquire(Self.insertion(into: table, count: values.count))
            loading = statement
            try statement.bind(values)
            while try statement.step() {}
            statement.reset()
        }
        try writeRowSumsIfAlone()
    }

    private static func insertion(into table: String, count: Int) -> String {
        "INSERT INTO \(table) VALUES (\((1...max(1, count)).map { "$\($0)" }.joined(separator: ", ")))"
    }

    /// Runs a statement that may change rows, together with the change of their sums.
    private func change<Result>(
        _ sql: String, _ body: (Statement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let statement = try acquire(sql)
        defer { release(statement) }
        // Rows and their sums must change in the same transaction.
        guard rowSums != nil, !isInTransaction, !statement.isReadOnly else { return try body(statement) }
        try begin(.writing)
        do {
            let result = try body(statement)
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs a statement that begins or ends a transaction.
    func control(_ sql: String) throws(StoreError) {
        let statement = try acquire(sql)
        defer { release(statement) }
        while try statement.step() {}
    }

    /// The first column of the first row as INTEGER; nil for no row or NULL.
    func number(_ sql: String, _ values: [Value]) throws(StoreError) -> Int64? {
        let statement = try acquire(sql)
        defer { release(statement) }
        try statement.bind(values)
        return try statement.step() ? statement.integerOrNil(0) : nil
    }

    /// Calls `body` for each row.
    func scan(_ sql: String, _ values: [Value], _ body: (Statement) -> Void) throws(StoreError) {
        let statement = try acquire(sql)
        defer { release(statement) }
        try statement.bind(values)
        while try statement.step() { body(statement) }
    }

    /// Starts maintaining the sums of these tables in `row_sum`.
    public func maintainSums(of tables: [ChecksummedTable]) {
        let sums = BlockChecksums(tables)
        unsafe sums.listen(to: handle)
        rowSums = sums
    }

    public func hasUnsummedRows() throws -> Bool {
        try areSumsPending()
    }

    public func checksumRows(from start: ChecksumPosition, until shouldStop: () -> Bool) throws -> ChecksumPosition? {
        guard let rowSums else { return nil }
        return try transaction { try fill(rowSums, from: start, until: shouldStop) }
    }

    public func alteredBlocks(of tables: [String]?) throws -> [AlteredBlock] {
        guard let tables else { return try alteredBlocks(of: summedTables) }
        let chosen = summedTables.filter { tables.contains($0.name) }
        return try alteredBlocks(of: chosen).filter { tables.contains($0.table) }
    }

    public func deleteAll(from tables: [String]) throws {
        // Without the hook, SQLite clears a table page by page (its truncate optimisation) instead of row by row. A
        // statement that was prepared so never calls the hook, so its text must not be run elsewhere on this
        // connection.
        if rowSums != nil { unsafe BlockChecksums.stopListening(to: handle) }
        defer { unsafe rowSums?.listen(to: handle) }
        rowSums?.discard(tables: tables)
        for name in tables {
            try run("DELETE FROM \(name)", [])
            if rowSums != nil { try run("DELETE FROM row_sum WHERE name = $1", [.text(name)]) }
        }
    }

    private func writeRowSumsIfAlone() throws(StoreError) {
        guard let rowSums, rowSums.hasChanges, !isInTransaction else { return }
        try control("BEGIN IMMEDIATE")
        do {
            try write(rowSums)
            try control("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    public func forEachWhile(_ sql: String, _ values: [Value], _ body: (any Row) throws -> Bool) throws {
        try scanWhile(sql, values, body)
    }

    /// Calls `body` for each row until it returns false.
    func scanWhile(_ sql: String, _ values: [Value], _ body: (Statement) throws -> Bool) throws {
        let statement = try acquire(sql)
        defer { release(statement) }
        try statement.bind(values)
        while try statement.step() {
            guard try body(statement) else { break }
        }
        try writeRowSumsIfAlone()
    }

    public func lines(of column: String) -> String {
        "group_concat(\(column), char(10))"
    }

    public var changedRows: Int {
        unsafe Int(sqlite3_changes64(handle))
    }

    /// Whether a transaction is open.
    public var isInTransaction: Bool {
        unsafe sqlite3_get_autocommit(handle) == 0
    }

    /// Empties the database, even if its pages are damaged; other processes see it as a normal change.
    public func eraseDatabase() throws(StoreError) {
        statements.removeAll()
        let status = unsafe tileserve_allow_reset(handle, 1)
        guard status == SQLITE_OK else {
            throw unsafe StoreError.latest(of: handle, status: status, statement: nil)
        }
        // Clearing the flag cannot fail: it belongs to this connection.
        defer { _ = unsafe tileserve_allow_reset(handle, 0) }
        try execute("VACUUM")
    }

    private func acquire(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql], !statement.isLent {
            statement.isLent = true
            return statement
        }
        let statement = try unsafe Statement(sql, in: handle)
        statement.isLent = true
        // Statements generated at run time must not accumulate. Those that are lent end when they are released.
        if statements.count >= Self.statementLimit { statements.removeAll() }
        statements[sql] = statement
        return statement
    }

    /// It stays in the dictionary: each run looks up its SQL once only.
    private func release(_ statement: Statement) {
        statement.reset()
        statement.isLent = false
    }

    /// More than the number of different statements of the program; a prepared statement takes a few KiB.
    private static let statementLimit = 200
}
