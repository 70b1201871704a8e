internal import Database
internal import Locking

/// Lends sessions to any number of threads.
public final class SessionPool: Sendable {
    /// A session that is not in use.
    private struct Idle: @unchecked Sendable {
        // `@unchecked Sendable`: it is either in the pool's list or lent to one thread, never both.
        let session: PostgreSQLSession
    }

    private let options: SessionOptions
    private let catalog: StatementCatalog
    private let idleLimit: Int
    private let idle = Locked<[Idle]>([])

    /// At most `idleLimit` returned sessions are kept connected.
    public init(_ options: SessionOptions, catalog: StatementCatalog, idleLimit: Int = 8) {
        self.options = options
        self.catalog = catalog
        self.idleLimit = idleLimit
    }

    /// Runs `body` with a session, which must not be used after it returns.
    public func withSession<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        let lent =
            idle.withLock { $0.popLast() } ?? Idle(session: PostgreSQLSession(options, catalog: catalog))
        // A session with an open transaction is closed instead of kept.
        defer {
            if !lent.session.isInTransaction {
                idle.withLock { list in
                    if list.count < idleLimit { list.append(lent) }
                }
            }
        }
        return try body(lent.session)
    }

    /// Closes the sessions that are not in use.
    public func closeIdle() {
        idle.withLock { $0.removeAll() }
    }
}
