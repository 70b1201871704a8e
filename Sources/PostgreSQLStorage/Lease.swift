internal import Database
internal import Dispatch
internal import Parallelism
internal import PostgreSQL

/// A lock that is held by renewing a row, for as long as a process may run: a transaction that is open for so long would
/// keep the server from using the space of deleted rows again.
///
/// Its time is that of the server. Whoever finds that it has run out removes the row; then its holder, who may only have
/// been stopped for a while, commits nothing more.
final class Lease: HeldLock {
    private let sessions: SessionPool
    private let name: String
    private let fences: Fences
    private let timer = PollingTimer()
    private let renewal: String

    /// How long a lease is valid, and how often it is renewed.
    private static let validity = "interval '30 seconds'"
    private static let periodMilliseconds = 5000

    /// Takes the lease; nil if it is held.
    init?(_ name: String, _ sessions: SessionPool, _ fences: Fences) throws {
        self.sessions = sessions
        self.name = name
        self.fences = fences
        let quoted = PostgreSQLSession.quoted(name, "'")
        renewal = "UPDATE library_lease SET until = clock_timestamp() + \(Self.validity) WHERE name = \(quoted)"
        let isTaken = try sessions.withSession { session in
            try Self.removeExpired(name, session)
            try session.run(
                """
                INSERT INTO library_lease VALUES ($1, clock_timestamp() + \(Self.validity)) ON CONFLICT DO NOTHING
                """, [.text(name)])
            return session.changedRows > 0
        }
        guard isTaken else { return nil }
        fences.add(renewal)
        let renewal = renewal
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: DispatchQueue.global(qos: .utility)) {
            // If the server cannot be reached, the next time may be early enough.
            try? sessions.withSession { try $0.execute([renewal]) }
        }
    }

    deinit {
        timer.stop()
        fences.remove(renewal)
        // If it fails, the lease runs out.
        try? sessions.withSession { try $0.run("DELETE FROM library_lease WHERE name = $1", [.text(name)]) }
    }

    /// Whether somebody holds a lease.
    static func isHeld(_ name: String, _ session: PostgreSQLSession) throws -> Bool {
        try removeExpired(name, session)
        return try session.integer("SELECT 1 FROM library_lease WHERE name = $1", [.text(name)]) != nil
    }

    /// Removes the leases that have run out.
    static func removeExpired(_ session: PostgreSQLSession) throws {
        try session.run("DELETE FROM library_lease WHERE until < clock_timestamp()")
    }

    private static func removeExpired(_ name: String, _ session: PostgreSQLSession) throws {
        try session.run("DELETE FROM library_lease WHERE name = $1 AND until < clock_timestamp()", [.text(name)])
    }
}
