/// An error of a database, with its statement; bound values are never included.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, as far as a caller handles it.
    public enum Kind: Sendable {
        /// Another session held a lock for longer than the time limit.
        case busy
        /// The content is not a database, or is damaged.
        case damaged
        /// The statement does not match the schema.
        case schemaMismatch
        /// The disk is full or has an I/O error.
        case disk
        /// The database cannot be opened: it does not exist, or permission is denied.
        case cannotOpen
        /// Everything else, for example a violated constraint.
        case other
    }

    public let kind: Kind
    /// The name of the database system and its own code.
    public let code: String
    /// The message of the database system.
    public let message: String
    /// The statement, without values; nil if there was none.
    public let statement: String?

    public init(_ kind: Kind, code: String, message: String, statement: String?) {
        self.kind = kind
        self.code = code
        self.message = message
        self.statement = statement
    }

    /// The lease of this process has been ended.
    public static let leaseLost = StoreError(
        .busy, code: "lease lost", message: "another process has taken over the work of this one", statement: nil)

    /// A pooler between this process and the server shares sessions between clients.
    public static let sharedSession = StoreError(
        .cannotOpen, code: "pooler", message: "a pooler gives each transaction another session of the server",
        statement: nil)

    /// Whether the server of the database cannot be reached, or not in time; the same may succeed soon.
    public var isTemporary: Bool {
        switch kind {
        case .busy: true
        case .cannotOpen: code.hasPrefix("PostgreSQL")
        case .damaged, .schemaMismatch, .disk, .other: false
        }
    }

    /// What can be done about it.
    public var advice: String {
        let isServer = code.hasPrefix("PostgreSQL")
        return switch kind {
        case .damaged: "restore a backup"
        case .busy: "another process has locked it; try again later"
        case .cannotOpen where code == Self.sharedSession.code:
            "give it pool_mode = session, or connect to the server itself"
        case .cannotOpen where isServer: "check that the server is running, its address, and the rights of the role"
        case .cannotOpen: "check its permissions"
        case .schemaMismatch where isServer, .other where isServer: "see the log of the server"
        case .disk where isServer: "free disk space on the server, or check its disk"
        case .schemaMismatch, .disk, .other: "free disk space, or check the disk"
        }
    }

    /// Message, code and statement on one line.
    public var description: String {
        let context =
            statement.map { " in \"\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))\"" } ?? ""
        return "\(message) (\(code))\(context)"
    }
}
