internal import Database
internal import PostgreSQL
internal import SQLiteStorage

/// The tables of one database of a library, and how they are created and upgraded.
struct PostgreSQLDefinition: Sendable {
    /// The version that this program uses.
    let version: Int64
    /// The statements of each upgrade: `steps[n]` from version n to n + 1. If there is only one step, it creates all
    /// tables, and there is no way from an older version.
    let steps: [[String]]
    /// All statements, as they are stored with the tables.
    private let definition: String

    init(_ kind: DatabaseKind) {
        switch kind {
        case .tracks: self = Self.tracks
        case .grid: self = Self.grid
        }
    }

    // Translated once, with regular expressions: a server asks several times a second whether there is an inbox.
    private static let tracks = PostgreSQLDefinition(.tracks, version: LibraryTables.tracksVersion)
    private static let grid = PostgreSQLDefinition(.grid, version: LibraryTables.gridVersion)

    private init(_ kind: DatabaseKind, version: Int64) {
        self.version = version
        steps = LibraryTableSteps.steps(of: kind).map { PostgreSQLTables.translation(of: $0) }
        definition = steps.joined().joined(separator: ";\n")
    }

    /// The version of tables into which rows of another database are being copied.
    static let incomplete: Int64 = -1

    /// Whether older versions can be upgraded.
    private var canUpgrade: Bool { steps.count == version }

    /// Compares the tables of the session's schema with these.
    func state(of session: PostgreSQLSession) throws -> SchemaState {
        let found = try Self.tables(session)
        guard found.contains("library_state") else { return found.isEmpty ? .empty : .foreign }
        let stored = try session.first("SELECT version, definition, columns FROM library_state") { row in
            (version: row.integer(0), definition: row.text(1), columns: row.text(2))
        }
        guard let stored else { return .foreign }
        if stored.version == Self.incomplete { return .incomplete }
        if stored.version < 0 { return .invalid(stored.version) }
        if stored.version == 0 {
            return found.allSatisfy { $0.hasPrefix(PostgreSQLTables.basePrefix) } ? .empty : .foreign
        }
        if stored.version < version { return .older(stored.version) }
        if stored.version > version { return .newer(stored.version) }
        if canUpgrade { return .current }
        let isSame = try stored.definition == definition && stored.columns == Self.columns(session)
        return isSame ? .current : .altered
    }

    /// Whether there are tables. False only if the server says so: what cannot be asked may exist.
    func exists(in sessions: SessionPool) -> Bool {
        let found = try? sessions.withSession { try self.state(of: $0) }
        return found != .empty
    }

    /// The tables of the session's schema; empty also if there is no such schema.
    private static func tables(_ session: PostgreSQLSession) throws -> [String] {
        try session.rows(
            """
            SELECT CAST(c.relname AS TEXT) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND c.relkind = 'r'
            """
        ) { $0.text(0) }
    }

    /// All columns of the tables of this definition, with their types.
    private static func columns(_ session: PostgreSQLSession) throws -> String {
        try session.rows(
            """
            SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            AND NOT starts_with(c.relname, '\(PostgreSQLTables.basePrefix)')
            ORDER BY c.relname, a.attnum
            """
        ) { $0.text(0) }.joined(separator: "\n")
    }

    /// Whether the tables of `PostgreSQLTables.base` exist.
    static func hasBase(_ session: PostgreSQLSession) throws -> Bool {
        try session.integer("SELECT CAST(to_regclass($1) AS BIGINT)", [.text(PostgreSQLTables.lastOfBase)]) != nil
    }

    /// Creates the schema and the tables that writers, locks and `SharedDatabase` need, if they are missing.
    func createBase(_ schema: String, _ session: PostgreSQLSession) throws {
        guard try !Self.hasBase(session) else { return }
        // A schema with other tables is none of ours.
        if case .foreign = try state(of: session) { return }
        do {
            try session.transaction {
                let known = try session.integer("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema)])
                if known == nil {
                    try session.execute(["CREATE SCHEMA \(PostgreSQLSession.quoted(schema, "\""))"])
                }
                try session.execute(PostgreSQLTables.base)
            }
        } catch let error as StoreError {
            // Of several that create them, one succeeds.
            guard try Self.hasBase(session) else { throw error }
        }
    }

    /// Creates the tables or upgrades them, each step in one transaction.
    func upgrade(_ session: PostgreSQLSession) throws {
        try session.transaction {
            if try state(of: session) == .empty { try create(session) }
        }
        while try session.transaction(.writing, { try upgradeOnce(session) }) {}
    }

    /// Upgrades by one version; returns false if there is nothing to upgrade.
    private func upgradeOnce(_ session: PostgreSQLSession) throws -> Bool {
        switch try state(of: session) {
        case .current: return false
        case .older(let found) where canUpgrade:
            try session.execute(steps[Int(found)])
            try setVersion(found + 1, session)
            return true
        case let state: throw SchemaMismatch(state)
        }
    }

    /// Replaces all tables but those of the state, however altered they are, by those of a version. Others see it as a normal
    /// change.
    func recreate(_ session: PostgreSQLSession, version: Int64) throws {
        try session.transaction {
            let tables = try Self.tables(session).filter { !$0.hasPrefix(PostgreSQLTables.basePrefix) }
            try session.execute(tables.map { "DROP TABLE \(PostgreSQLSession.quoted($0, "\"")) CASCADE" })
            try session.execute(["DELETE FROM library_number"])
            try create(session)
            try setVersion(version, session)
        }
    }

    /// Ends a copy, and lets the server find out what the tables contain, so that it plans statements well.
    func endCopy(numbers: [String: Int64], _ session: PostgreSQLSession) throws {
        try session.execute(["DELETE FROM library_number"])
        for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
            try session.run("INSERT INTO library_number VALUES ($1, $2)", [.text(name), .integer(number)])
        }
        let tables = try Self.tables(session).filter { !$0.hasPrefix(PostgreSQLTables.basePrefix) }
        try session.execute(tables.map { "ANALYZE \(PostgreSQLSession.quoted($0, "\""))" })
        try setVersion(version, session)
    }

    /// The highest numbers that were given in the tables that never give one twice.
    static func highestNumbers(_ session: PostgreSQLSession) throws -> [String: Int64] {
        let kept = try session.rows("SELECT name, number FROM library_number") { ($0.text(0), $0.integer(1)) }
        var numbers = Dictionary(kept) { max($0, $1) }
        let tables = try session.rows(
            """
            SELECT CAST(c.relname AS TEXT) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND t.tgname = 'keep_number'
            """
        ) { $0.text(0) }
        for table in tables {
            let quoted = PostgreSQLSession.quoted(table, "\"")
            guard let highest = try session.integer("SELECT max(number) FROM \(quoted)") else { continue }
            numbers[table] = max(numbers[table] ?? highest, highest)
        }
        return numbers
    }

    private func create(_ session: PostgreSQLSession) throws {
        try session.execute(Array(steps.joined()))
        try setVersion(version, session)
    }

    private func setVersion(_ version: Int64, _ session: PostgreSQLSession) throws {
        try session.run(
            "UPDATE library_state SET version = $1, definition = $2, columns = $3",
            [.integer(version), .text(definition), .text(Self.columns(session))])
    }
}
