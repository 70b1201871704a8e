/// When a transaction takes its lock.
public enum TransactionKind: String, Sendable {
    /// At its first read (a snapshot) or write.
    case deferred = "DEFERRED"
    /// At once, as the one writer.
    case immediate = "IMMEDIATE"
}

extension Connection {
    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    public func transaction<Result>(_ kind: TransactionKind = .immediate, _ body: () throws -> Result) throws -> Result
    {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Begins a transaction that `commit()` or `rollBack()` ends.
    public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
        rowSums?.discard()
        switch kind {
        case .deferred: try control("BEGIN DEFERRED")
        case .immediate: try control("BEGIN IMMEDIATE")
        }
    }

    /// Commits; where that fails the transaction is still under way.
    public func commit() throws(SQLiteError) {
        try rowSums?.write(self)
        try control("COMMIT")
    }

    /// Takes back what the transaction did; nothing where none is under way.
    public func rollBack() {
        // Some errors have rolled back already. A rollback that fails leaves its work in the WAL, uncommitted.
        rowSums?.discard()
        guard isInTransaction else { return }
        try? control("ROLLBACK")
    }

    /// Rises when another connection, of any process, has committed.
    public func dataVersion() throws -> Int64 {
        try integer("PRAGMA data_version") ?? 0
    }

    /// What `PRAGMA integrity_check` finds wrong; empty for a sound database.
    public func integrityProblems() throws -> [String] {
        try rows("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
    }

    /// The number that says whose database it is (`PRAGMA application_id`).
    public func applicationID() throws -> Int64 {
        try integer("PRAGMA application_id") ?? 0
    }

    /// Says whose database it is.
    public func setApplicationID(_ number: Int32) throws(SQLiteError) {
        try execute("PRAGMA application_id = \(number)")
    }

    /// The version of the schema (`PRAGMA user_version`).
    public func userVersion() throws -> Int64 {
        try integer("PRAGMA user_version") ?? 0
    }

    /// Sets the version of the schema; part of the transaction under way.
    public func setUserVersion(_ number: Int32) throws(SQLiteError) {
        try execute("PRAGMA user_version = \(number)")
    }

    /// How many tables there are; 0 for a database just made.
    public func tableCount() throws -> Int64 {
        try integer("SELECT count(*) FROM sqlite_schema") ?? 0
    }
}
