public import Database

extension Connection {
    public func begin(_ kind: TransactionKind) throws(StoreError) {
        rowSums?.discard()
        switch kind {
        case .snapshot: try control("BEGIN DEFERRED")
        // Takes the lock of writers at once. A deferred transaction that writes after another one has committed fails
        // with SQLITE_BUSY_SNAPSHOT, and waiting does not help.
        case .writing: try control("BEGIN IMMEDIATE")
        }
    }

    public func commit() throws(StoreError) {
        if let rowSums { try write(rowSums) }
        try control("COMMIT")
    }

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

    public func integrityProblems() throws -> [String] {
        try rows("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
    }

    /// The number that identifies the program of the database (`PRAGMA application_id`).
    public func applicationID() throws -> Int64 {
        try integer("PRAGMA application_id") ?? 0
    }

    /// Sets the number that identifies the program of the database.
    public func setApplicationID(_ number: Int32) throws(StoreError) {
        try execute("PRAGMA application_id = \(number)")
    }

    /// The version of the schema (`PRAGMA user_version`).
    public func userVersion() throws -> Int64 {
        try integer("PRAGMA user_version") ?? 0
    }

    /// Sets the version of the schema, within the current transaction.
    public func setUserVersion(_ number: Int32) throws(StoreError) {
        try execute("PRAGMA user_version = \(number)")
    }

    /// The number of objects in the schema; 0 for a new database.
    public func tableCount() throws -> Int64 {
        try integer("SELECT count(*) FROM sqlite_schema") ?? 0
    }
}
