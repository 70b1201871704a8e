internal import Database

extension StoreError {
    /// An error of the server, or of the connection to it, with its SQLSTATE
    /// (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    static func server(state: String, message: String, statement: String?) -> StoreError {
        StoreError(kind(of: state), code: "PostgreSQL \(state)", message: message, statement: statement)
    }

    private static func kind(of state: String) -> Kind {
        switch state {
        // lock_not_available, serialization_failure, deadlock_detected, query_canceled: another session was in the way.
        case "55P03", "40001", "40P01", "57014": .busy
        case "XX001", "XX002": .damaged
        // undefined_table, undefined_column, undefined_function, invalid_schema_name.
        case "42P01", "42703", "42883", "3F000": .schemaMismatch
        // disk_full, io_error.
        case "53100", "58030": .disk
        // insufficient_privilege, read_only_sql_transaction, invalid_catalog_name.
        case "42501", "25006", "3D000": .cannotOpen
        // Connection exceptions, invalid authorization, shutdown of the server, too many connections.
        case _ where state.hasPrefix("08") || state.hasPrefix("28") || state.hasPrefix("57P"): .cannotOpen
        case "53300": .cannotOpen
        default: .other
        }
    }

    /// Whether the connection is lost, so that another one may succeed.
    var isLostConnection: Bool {
        code.hasPrefix("PostgreSQL 08") || code.hasPrefix("PostgreSQL 57P")
    }

    /// Whether the session no longer has a statement that it has prepared: a pooler has given it another server, or
    /// somebody has altered a table.
    var isForgottenStatement: Bool {
        code == "PostgreSQL 26000" || code == "PostgreSQL 0A000" && message.contains("cached plan")
    }
}
