public import Database

/// A lock on a row, held by the transaction of a session of its own until this object is released or the process ends.
public final class RowLock: HeldLock, @unchecked Sendable {
    // `@unchecked Sendable`: after `init`, the session is used only by `deinit`.
    private let session: PostgreSQLSession

    /// Locks the row that a `SELECT … FOR UPDATE` finds; nil if it finds none.
    public init?(_ options: SessionOptions, _ selection: Query) throws {
        session = PostgreSQLSession(options)
        try session.begin(.writing)
        guard try session.first(selection.sql, selection.values, { _ in true }) != nil else {
            session.rollBack()
            return nil
        }
    }

    deinit {
        // If it fails, the connection is lost, and the server has released the lock.
        session.rollBack()
    }
}
