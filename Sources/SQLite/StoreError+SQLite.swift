internal import CSQLite
internal import Database

extension StoreError {
    /// The latest error of a connection (of the call itself if there is none), with its extended result code.
    @unsafe
    static func latest(of database: OpaquePointer?, status: Int32, statement: String?) -> StoreError {
        let text = unsafe database.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(status)
        let message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
        return StoreError(kind(of: status & 0xff), code: "SQLite \(status)", message: message, statement: statement)
    }

    /// The kind of a primary result code.
    private static func kind(of code: Int32) -> Kind {
        switch code {
        case SQLITE_BUSY: .busy
        case SQLITE_NOTADB, SQLITE_CORRUPT: .damaged
        // A missing table or column is a plain SQLITE_ERROR.
        case SQLITE_ERROR, SQLITE_SCHEMA: .schemaMismatch
        case SQLITE_FULL, SQLITE_IOERR: .disk
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY: .cannotOpen
        default: .other
        }
    }
}
