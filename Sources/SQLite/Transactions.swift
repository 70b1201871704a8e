/// When a transaction takes its lock.
public enum TransactionKind: String, Sendable {
    /// At its first read (a snapshot) or write.
    case deferred = "DEFERRED"
    /// At its begin, as the only writer.
    case immediate = "IMMEDIATE"
}

extension Connection {
    /// Runs `body` in a transaction: committed when it returns, rolled back if it throws.
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

    /// Begins a transaction, to be ended by `commit()` or `rollBack()`.
    public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
        rowSums?.discard()
        switch kind {
        case .deferred: try control("BEGIN DEFERRED")
        case .immediate: try control("BEGIN IMMEDIATE")
        }
    }

    /// Commits; if that fails, the transaction is still open.
    public func commit() throws(SQLiteError) {
        try rowSums?.write(self)
        try control("COMMIT")
    }

    /// Rolls the transaction back; does nothing if none is open.
    public func rollBack() {
        // Some errors have already rolled back. If the rollback fails, the changes stay uncommitted in the WAL.
        rowSums?.discard()
        guard isInTransaction else { return }
        try? control("ROLLBACK")
    }

    /// A number that changes when another connection of any process has committed.
    public func dataVersion() throws -> Int64 {
        try integer("PRAGMA data_version") ?? 0
    }

    /// The errors found by `PRAGMA integrity_check`; empty if there are none.
    public func integrityProblems() throws -> [String] {
        try rows("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
    }

    /// The number that identifies the program of the database (`PRAGMA application_id`).
    public func applicationID() throws -> Int64 {
        try integer("PRAGMA application_id") ?? 0
    }

    /// Sets the number that identifies the program of the database.
    public func setApplicationID(_ number: Int32) throws(SQLiteError) {
        try execute("PRAGMA application_id = \(number)")
    }

    /// The version of the schema (`PRAGMA user_version`).
    public func userVersion() throws -> Int64 {
        try integer("PRAGMA user_version") ?? 0
    }

    /// Sets the version of the schema, within the current transaction.
    public func setUserVersion(_ number: Int32) throws(SQLiteError) {
        try execute("PRAGMA user_version = \(number)")
    }

    /// The number of objects in the schema; 0 for a new database.
    public func tableCount() throws -> Int64 {
        try integer("SELECT count(*) FROM sqlite_schema") ?? 0
    }
}
