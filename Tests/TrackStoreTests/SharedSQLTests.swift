import Database
import PostgreSQLStorage
import TestPostgreSQL
import Testing

/// The SQL of the store, as it is written in the sources, given to SQLite and to PostgreSQL.
struct SharedSQLTests {
    private static func numbers(of sql: String) -> [Int] {
        sql.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
    }

    /// What one of the two databases does not know, or does otherwise.
    private static let refused = [
        "\\?", "\\bOR +(REPLACE|IGNORE)\\b", "\\bREPLACE INTO\\b", "(?i)\\browid\\b", "(?i)pragma", "(?i)sqlite_",
        "(?i)\\b(ifnull|total|typeof|randomblob|zeroblob|last_insert_rowid|char|glob|instr|printf)\\b *\\(",
        "(?i)\\b(autoincrement|without)\\b", "\\bFROM *\\([^()]*\\)(?! *AS\\b)", "==",
    ]

    @Test func `all statements are in the SQL that SQLite and PostgreSQL share`() throws {
        let databases = try EmptyDatabases()
        let sessions = databases.sessions.map(\.session)
        let statements = try StoreStatements.all().statements
        #expect(statements.count > 400)
        for statement in statements {
            let numbers = Self.numbers(of: statement.sql)
            var seen = 0
            for number in numbers where number > seen {
                #expect(number == seen + 1, "\(statement.file): parameters out of order: \(statement.sql)")
                seen = number
            }
            // `group_concat` is what this session gives for `lines(of:)`.
            let text = statement.sql.replacing(sessions[0].lines(of: "name"), with: "lines")
            for refused in Self.refused {
                #expect(
                    try Regex(refused).firstMatch(in: text) == nil, "\(statement.file): \(refused) in \(statement.sql)")
            }
            let errors = sessions.compactMap { Self.error(of: statement.sql, $0) }
            #expect(errors.count < sessions.count, "\(statement.file): \(errors) in \(statement.sql)")
        }
    }

    @Test func `every text with SQL is one of these statements, or a part of one`() throws {
        let unknown = try StoreStatements.all().unknownParts
        #expect(
            unknown.isEmpty,
            "write statements as one text each, with interpolations that StoreStatements knows: \(unknown.joined(separator: "\n"))"
        )
    }

    /// Why SQLite cannot prepare a statement; nil if it can.
    private static func error(of sql: String, _ session: any Session) -> String? {
        do {
            let values = [Value](repeating: .null, count: Set(numbers(of: sql)).count)
            try session.forEach("EXPLAIN " + sql, values) { _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension SharedSQLTests {
    /// The same statements in a private server.
    @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
    struct InPostgreSQL {
        /// A database with the tables of the store, a schema for each database of SQLite.
        private static func database(like databases: EmptyDatabases) throws -> PostgreSQLDatabase {
            let database = try PostgreSQLServer.shared().makeDatabase()
            for (name, session) in databases.sessions {
                let tables = try session.rows(
                    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
                ) { $0.text(0) }
                try database.create(
                    schema: name, PostgreSQLTables.base + PostgreSQLTables.translation(of: tables))
            }
            return database
        }

        /// What is wrong with statements, which are expected to run wherever SQLite accepts them.
        private static func problems(
            of statements: [StoreStatements.Statement], _ databases: EmptyDatabases, _ database: PostgreSQLDatabase
        ) throws -> [String] {
            let lines = databases.sessions[0].session.lines(of: "name")
            let given = statements.flatMap { statement in
                databases.sessions.filter { SharedSQLTests.error(of: statement.sql, $0.session) == nil }.map {
                    // How PostgreSQL joins the texts of several rows.
                    let sql = statement.sql.replacing(lines, with: "string_agg(name, chr(10) ORDER BY name)")
                    return (statement.file, request: PostgreSQLDatabase.Request(sql, in: $0.name))
                }
            }
            return zip(given, try database.prepare(given.map(\.request))).flatMap { given, prepared in
                problems(of: prepared).map { "\(given.0), in \(given.request.schema): \($0): \(given.request.sql)" }
            }
        }

        private static func problems(of prepared: PostgreSQLDatabase.Prepared) -> [String] {
            var problems = prepared.error.map { [$0] } ?? []
            for (index, type) in prepared.parameters.enumerated() where !PostgreSQLTables.types.contains(type) {
                problems.append("parameter $\(index + 1) has the type \(type)")
            }
            // No column of a table has 32 bits: such a result comes from constants, as in SELECT 1.
            for (index, type) in prepared.columns.enumerated()
            where !PostgreSQLTables.types.union(["integer"]).contains(type) {
                problems.append("column \(index) of the result has the type \(type)")
            }
            return problems
        }

        @Test func `PostgreSQL has a type of the same range for each column`() throws {
            let databases = try EmptyDatabases()
            let database = try Self.database(like: databases)
            for (name, session) in databases.sessions {
                let columns = try database.columns(ofSchema: name).filter {
                    !$0.hasPrefix(PostgreSQLTables.basePrefix)
                }
                let count = try session.integer(
                    """
                    SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) WHERE s.type = 'table'
                    AND substr(s.name, 1, 7) <> 'sqlite_'
                    """)
                #expect(Int64(columns.count) == count)
                for column in columns {
                    let type = column.drop { $0 != " " }.dropFirst()
                    #expect(PostgreSQLTables.types.contains(String(type)), "\(name): \(column)")
                }
            }
        }

        @Test func `PostgreSQL plans all statements, and takes their values as SQLite does`() throws {
            let databases = try EmptyDatabases()
            let statements = try StoreStatements.all().statements
            let problems = try Self.problems(of: statements, databases, Self.database(like: databases))
            #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        }

        @Test func `what PostgreSQL refuses or takes otherwise is reported`() throws {
            let cases = [
                ("SELECT total(metres) FROM track", "function total(double precision) does not exist"),
                (
                    "SELECT a.name FROM person a FULL JOIN person b ON a.number < b.number",
                    "FULL JOIN is only supported"
                ),
                ("SELECT number FROM track WHERE number = $1 AND $2 = 1", "parameter $2 has the type integer"),
                ("SELECT sum(points) FROM track", "column 0 of the result has the type numeric"),
            ]
            let databases = try EmptyDatabases()
            let statements = cases.map { StoreStatements.Statement(file: "Given.swift", sql: $0.0) }
            let problems = try Self.problems(of: statements, databases, Self.database(like: databases))
            #expect(problems.count == cases.count)
            for ((sql, problem), reported) in zip(cases, problems) {
                #expect(reported.hasPrefix("Given.swift, in tracks: \(problem)") && reported.hasSuffix(": \(sql)"))
            }
        }
    }
}
