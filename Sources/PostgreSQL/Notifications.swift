public import Database

/// Announcements of changes: they make a change known sooner, and nothing depends on them.
extension PostgreSQLSession {
    /// Lets this session hear what is announced on a channel, until its connection is lost.
    public func listen(_ channel: String) throws {
        try run("LISTEN \(Self.quoted(channel, "\""))")
    }

    /// The statement that announces something on a channel when its transaction is committed.
    public static func announcement(_ channel: String) -> String {
        "NOTIFY \(quoted(channel, "\""))"
    }

    /// The channels on which something was announced since the last call. Asks nothing of the server.
    ///
    /// Throws if the connection is lost: then announcements may be missing.
    public func announcements() throws(StoreError) -> [String] {
        guard let link = current else {
            throw .server(state: "08003", message: "the session is not connected", statement: nil)
        }
        return try link.takeNotifications()
    }
}
