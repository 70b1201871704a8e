internal import CSQLite

/// How a database file is opened.
public enum OpenMode: Sendable {
    /// Must be there; nothing is changed.
    case readOnly
    /// Must be there.
    case readWrite
    /// Made where it is not there.
    case create
    /// Must be there, is somebody else's, and is changed by nobody; what it holds is not trusted.
    case foreign
    /// Must be there, without a log of writes beside it, and is changed by nobody: for a disk that cannot be written to.
    case immutable
    /// Must be there, and is changed by nobody; the log of writes beside it is read, too, though its index cannot be made.
    case immutableWithLog
}

/// How hard a commit is pressed onto the disk (`PRAGMA synchronous`).
public enum Durability: String, Sendable {
    /// A commit survives a loss of power.
    case full = "FULL"
    /// A loss of power may take the newest commits, and leaves the database whole.
    case normal = "NORMAL"
    /// Nothing is waited for: for what can be made again.
    case off = "OFF"
}

/// What a connection is opened with.
public struct OpenOptions: Sendable {
    /// Whether the file is made, changed or only read.
    public var mode: OpenMode = .create
    /// How long a statement waits for another connection's lock, in milliseconds.
    public var busyMilliseconds: Int32 = 10_000
    /// How hard a commit is pressed onto the disk.
    public var durability: Durability = .full
    /// Overwrites what is deleted with zeros.
    public var secureDelete = false
    /// Bytes of a page of a database that this connection makes; nil for SQLite's default.
    public var pageBytes: Int?
    /// Bytes of the file that are read through memory mapping.
    public var mappedBytes: Int64 = 0
    /// Bytes of pages kept; nil for SQLite's default (2 MB).
    public var cacheBytes: Int?

    /// The defaults.
    public init(mode: OpenMode = .create) {
        self.mode = mode
    }
}

/// A connection to an SQLite database in WAL mode, for one thread at a time.
///
/// Not Sendable: `ReaderPool` lends connections to threads, and whoever writes from many threads keeps one under a lock.
/// Safe: the handle is private, and its statements end before it.
@safe
public final class Connection {
    /// The file.
    public let path: String
    let handle: OpaquePointer
    private var idle: [String: Statement] = [:]
    private(set) var rowSums: RowSums?

    /// Opens or makes a database.
    public init(path: String, options: OpenOptions = OpenOptions()) throws(SQLiteError) {
        _ = Self.memoryStatisticsStatus
        var handle: OpaquePointer?
        // A path that begins with "file:" would be read as a URI.
        let isURI = options.mode == .foreign || options.mode == .immutable
        let plain = isURI ? Self.immutableURI(path) : path.hasPrefix("/") ? path : "./" + path
        let flags = Self.flags(for: options.mode) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // Without locks, which a disk that cannot be written to need not know.
        let system = options.mode == .immutableWithLog ? "unix-none" : nil
        let status = unsafe sqlite3_open_v2(plain, &handle, flags, system)
        guard status == SQLITE_OK, let opened = unsafe handle else {
            let error = unsafe SQLiteError.newest(of: handle, status: status, statement: nil)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        self.path = path
        unsafe self.handle = opened
        try configure(options)
    }

    deinit {
        idle.removeAll()
        // close_v2 gives SQLITE_OK always: it waits for statements still lent.
        unsafe sqlite3_close_v2(handle)
    }

    /// Of the one call before the first connection; a refusal only costs speed.
    private static let memoryStatisticsStatus = tileserve_forgo_memory_statistics()

    private static func flags(for mode: OpenMode) -> Int32 {
        switch mode {
        case .readOnly, .immutableWithLog: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .foreign, .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
    }

    /// Without a look at journals and locks, so that nothing is written beside the file.
    private static func immutableURI(_ path: String) -> String {
        let plain = path.utf8.map { byte in
            let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
        return "file:" + plain.joined() + "?immutable=1"
    }

    private func configure(_ options: OpenOptions) throws(SQLiteError) {
        let status = unsafe sqlite3_busy_timeout(handle, options.busyMilliseconds)
        guard status == SQLITE_OK else {
            throw unsafe SQLiteError.newest(of: handle, status: status, statement: nil)
        }
        if let pageBytes = options.pageBytes { try execute("PRAGMA page_size = \(pageBytes)") }
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA mmap_size = \(options.mappedBytes)")
        if let cacheBytes = options.cacheBytes { try execute("PRAGMA cache_size = -\(cacheBytes / 1024)") }
        // The index of the log is then in this connection's memory.
        if options.mode == .immutableWithLog { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        guard options.mode == .readWrite || options.mode == .create else { return }
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(options.durability.rawValue)")
        try execute("PRAGMA secure_delete = \(options.secureDelete ? "ON" : "OFF")")
    }

    /// Runs one or several statements, separated by `;`, that take no values; rows are thrown away.
    public func execute(_ script: String) throws(SQLiteError) {
        let status = unsafe sqlite3_exec(handle, script, nil, nil, nil)
        guard status == SQLITE_OK else {
            throw unsafe SQLiteError.newest(of: handle, status: status, statement: script)
        }
        try writeRowSumsIfAlone()
    }

    /// Runs a statement to its end; rows are thrown away.
    public func run(_ sql: String, _ values: [Value] = []) throws(SQLiteError) {
        let statement = try take(sql)
        defer { giveBack(statement) }
        // Rows and their sums change together.
        let isAlone = rowSums != nil && !isInTransaction && !statement.isReadOnly
        if isAlone { try begin() }
        do {
            try statement.bind(values)
            while try statement.step() {}
            if isAlone { try commit() }
        } catch {
            if isAlone { rollBack() }
            throw error
        }
    }

    /// Runs a statement that begins or ends a transaction.
    func control(_ sql: String) throws(SQLiteError) {
        let statement = try take(sql)
        defer { giveBack(statement) }
        while try statement.step() {}
    }

    /// The first column of the first row as INTEGER; nil where there is no row, or NULL.
    func number(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Int64? {
        let statement = try take(sql)
        defer { giveBack(statement) }
        try statement.bind(values)
        return try statement.step() ? statement.integerOrNil(0) : nil
    }

    /// Hands each row to `body`.
    func scan(_ sql: String, _ values: [Value], _ body: (Statement) -> Void) throws(SQLiteError) {
        let statement = try take(sql)
        defer { giveBack(statement) }
        try statement.bind(values)
        while try statement.step() { body(statement) }
    }

    /// Keeps sums of the rows of tables in `row_sum` from now on.
    public func keepSums(of tables: [SummedTable]) {
        let sums = RowSums(tables)
        unsafe sums.listen(to: handle)
        rowSums = sums
    }

    /// Sums blocks of rows that have no sum yet, in a transaction that ends when `isTime`; gives where to go on, nil where
    /// nothing is left.
    public func sumRows(
        from start: (table: Int, block: Int64), until isTime: () -> Bool
    ) throws -> (table: Int, block: Int64)? {
        guard let rowSums else { return nil }
        return try transaction { try rowSums.fill(from: start, self, until: isTime) }
    }

    /// Deletes all rows of tables with sums, without looking at each.
    public func deleteAll(from tables: [String]) throws {
        if rowSums != nil { unsafe RowSums.stopListening(to: handle) }
        defer { unsafe rowSums?.listen(to: handle) }
        rowSums?.discard(tables: tables)
        for name in tables {
            try run("DELETE FROM \(name)")
            if rowSums != nil { try run("DELETE FROM row_sum WHERE name = ?", [.text(name)]) }
        }
    }

    private func writeRowSumsIfAlone() throws(SQLiteError) {
        guard let rowSums, rowSums.hasChanges, !isInTransaction else { return }
        try control("BEGIN IMMEDIATE")
        do {
            try rowSums.write(self)
            try control("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// Calls `body` at each row, until it says false.
    public func walk(_ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Bool) throws {
        let statement = try take(sql)
        defer { giveBack(statement) }
        try statement.bind(values)
        while try statement.step() {
            guard try body(statement) else { return }
        }
        try writeRowSumsIfAlone()
    }

    /// Calls `body` at each row.
    public func forEach(_ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Void) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// What `body` makes of each row.
    public func rows<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Element
    ) throws -> [Element] {
        var result: [Element] = []
        try forEach(sql, values) { result.append(try body($0)) }
        return result
    }

    /// What `body` makes of the first row; nil where there is none.
    public func first<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Element
    ) throws -> Element? {
        var result: Element?
        try walk(sql, values) { row in
            result = try body(row)
            return false
        }
        return result
    }

    /// The first column of the first row as INTEGER; nil where there is no row, or NULL.
    public func integer(_ sql: String, _ values: [Value] = []) throws -> Int64? {
        try first(sql, values) { $0.integerOrNil(0) } ?? nil
    }

    /// The row id that the newest INSERT gave.
    public var newestRowID: Int64 {
        unsafe sqlite3_last_insert_rowid(handle)
    }

    /// How many rows the newest INSERT, UPDATE or DELETE changed.
    public var changedRows: Int {
        unsafe Int(sqlite3_changes64(handle))
    }

    /// Whether a transaction is under way.
    public var isInTransaction: Bool {
        unsafe sqlite3_get_autocommit(handle) == 0
    }

    /// Moves all of the WAL into the database and cuts it to nothing; false where a reader or writer stood in the way.
    public func checkpointTruncating() throws(SQLiteError) -> Bool {
        let status = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if status & 0xff == SQLITE_BUSY || status & 0xff == SQLITE_LOCKED { return false }
        guard status == SQLITE_OK else {
            throw unsafe SQLiteError.newest(of: handle, status: status, statement: nil)
        }
        return true
    }

    /// Empties the database, however damaged its pages are; other processes see that as any other change.
    public func removeEverything() throws(SQLiteError) {
        idle.removeAll()
        let status = unsafe tileserve_allow_reset(handle, 1)
        guard status == SQLITE_OK else {
            throw unsafe SQLiteError.newest(of: handle, status: status, statement: nil)
        }
        // That it cannot be taken back has no case: the setting is this connection's own.
        defer { _ = unsafe tileserve_allow_reset(handle, 0) }
        try execute("VACUUM")
    }

    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = idle.removeValue(forKey: sql) { return statement }
        return try unsafe Statement(sql, in: handle)
    }

    private func giveBack(_ statement: Statement) {
        statement.reset()
        // Statements made up at run time must not pile up.
        if idle.count >= Self.idleLimit { idle.removeAll() }
        idle[statement.sql] = statement
    }

    /// More texts than the program has; prepared statements cost a few KiB each.
    private static let idleLimit = 200
}
