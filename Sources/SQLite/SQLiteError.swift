internal import CSQLite

/// What SQLite refused, with the statement it refused; bound values are never part of it.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The primary result code (`SQLITE_BUSY` is 5).
    public let code: Int32
    /// The extended result code, which says more.
    public let extendedCode: Int32
    /// SQLite's own sentence.
    public let message: String
    /// The statement, with `?` where values were bound; nil where there was none.
    public let statement: String?

    init(extendedCode: Int32, message: String, statement: String?) {
        self.code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.message = message
        self.statement = statement
    }

    /// Another connection held the database for longer than the busy timeout.
    public var isBusy: Bool { code == SQLITE_BUSY }
    /// The file is no database, or one that was damaged.
    public var isNoDatabase: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
    /// The statement does not fit the tables.
    public var isWrongSchema: Bool { code == SQLITE_ERROR || code == SQLITE_SCHEMA }
    /// The disk is full, or failed.
    public var isDisk: Bool { code == SQLITE_FULL || code == SQLITE_IOERR }
    /// The file cannot be opened: not there, or no right to it.
    public var isCannotOpen: Bool { code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_READONLY }

    /// Message and code on one line.
    public var description: String {
        let place = statement.map { " in \"\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))\"" } ?? ""
        return "\(message) (SQLite \(extendedCode))\(place)"
    }
}
