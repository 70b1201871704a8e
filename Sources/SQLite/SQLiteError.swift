internal import CSQLite

/// An error of SQLite, with its statement; bound values are never included.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The primary result code (`SQLITE_BUSY` is 5).
    public let code: Int32
    /// The extended result code, which is more specific.
    public let extendedCode: Int32
    /// SQLite's message.
    public let message: String
    /// The statement, with `?` for bound values; nil if there was none.
    public let statement: String?

    init(extendedCode: Int32, message: String, statement: String?) {
        self.code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.message = message
        self.statement = statement
    }

    /// Another connection held a lock for longer than the busy timeout.
    public var isBusy: Bool { code == SQLITE_BUSY }
    /// The file is not a database, or is damaged.
    public var isDamagedDatabase: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
    /// The statement does not match the schema.
    public var isSchemaMismatch: Bool { code == SQLITE_ERROR || code == SQLITE_SCHEMA }
    /// The disk is full or has an I/O error.
    public var isDiskError: Bool { code == SQLITE_FULL || code == SQLITE_IOERR }
    /// The file cannot be opened: it does not exist, or permission is denied.
    public var cannotOpen: Bool { code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_READONLY }

    /// Message and code on one line.
    public var description: String {
        let place = statement.map { " in \"\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))\"" } ?? ""
        return "\(message) (SQLite \(extendedCode))\(place)"
    }
}
