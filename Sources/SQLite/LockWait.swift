internal import CSQLite
internal import Foundation

/// How a connection waits for a lock of another connection.
///
/// SQLite's own way waits longer and longer between its attempts, up to 100 ms. Then a connection with many transactions
/// one after the other, and short pauses between them, can keep others out for seconds. Belongs to one connection and is
/// used by one thread at a time. Safe: SQLite calls back only while this connection runs a statement, and the connection
/// keeps the object alive.
@safe
final class LockWait {
    /// How long a lock is waited for.
    let limit: Duration
    private var start = ContinuousClock.now
    /// Whether locks are waited for at all.
    var isEnabled = true

    /// Short, so that an attempt falls into the pauses between the transactions of another connection.
    private static let pollSeconds = 0.002

    init(milliseconds: Int32) {
        limit = .milliseconds(Int(milliseconds))
    }

    /// Returns SQLite's status.
    func install(in database: OpaquePointer) -> Int32 {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe sqlite3_busy_handler(
            database,
            { context, attempts in
                guard let context = unsafe context else { return 0 }
                let wait = unsafe Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue()
                return wait.wait(attempts) ? 1 : 0
            }, context)
    }

    /// Waits before the next attempt; false if there should be none.
    private func wait(_ attempts: Int32) -> Bool {
        guard isEnabled else { return false }
        if attempts == 0 { start = .now }
        guard ContinuousClock.now - start < limit else { return false }
        Thread.sleep(forTimeInterval: Self.pollSeconds)
        return true
    }
}
