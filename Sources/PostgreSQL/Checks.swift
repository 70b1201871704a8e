public import Database

/// What a session says about the state of its database.
///
/// Rows have no sums as those of SQLite: nothing outside the server can change a file of it unnoticed by its own
/// checksums of pages (`initdb --data-checksums`). `integrityProblems` reads each row, and with it each page.
extension PostgreSQLSession {
    public func deleteAll(from tables: [String]) throws {
        // Not TRUNCATE: it waits for all readers, and those that began before it would find the tables empty.
        try batch(tables.map { Query("DELETE FROM \($0)") })
    }

    public func alteredBlocks(of tables: [String]?) throws -> [AlteredBlock] { [] }

    public func hasUnsummedRows() throws -> Bool { false }

    public func checksumRows(from start: ChecksumPosition, until shouldStop: () -> Bool) throws -> ChecksumPosition? {
        nil
    }

    public func eraseDeleted() throws -> Erasure { .deleted }

    public func integrityProblems() throws -> [String] {
        let columns = try rows(
            """
            SELECT c.relname, coalesce(string_agg(CASE WHEN a.attlen = -1 THEN quote_ident(a.attname) END, ','), '')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            GROUP BY c.relname ORDER BY c.relname
            """
        ) { (table: $0.text(0), columns: $0.text(1).split(separator: ",").map(String.init)) }
        for (table, columns) in columns {
            // A digest needs all bytes of a value, also those that are stored apart from its row.
            let reads = columns.map { "count(md5(\($0)))" } + ["count(*)"]
            do {
                try forEach("SELECT \(reads.joined(separator: ", ")) FROM \(Self.quoted(table, "\""))") { _ in }
            } catch let error as StoreError where error.kind != .busy && error.kind != .cannotOpen {
                // The transaction has failed: no other table can be read in it.
                return ["table \(table): \(error.message)"]
            }
        }
        return []
    }
}
