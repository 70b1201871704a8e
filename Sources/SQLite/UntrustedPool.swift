internal import Locking

/// Lends connections to another program's database to any number of threads.
public final class UntrustedPool: Sendable {
    /// A connection that is not in use.
    private struct Idle: @unchecked Sendable {
        // `@unchecked Sendable`: it is either in the pool's list or lent to one thread, never both.
        let database: UntrustedDatabase
    }

    private let path: String
    private let idleLimit: Int
    private let idle = Locked<[Idle]>([])

    /// A pool for the database in a file; at most `idleLimit` returned connections are kept open.
    public init(path: String, idleLimit: Int = 8) {
        self.path = path
        self.idleLimit = idleLimit
    }

    /// Runs `body` with a connection, which must not be used after it returns.
    public func read<Result>(_ body: (UntrustedDatabase) throws -> Result) throws -> Result {
        let lent = try idle.withLock({ $0.popLast() }) ?? Idle(database: UntrustedDatabase(path: path))
        defer {
            idle.withLock { list in
                if list.count < idleLimit { list.append(lent) }
            }
        }
        return try body(lent.database)
    }
}
