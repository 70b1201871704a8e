internal import Database
internal import Locking
internal import PostgreSQL
internal import PostgreSQLStorage
internal import TestPostgreSQL

/// Databases of the private server with the tables of a new library.
///
/// A test may use one that another test has emptied: that takes less time than to copy and drop one.
enum EmptyDatabases {
    private static let spare = Locked<[String]>([])

    static func location(_ database: String) throws -> PostgreSQLLocation {
        try PostgreSQLLocation(PostgreSQLServer.shared().location(database: database))
    }

    static func take() throws -> String {
        if let spare = spare.withLock({ $0.popLast() }) { return spare }
        let name = newName()
        let template = try template.get().database
        try administer("CREATE DATABASE \(name) TEMPLATE \(template)")
        return name
    }

    /// Takes a database back that a test has used. It gets another name: what may still be running of the test must not
    /// find it.
    static func giveBack(_ database: String) {
        let name = newName()
        do {
            try administer(
                "SELECT pg_terminate_backend(pid, \(endMilliseconds)) FROM pg_stat_activity WHERE datname = '\(database)'"
            )
            try administer("ALTER DATABASE \(database) RENAME TO \(name)")
        } catch {
            return drop(database)
        }
        guard (try? empty(name)) == true else { return drop(name) }
        spare.withLock { $0.append(name) }
    }

    private static func drop(_ database: String) {
        // What remains ends with the server.
        try? administer("DROP DATABASE \(database) WITH (FORCE)")
    }

    /// How long a session may take to end.
    private static let endMilliseconds = 5000

    private static func newName() -> String { "library_\(UInt64.random(in: 0...UInt64.max))" }

    private static let administration = Result {
        let location = try PostgreSQLServer.shared().location(database: "postgres")
        return SessionPool(SessionOptions(location: location, name: "postgres"), catalog: StatementCatalog())
    }

    private static func administer(_ statement: String) throws {
        try administration.get().withSession { try $0.execute([statement]) }
    }

    // MARK: The tables

    /// A database whose tables have what is in those of a new library; the schema `initial` has a copy of it.
    private static let template = Result {
        let name = "library_template"
        try administer("CREATE DATABASE \(name)")
        let storage = PostgreSQLStorage(try location(name))
        for kind in [DatabaseKind.tracks, .grid] {
            let tables = try storage.database(kind, isReadOnly: false)
            try tables.upgradeTables(in: tables.writer())
        }
        let session = try Self.session(name)
        try session.execute([
            "CREATE SCHEMA initial",
            """
            DO $$ DECLARE used TEXT; BEGIN
                FOR used IN SELECT n.nspname || '.' || c.relname \(usedTables) LOOP
                    EXECUTE format('CREATE TABLE initial.%I AS TABLE %s', used, used);
                END LOOP;
            END $$
            """,
        ])
        return (database: name, definition: try definition(session))
    }

    private static func session(_ database: String) throws -> PostgreSQLSession {
        PostgreSQLSession(SessionOptions(location: try location(database).connection, name: database))
    }

    /// The tables that have had rows: only their files have a size.
    private static let usedTables = """
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r'
        AND starts_with(n.nspname, 'tileserve') AND (pg_stat_file(pg_relation_filepath(c.oid))).size > 0
        """

    /// Gives the tables the content of those of a new library; false if they were altered.
    private static func empty(_ database: String) throws -> Bool {
        let session = try Self.session(database)
        guard try definition(session) == template.get().definition else { return false }
        try session.execute([
            """
            DO $$ DECLARE used TEXT; BEGIN
                SELECT string_agg(n.nspname || '.' || c.relname, ', ') INTO used \(usedTables);
                EXECUTE 'TRUNCATE ' || used || ' CASCADE';
                FOR used IN SELECT relname FROM pg_class WHERE relnamespace = CAST('initial' AS regnamespace)
                    AND relkind = 'r' LOOP
                    EXECUTE format('INSERT INTO %s TABLE initial.%I', used, used);
                END LOOP;
            END $$
            """
        ])
        return true
    }

    /// Everything that a test may alter except rows.
    private static func definition(_ session: PostgreSQLSession) throws -> String? {
        try session.first(
            """
            WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'),
            part AS (
                SELECT concat_ws('|', n.nspname, c.relname, c.relkind, c.relpersistence, c.reloptions, c.relacl,
                    c.relrowsecurity) AS line
                FROM pg_class c JOIN own n ON n.oid = c.relnamespace WHERE c.relkind <> 't'
                UNION ALL
                SELECT concat_ws('|', a.attrelid, a.attname, a.attnum, a.atttypid, a.attnotnull, a.attstorage, a.attacl,
                    pg_get_expr(d.adbin, d.adrelid))
                FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN own n ON n.oid = c.relnamespace
                LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                WHERE c.relkind = 'r' AND a.attnum > 0
                UNION ALL SELECT concat_ws('|', tgrelid, tgname, tgenabled) FROM pg_trigger
                UNION ALL SELECT concat_ws('|', p.proname, p.prosrc) FROM pg_proc p JOIN own n ON n.oid = p.pronamespace
                UNION ALL SELECT concat_ws('|', conrelid, conname, contype) FROM pg_constraint
                UNION ALL SELECT concat_ws('|', nspname) FROM own
                UNION ALL SELECT concat_ws('|', datallowconn, datconnlimit, datacl) FROM pg_database
                WHERE datname = current_database()
                UNION ALL SELECT concat_ws('|', setrole, setconfig) FROM pg_db_role_setting
                WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
            )
            SELECT md5(string_agg(line, ',' ORDER BY line)) FROM part
            """, []
        ) { $0.text(0) }
    }
}
