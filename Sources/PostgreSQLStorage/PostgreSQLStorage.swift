public import Database
internal import Locking
public import PostgreSQL
internal import SQLiteStorage

/// A library in a database of PostgreSQL, each of its databases in a schema.
///
/// Deleted rows are deleted, not overwritten: the files of the server may hold them until their space is used again, and its
/// log and backups until these are.
public struct PostgreSQLStorage: LibraryStorage {
    public let location: PostgreSQLLocation
    private let accelerations: Accelerations

    public init(_ location: PostgreSQLLocation, accelerations: Accelerations = Accelerations()) {
        self.location = location
        self.accelerations = accelerations
    }

    /// What is asked of a library that need not exist: a server asks several times a second whether there is an inbox, and must
    /// not connect anew each time.
    private struct Place: Hashable {
        var location: PostgreSQLLocation
        var kind: DatabaseKind
    }

    private static let pools = Locked<[Place: SessionPool]>([:])

    /// Sessions that find the tables of a database.
    private func pool(_ kind: DatabaseKind) -> SessionPool {
        Self.pools.withLock { pools in
            let place = Place(location: location, kind: kind)
            if let known = pools[place] { return known }
            let options = PostgreSQLDatabase.options(of: kind, location, accelerations)
            let pool = SessionPool(options, catalog: StatementCatalog(), idleLimit: 1)
            pools[place] = pool
            return pool
        }
    }

    /// Whether the server is a standby, or the role may not change the tables.
    public var isReadOnly: Bool {
        let found = try? pool(.tracks).withSession { session in
            try session.integer(
                """
                SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
                OR NOT coalesce(has_table_privilege(to_regclass($1), 'UPDATE'), true) THEN 1 ELSE 0 END
                """, [.text("\(PostgreSQLSession.quoted(location.schema, "\"")).library_state")])
        }
        return found == 1
    }

    public func name(of kind: DatabaseKind) -> String {
        PostgreSQLDatabase.name(of: kind, location)
    }

    public func exists(_ kind: DatabaseKind) -> Bool {
        PostgreSQLDefinition(kind).exists(in: pool(kind))
    }

    public func hasContent(_ kind: DatabaseKind) -> Bool {
        exists(kind)
    }

    public func hasRemains(_ kind: DatabaseKind) -> Bool {
        false
    }

    public func byteCount(_ kind: DatabaseKind) throws -> Int64 {
        // Without the prerendered tiles, which `stats` counts apart.
        try pool(kind).withSession { session in
            try session.integer(
                """
                SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c
                JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
                AND NOT starts_with(c.relname, $2)
                """, [.text(location.schema(of: kind)), .text(PostgreSQLPictures.prefix)]) ?? 0
        }
    }

    public func database(_ kind: DatabaseKind, isReadOnly: Bool) throws -> any Database {
        open(kind, isReadOnly: isReadOnly)
    }

    private func open(_ kind: DatabaseKind, isReadOnly: Bool) -> PostgreSQLDatabase {
        PostgreSQLDatabase(kind, location, accelerations, isReadOnly: isReadOnly)
    }

    public var jobs: (any JobTable)? {
        let options = PostgreSQLDatabase.options(of: .grid, location, accelerations)
        return PostgreSQLJobs(SessionPool(options, catalog: StatementCatalog()))
    }

    public var shared: (any SharedDatabase)? { PostgreSQLShared(location, accelerations) }

    public func pictureTables() throws -> (any PictureTables)? {
        try PostgreSQLPictures(PostgreSQLDatabase.options(of: .grid, location, accelerations))
    }

    /// On this machine: nobody else reads it, and it is read and written once.
    public func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase {
        try SQLiteStorage.temporaryDatabase(table)
    }

    public func temporaryStorage() throws -> any LibraryStorage {
        try SQLiteStorage.temporary()
    }
}
