internal import CSQLite
public import Database
internal import Parallelism

extension Connection {
    /// Copies the whole WAL into the database and truncates it, unless readers or writers prevent that for the time that
    /// this connection waits for locks.
    ///
    /// Others can write meanwhile: the lock of writers is not held while most of the WAL is copied, nor while a reader
    /// is waited for.
    public func eraseDeleted() throws(StoreError) -> Erasure {
        let isErased = try pollUntil(within: lockWait.limit, periodSeconds: Self.checkpointPollSeconds) {
            () throws(StoreError) in
            // The result of this one is not needed: what it could not copy prevents the next one.
            _ = try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            return try checkpointTruncating()
        }
        return isErased ? .overwritten : .prevented
    }

    /// A reader holds its snapshot for some milliseconds.
    private static let checkpointPollSeconds = 0.01

    /// Copies the whole WAL into the database and truncates it; false if a reader or writer prevented that. Does not
    /// wait.
    public func checkpointTruncating() throws(StoreError) -> Bool {
        try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// False if another connection prevented it.
    private func checkpoint(_ mode: Int32) throws(StoreError) -> Bool {
        let status = withoutWaiting { unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil) }
        if status & 0xff == SQLITE_BUSY || status & 0xff == SQLITE_LOCKED { return false }
        guard status == SQLITE_OK else {
            throw unsafe StoreError.latest(of: handle, status: status, statement: nil)
        }
        return true
    }
}
