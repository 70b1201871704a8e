public import Database

/// Where a library is in PostgreSQL: a database, and the schemas of the library in it.
///
/// It is given as a URI of libpq with one parameter of our own, `schema`: `postgresql://host/database?schema=rides`. The
/// primary store is in this schema (`tileserve` if none is given), the grid in the one with `_grid` at the end of its
/// name. The schemas are created if the role may do so; if they exist, the role needs no more than to own them.
public struct PostgreSQLLocation: Sendable, Hashable {
    /// What libpq gets.
    public let connection: String
    /// The schema of the primary store.
    public let schema: String

    /// Whether a text names a library in PostgreSQL.
    public static func isLocation(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
    }

    /// Throws if the name of the schema is not made of letters, digits and `_`.
    public init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: "?", maxSplits: 1)
        var schema = "tileserve"
        var parameters: [Substring] = []
        for parameter in parts.dropFirst().first?.split(separator: "&") ?? [] {
            if parameter.hasPrefix("schema=") {
                schema = String(parameter.dropFirst("schema=".count))
            } else {
                parameters.append(parameter)
            }
        }
        connection =
            String(parts.first ?? "") + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        self.schema = schema
        // PostgreSQL cuts names after 63 bytes, and the grid of the inbox has 11 more than the library.
        guard schema.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]{0,51}/) != nil else {
            throw StoreError(
                .cannotOpen, code: "schema", message: "\"\(schema)\" is no name of a schema that tileserve uses",
                statement: nil)
        }
    }

    private init(connection: String, schema: String) {
        self.connection = connection
        self.schema = schema
    }

    /// Where the inbox of the library is.
    public var inbox: PostgreSQLLocation {
        PostgreSQLLocation(connection: connection, schema: schema + "_inbox")
    }

    /// The location for messages, without a password.
    public var name: String {
        let plain = connection.replacing(/:\/\/(?<user>[^:@\/]*):[^@\/]*@/) { "://\($0.output.user)@" }
            .replacing(/[?&]password=[^&]*/, with: "")
        return "\(plain)\(plain.contains("?") ? "&" : "?")schema=\(schema)"
    }

    func schema(of kind: DatabaseKind) -> String {
        switch kind {
        case .tracks: schema
        case .grid: schema + "_grid"
        }
    }
}
