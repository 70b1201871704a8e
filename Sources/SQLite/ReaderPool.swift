import Database
internal import Locking

/// Lends read connections to any number of threads, each with its own snapshot.
public final class ReaderPool: Sendable {
    /// A connection that is not in use.
    private struct Idle: @unchecked Sendable {
        // `@unchecked Sendable`: it is either in the pool's list or lent to one thread, never both.
        let connection: Connection
    }

    private let path: String
    private let options: @Sendable () -> OpenOptions
    private let idleLimit: Int
    private let idle = Locked<[Idle]>([])

    /// A pool for an existing database; at most `idleLimit` returned connections are kept open.
    ///
    /// `options` is called for each new connection.
    public init(
        path: String, idleLimit: Int = 8,
        options: @escaping @Sendable () -> OpenOptions = { OpenOptions(mode: .readOnly) }
    ) {
        self.path = path
        self.options = options
        self.idleLimit = idleLimit
    }

    /// Runs `body` in one deferred transaction, so that all its reads see the same snapshot. The connection must not be
    /// used after `body` returns.
    public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let lent = try acquire()
        // A connection with an open transaction is closed instead of kept.
        defer { if !lent.connection.isInTransaction { release(lent) } }
        return try lent.connection.transaction(.snapshot) { try body(lent.connection) }
    }

    /// Closes the connections that are not in use.
    public func closeIdle() {
        idle.withLock { $0.removeAll() }
    }

    private func acquire() throws -> Idle {
        if let known = idle.withLock({ $0.popLast() }) { return known }
        return Idle(connection: try Connection(path: path, options: options()))
    }

    private func release(_ lent: Idle) {
        idle.withLock { list in
            if list.count < idleLimit { list.append(lent) }
        }
    }
}
