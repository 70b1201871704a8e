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
    /// The location for messages, without a password.
    public let name: String

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
        let connection =
            String(parts.first ?? "") + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        self.init(connection: connection, schema: schema)
        guard Self.isSchemaName(schema) else {
            throw StoreError(
                .cannotOpen, code: "schema", message: "\"\(schema)\" is no name of a schema that tileserve uses",
                statement: nil)
        }
    }

    private init(connection: String, schema: String) {
        self.connection = connection
        self.schema = schema
        let plain = Self.withoutPassword(connection)
        name = "\(plain)\(plain.contains("?") ? "&" : "?")schema=\(schema)"
    }

    private static func isSchemaName(_ name: String) -> Bool {
        // PostgreSQL cuts names after 63 bytes, and the grid of the inbox has 11 more than the library.
        (1...52).contains(name.utf8.count) && name.first?.isNumber == false
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// A URI without its password, which is behind the name of the user, or a parameter.
    private static func withoutPassword(_ connection: String) -> String {
        let parts = connection.split(separator: "?", maxSplits: 1)
        var plain = String(parts.first ?? "")
        if let scheme = plain.firstRange(of: "://") {
            let authority = plain[scheme.upperBound...].prefix { $0 != "/" }
            if let end = authority.firstIndex(of: "@"), let colon = authority[..<end].firstIndex(of: ":") {
                plain.removeSubrange(colon..<end)
            }
        }
        for (index, parameter) in (parts.dropFirst().first?.split(separator: "&") ?? []).enumerated()
        where !parameter.hasPrefix("password=") {
            plain += "\(index == 0 ? "?" : "&")\(parameter)"
        }
        return plain
    }

    /// Where the inbox of the library is.
    public var inbox: PostgreSQLLocation {
        PostgreSQLLocation(connection: connection, schema: schema + "_inbox")
    }

    /// Where the edition with an id is. Throws if its name would be too long.
    public func edition(_ id: String) throws(StoreError) -> PostgreSQLLocation {
        let location = PostgreSQLLocation(connection: connection, schema: "\(schema)_e\(id)")
        guard Self.isSchemaName(location.schema) else {
            throw StoreError(
                .cannotOpen, code: "schema",
                message:
                    "\"\(location.schema)\", the schema of an edition, has a name that is too long; use a shorter schema",
                statement: nil)
        }
        return location
    }

    func schema(of kind: DatabaseKind) -> String {
        switch kind {
        case .tracks: schema
        case .grid: schema + "_grid"
        }
    }
}
