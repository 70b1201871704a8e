/// A database of the private server; it ends with the server.
public struct PostgreSQLDatabase: Sendable {
    let name: String
    let server: PostgreSQLServer

    /// The URI of the database, as libpq reads it.
    public var location: String { server.location(database: name) }

    /// A statement, and the schema in which its tables are.
    public struct Request: Sendable {
        public var sql: String
        public var schema: String

        public init(_ sql: String, in schema: String) {
            self.sql = sql
            self.schema = schema
        }
    }

    /// What PostgreSQL says about a statement.
    public struct Prepared: Sendable, Equatable {
        /// Why it cannot be prepared or planned.
        public var error: String?
        /// The types of its parameters.
        public var parameters: [String] = []
        /// The types of the columns of its result.
        public var columns: [String] = []
    }

    /// Creates a schema with these tables and indices, see `PostgreSQLTables`.
    public func create(schema: String, _ statements: [String]) throws {
        let script = ["CREATE SCHEMA \(schema)", "SET search_path TO \(schema)"] + statements
        _ = try server.psql(script.map { $0 + ";\n" }.joined(), database: name, stopsAtErrors: true)
    }

    /// Runs statements.
    public func execute(_ script: String) throws {
        _ = try server.psql(script, database: name, stopsAtErrors: true)
    }

    /// Each column of a schema as "table.column type".
    public func columns(ofSchema schema: String) throws -> [String] {
        let sql = """
            SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = '\(schema)' ORDER BY table_name, ordinal_position
            """
        return try server.psql(sql, database: name, stopsAtErrors: true).split(separator: "\n").map(String.init)
    }

    /// Prepares and plans statements; none is executed.
    ///
    /// They are planned too because only then PostgreSQL looks for the unique index of ON CONFLICT.
    public func prepare(_ requests: [Request]) throws -> [Prepared] {
        // A plan of its own for given values would be simplified with these, which are all NULL.
        var script = "SET plan_cache_mode = force_generic_plan;\n"
        for request in requests {
            let count = request.sql.matches(of: /\$(?<number>\d+)/).compactMap { Int($0.number) }.max() ?? 0
            let nulls = count == 0 ? "" : "(" + [String](repeating: "NULL", count: count).joined(separator: ", ") + ")"
            script += """
                \\echo #statement
                SET search_path TO \(request.schema);
                PREPARE given AS \(request.sql);
                \\if :ERROR
                \\echo #error :LAST_ERROR_MESSAGE
                \\else
                SELECT '#parameter ' || type FROM pg_prepared_statements, unnest(parameter_types) AS type;
                \(request.sql) \\gdesc
                \\o /dev/null
                EXPLAIN EXECUTE given\(nulls);
                \\o
                \\if :ERROR
                \\echo #error :LAST_ERROR_MESSAGE
                \\endif
                DEALLOCATE given;
                \\endif

                """
        }
        let output = try server.psql(script, database: name, stopsAtErrors: false)
        let parts = output.split(separator: "#statement\n", omittingEmptySubsequences: false).dropFirst()
        guard parts.count == requests.count else {
            throw PostgreSQLFailure(description: "psql has answered \(parts.count) of \(requests.count) statements")
        }
        return parts.map { Self.prepared($0.split(separator: "\n")) }
    }

    private static func prepared(_ lines: [Substring]) -> Prepared {
        var result = Prepared()
        for line in lines {
            if let error = line.wholeMatch(of: /#error (?<text>.*)/) {
                result.error = String(error.text)
            } else if let parameter = line.wholeMatch(of: /#parameter (?<type>.*)/) {
                result.parameters.append(String(parameter.type))
            } else if let column = line.wholeMatch(of: /.*\|(?<type>[^|]*)/) {
                // Of `\gdesc`: name and type. A statement without a result has a sentence instead.
                result.columns.append(String(column.type))
            }
        }
        return result
    }
}
