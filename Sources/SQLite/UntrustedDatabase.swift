internal import CSQLite
public import Database

/// Another program's database, opened read-only; its schema and content are not trusted.
///
/// Nothing is written beside it, extensions are not loaded, the size of values is limited, and a statement that runs
/// long without returning a row is ended with an error. Not Sendable, like `Connection`.
@safe
public final class UntrustedDatabase {
    /// The longest value that is read, in bytes.
    private static let valueLimit: Int32 = 16 << 20
    /// Instructions of SQLite's virtual machine between two checks of the budget.
    private static let instructionsPerTick: Int32 = 10_000
    /// Checks without a row after which a statement is ended: some seconds.
    private static let tickLimit = 10_000

    private let connection: Connection
    /// Checks since the last row. A pointer, because SQLite's callback receives one.
    private let ticks: UnsafeMutablePointer<Int>

    /// Opens the database in a file.
    public init(path: String) throws(StoreError) {
        connection = try Connection(path: path, options: OpenOptions(mode: .untrusted))
        unsafe ticks = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe ticks.initialize(to: 0)
        unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Self.valueLimit)
        unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
        let status = unsafe tileserve_enable_defensive_mode(connection.handle)
        guard status == SQLITE_OK else {
            throw unsafe StoreError.latest(of: connection.handle, status: status, statement: nil)
        }
        unsafe sqlite3_progress_handler(
            connection.handle, Self.instructionsPerTick,
            { ticks in
                guard let ticks = unsafe ticks?.assumingMemoryBound(to: Int.self) else { return 1 }
                unsafe ticks.pointee += 1
                return unsafe ticks.pointee > UntrustedDatabase.tickLimit ? 1 : 0
            }, ticks)
    }

    deinit {
        // First, because the handler gets the pointer that is freed next.
        unsafe sqlite3_progress_handler(connection.handle, 0, nil, nil)
        unsafe ticks.deinitialize(count: 1)
        unsafe ticks.deallocate()
    }

    /// Whether there is an ordinary table (not a view or virtual table) of this name, case-insensitive.
    public func hasTable(_ name: String) throws -> Bool {
        var found = false
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = $1 COLLATE NOCASE"
        try forEach(sql, [.text(name)]) { found = !$0.text(0).lowercased().hasPrefix("create virtual") }
        return found
    }

    /// Calls `body` for each row.
    public func forEach(_ sql: String, _ values: [Value] = [], _ body: (Statement) throws -> Void) throws {
        unsafe ticks.pointee = 0
        try connection.scanWhile(sql, values) { row in
            unsafe ticks.pointee = 0
            try body(row)
            return true
        }
    }
}
