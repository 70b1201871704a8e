internal import Database

/// The tables of a SQLite database as PostgreSQL creates them.
///
/// Only what the tables of the store use is translated; PostgreSQL refuses the rest.
public enum PostgreSQLTables {
    /// The types that PostgreSQL has for the values of the store: INTEGER, REAL, TEXT and BLOB.
    ///
    /// SQLite's INTEGER has 64 bits.
    public static let types: Set = ["bigint", "double precision", "text", "bytea"]

    /// The tables and functions that those of the library need: the version of the tables and the number of commits in the
    /// only row of `library_state`, which is locked by the only writer; locks that are held for longer than a transaction, and
    /// how often each was taken; the highest number of deleted rows, so that a number is never given twice; and what
    /// processes share, see `SharedDatabase` and `JobTable`. Each statement may be run again.
    public static let base =
        [
            """
            CREATE TABLE IF NOT EXISTS library_state (one BOOLEAN PRIMARY KEY CHECK (one), version BIGINT NOT NULL,
                revision BIGINT NOT NULL, definition TEXT NOT NULL, columns TEXT NOT NULL)
            """,
            "INSERT INTO library_state VALUES (true, 0, 0, '', '') ON CONFLICT DO NOTHING",
            "CREATE TABLE IF NOT EXISTS library_lock (name TEXT COLLATE \"C\" PRIMARY KEY)",
            "CREATE TABLE IF NOT EXISTS library_fence (name TEXT COLLATE \"C\" PRIMARY KEY, holders BIGINT NOT NULL)",
            "CREATE TABLE IF NOT EXISTS library_number (name TEXT COLLATE \"C\" PRIMARY KEY, number BIGINT NOT NULL)",
            """
            CREATE OR REPLACE FUNCTION keep_number() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO library_number AS n
                SELECT TG_TABLE_NAME, max(number) FROM removed HAVING max(number) IS NOT NULL
                ON CONFLICT (name) DO UPDATE SET number = greatest(n.number, excluded.number);
                RETURN NULL;
            END $$
            """,
            "CREATE TABLE IF NOT EXISTS library_lease (name TEXT COLLATE \"C\" PRIMARY KEY, until TIMESTAMPTZ NOT NULL)",
        ]
        + ["holder", "value", "requested", "answered"].map {
            "ALTER TABLE library_lease ADD COLUMN IF NOT EXISTS \($0) BIGINT NOT NULL DEFAULT 0"
        } + [
            """
            CREATE TABLE IF NOT EXISTS library_document (name TEXT COLLATE \"C\" PRIMARY KEY, revision BIGINT NOT NULL,
                content BYTEA NOT NULL)
            """,
            """
            CREATE TABLE IF NOT EXISTS library_segment (log TEXT COLLATE \"C\", number BIGINT, segment BIGINT NOT NULL,
                note TEXT NOT NULL, bytes BYTEA NOT NULL, PRIMARY KEY (log, number)) WITH (toast_tuple_target = 8160)
            """,
            "ALTER TABLE library_segment ALTER bytes SET STORAGE EXTERNAL",
            // Not logged: what is lost in a crash of the server is made again.
            """
            CREATE UNLOGGED TABLE IF NOT EXISTS library_job (number BIGINT PRIMARY KEY, condition BIGINT NOT NULL,
                content BYTEA NOT NULL, holder BIGINT NOT NULL DEFAULT 0, until TIMESTAMPTZ NOT NULL DEFAULT now(),
                state BIGINT NOT NULL DEFAULT 0)
            """,
            """
            CREATE UNLOGGED TABLE IF NOT EXISTS library_result (job BIGINT, kind BIGINT, key BIGINT, bytes BYTEA NOT NULL,
                PRIMARY KEY (job, kind, key)) WITH (toast_tuple_target = 8160)
            """,
            "ALTER TABLE library_result ALTER bytes SET STORAGE EXTERNAL",
        ]

    /// The last table of `base`: where it exists, all do.
    static let lastOfBase = "library_result"

    /// The names of the tables of `base` begin with this.
    public static let basePrefix = "library_"

    /// The statements that create the tables and indices; `statements` are those of `sqlite_schema`, or others that change
    /// their rows.
    public static func translation(of statements: [String]) -> [String] {
        statements.flatMap { translation(of: $0) }
    }

    private static func translation(of statement: String) -> [String] {
        guard let created = statement.firstMatch(of: /^\s*CREATE TABLE (?:IF NOT EXISTS )?(?<table>\w+)/) else {
            return [statement]
        }
        let table = String(created.table)
        var definition =
            statement
            .replacing(/\bINTEGER PRIMARY KEY( AUTOINCREMENT)?/, with: "BIGINT PRIMARY KEY")
            .replacing(/\bINTEGER\b/, with: "BIGINT")
            .replacing(/\bREAL\b/, with: "DOUBLE PRECISION")
            .replacing(/\bBLOB\b/, with: "BYTEA")
            // A column without a type, which `meta` has for texts and integers: integers as their digits.
            .replacing(/, value\)/, with: ", value TEXT)")
            // SQLite compares texts byte by byte, whatever the locale.
            .replacing(/\bTEXT\b/, with: "TEXT COLLATE \"C\"")
            .replacing(/\)\s*WITHOUT ROWID$/, with: ")")
        let blobs = statement.matches(of: /(?<column>\w+) BLOB\b/).map { String($0.column) }
        // Compressed bytes: they stay in the row as long as it fits in a page, and are not compressed again.
        if !blobs.isEmpty { definition += " WITH (toast_tuple_target = 8160)" }
        return [definition] + blobs.map { "ALTER TABLE \(table) ALTER \($0) SET STORAGE EXTERNAL" }
            + numbering(of: table, statement)
    }

    /// What numbers the rows that are inserted without a number, as SQLite does: one more than the highest number, with
    /// AUTOINCREMENT also of deleted rows. Unlike a sequence, it continues after rows that were inserted with a number, and
    /// after a transaction that was rolled back.
    private static func numbering(of table: String, _ statement: String) -> [String] {
        guard let found = statement.firstMatch(of: /(?<column>\w+) INTEGER PRIMARY KEY(?<kept> AUTOINCREMENT)?/) else {
            return []
        }
        let isKept = found.kept != nil
        let kept = isKept ? "(SELECT number FROM library_number WHERE name = '\(table)'), " : ""
        // PL/pgSQL keeps the plan, while a function of SQL is parsed at each call, which took as long as the row itself. The plan
        // is made when the table has no rows yet, so it is told to use the index.
        let function = """
            CREATE OR REPLACE FUNCTION next_\(table)() RETURNS BIGINT LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
            BEGIN RETURN greatest((SELECT max(\(found.column)) FROM \(table)), \(kept)0) + 1; END $$
            """
        let fallback = "ALTER TABLE \(table) ALTER \(found.column) SET DEFAULT next_\(table)()"
        let trigger = """
            CREATE OR REPLACE TRIGGER keep_number AFTER DELETE ON \(table) REFERENCING OLD TABLE AS removed
            FOR EACH STATEMENT EXECUTE FUNCTION keep_number()
            """
        return [function, fallback] + (isKept ? [trigger] : [])
    }
}
