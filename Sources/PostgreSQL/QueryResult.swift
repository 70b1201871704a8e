internal import CPostgreSQL
internal import Database

/// What the server answered to a command: rows, or the end of a statement, or an error.
///
/// Safe: the handle is private to this target and lives as long as the object.
@safe
final class QueryResult {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQclear(handle)
    }

    /// A message of several lines as one.
    static func oneLine(_ message: String) -> String {
        message.split(whereSeparator: \.isNewline).map { String($0) }.joined(separator: " ")
    }

    var status: ExecStatusType { unsafe PQresultStatus(handle) }
    var rowCount: Int { unsafe Int(PQntuples(handle)) }
    var columnCount: Int { unsafe Int(PQnfields(handle)) }

    /// The types of the columns.
    var columnTypes: [UInt32] {
        (0..<Int32(columnCount)).map { unsafe PQftype(handle, $0) }
    }

    /// The types of the parameters of a statement that was described.
    var parameterTypes: [UInt32] {
        unsafe (0..<PQnparams(handle)).map { unsafe PQparamtype(handle, $0) }
    }

    /// The rows that an INSERT, UPDATE or DELETE has changed; nil for other statements.
    var changedRows: Int? {
        let tag = unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
        let words = tag.split(separator: " ")
        guard let first = words.first, ["INSERT", "UPDATE", "DELETE", "COPY"].contains(first) else { return nil }
        return words.last.flatMap { Int($0) }
    }

    /// The word that names what was done, such as COMMIT.
    var commandTag: String {
        unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
    }

    /// The SQLSTATE and the message of an error; nil if this is none.
    var error: (state: String, message: String)? {
        guard status == PGRES_FATAL_ERROR else { return nil }
        let message = unsafe PQresultErrorField(handle, 77).map { unsafe String(cString: $0) }
        let state = unsafe PQresultErrorField(handle, 67).map { unsafe String(cString: $0) }
        let whole = unsafe PQresultErrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        // Without a state it comes from libpq itself: the connection is lost.
        return (state ?? "08006", message ?? Self.oneLine(whole))
    }
}
