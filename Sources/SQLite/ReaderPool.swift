internal import Locking

/// Lends connections for reading to as many threads as ask, each with a snapshot of its own.
public final class ReaderPool: Sendable {
    /// A connection that nobody uses just now.
    private struct Idle: @unchecked Sendable {
        // Sendable by hand: it stands in the pool's list or is lent to one thread, never both.
        let connection: Connection
    }

    private let path: String
    private let options: @Sendable () -> OpenOptions
    private let idleLimit: Int
    private let idle = Locked<[Idle]>([])

    /// A pool over a database that is there; of the connections that have come back, at most `idleLimit` are kept.
    ///
    /// `options` is asked for each connection that is opened.
    public init(
        path: String, idleLimit: Int = 8,
        options: @escaping @Sendable () -> OpenOptions = { OpenOptions(mode: .readOnly) }
    ) {
        self.path = path
        self.options = options
        self.idleLimit = idleLimit
    }

    /// Runs `body` in one deferred transaction, so that everything it reads is of one moment; the connection is lent only
    /// for that long.
    public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let lent = try take()
        // A connection whose transaction could not be ended is closed instead of kept.
        defer { if !lent.connection.isInTransaction { giveBack(lent) } }
        return try lent.connection.transaction(.deferred) { try body(lent.connection) }
    }

    /// Closes the connections that nobody uses.
    public func closeIdle() {
        idle.withLock { $0.removeAll() }
    }

    private func take() throws -> Idle {
        if let known = idle.withLock({ $0.popLast() }) { return known }
        return Idle(connection: try Connection(path: path, options: options()))
    }

    private func giveBack(_ lent: Idle) {
        idle.withLock { list in
            if list.count < idleLimit { list.append(lent) }
        }
    }
}
