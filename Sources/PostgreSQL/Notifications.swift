public import Database

/// Announcements of changes: they make a change known sooner, and nothing depends on them.
extension PostgreSQLSession {
    /// Lets this session hear what is announced on a channel, until its connection is lost.
    public func listen(_ channel: String) throws {
        try run("LISTEN \(Self.quoted(channel, "\""))")
    }

    /// The statement that announces a text on a channel.
    public static func announcement(_ text: String, on channel: String) -> String {
        "NOTIFY \(quoted(channel, "\"")), \(quoted(text, "'"))"
    }

    /// Runs the statement of an announcement without waiting for it. Not in the transaction that is announced: there, it would
    /// make the commits of all databases of the server wait for each other.
    public func announce(_ announcement: String) {
        precondition(!isInTransaction, "an announcement follows the commit")
        // Who does not hear it polls: no new connection is made for it.
        guard options.accelerations.announces, let link = current, !link.isLost, !link.isInPipeline else { return }
        link.finishPending()
        try? link.sendPending(.plain(announcement))
    }

    /// The texts that were announced since the last call. Asks nothing of the server.
    ///
    /// Throws if the connection is lost: then announcements may be missing.
    public func announcements() throws(StoreError) -> [String] {
        guard let link = current else {
            throw .server(state: "08003", message: "the session is not connected", statement: nil)
        }
        return try link.takeNotifications()
    }

    /// The file descriptor that can be read when an announcement has come; nil without a connection.
    public var socket: Int32? { current?.socket }
}
