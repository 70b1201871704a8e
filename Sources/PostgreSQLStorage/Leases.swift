internal import Database
internal import Dispatch
internal import Locking
internal import Parallelism
internal import PostgreSQL

/// The leases of a schema, in its table `library_lease`, and those that this process holds.
///
/// Their time is that of the server. Whoever finds that a lease has run out removes its row; then its holder, who may only
/// have been stopped for a while, learns that it is lost.
final class Leases: Sendable {
    fileprivate let sessions: SessionPool
    /// By holder.
    private let held = Locked<[Int64: LeaseTime]>([:])
    private let timer = PollingTimer()

    /// How often leases are renewed.
    private static let periodMilliseconds = 2000

    /// The leases of the schema of these sessions.
    init(_ sessions: SessionPool) {
        self.sessions = sessions
    }

    /// When a lease runs out that is renewed now, as an expression of SQL.
    fileprivate static let end = "clock_timestamp() + interval '\(LeaseTerms.validSeconds) seconds'"

    /// Takes a lease; nil if it is held.
    func take(_ name: String, value: Int64) throws -> RowLease? {
        let sent = ContinuousClock.now
        let lease = RowLease(name, holder: Int64.random(in: 1...Int64.max), self, sent)
        let isTaken = try sessions.withSession { session in
            try session.transaction {
                try Self.removeExpired(name, session)
                try session.run(
                    """
                    INSERT INTO library_lease (name, until, holder, value) VALUES ($1, \(Self.end), $2, $3)
                    ON CONFLICT DO NOTHING
                    """, [.text(name), .integer(lease.holder), .integer(value)])
                return session.changedRows > 0
            }
        }
        guard isTaken else { return nil }
        let isFirst = held.withLock { held in
            held[lease.holder] = lease.time
            return held.count == 1
        }
        if isFirst {
            let queue = DispatchQueue(label: "tileserve.leases", qos: .default)
            timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.renew() }
        }
        return lease
    }

    /// Renews all leases of this process. If the server cannot be reached, the next time may be early enough.
    private func renew() {
        // The times, not the leases: one that is released meanwhile must end at once.
        let leases = held.withLock { $0 }
        guard !leases.isEmpty else { return }
        let sent = ContinuousClock.now
        guard let (renewed, known) = try? renew(Array(leases.keys)) else { return }
        for (holder, time) in leases {
            if !known.contains(holder) {
                time.lose()
            } else if renewed.contains(holder) {
                time.renewed(sent)
            }
        }
    }

    /// The holders whose leases were renewed, and those that have a lease.
    private func renew(_ holders: [Int64]) throws -> (renewed: Set<Int64>, known: Set<Int64>) {
        let list = holders.map { "\($0)" }.joined(separator: " ")
        return try sessions.withSession { session in
            try session.transaction {
                // A renewal must not wait for a synchronous standby that is away. If the server fails, those of the last
                // moments are lost: see `RowLease.certainty`.
                try session.execute(["SET LOCAL synchronous_commit = off"])
                // Another transaction of the holder may keep a row for long, and renews it itself.
                let renewed = try session.rows(
                    """
                    UPDATE library_lease SET until = \(Self.end) WHERE name IN (SELECT name FROM library_lease
                    WHERE holder IN (SELECT CAST(h AS BIGINT) FROM string_to_table($1, ' ') AS h)
                    ORDER BY name FOR UPDATE SKIP LOCKED) RETURNING holder
                    """, [.text(list)]
                ) { $0.integer(0) }
                let known = try session.rows("SELECT holder FROM library_lease") { $0.integer(0) }
                return (Set(renewed), Set(known))
            }
        }
    }

    /// Ends a lease of this process.
    fileprivate func release(_ holder: Int64) {
        let isLast = held.withLock { held in
            held[holder] = nil
            return held.isEmpty
        }
        if isLast { timer.stop() }
        // If it fails, the lease runs out.
        try? sessions.withSession {
            try $0.run("DELETE FROM library_lease WHERE holder = $1", [.integer(holder)])
        }
    }

    // MARK: Those of all processes

    /// Whether somebody holds a lease.
    static func isHeld(_ name: String, _ session: PostgreSQLSession) throws -> Bool {
        try removeExpired(name, session)
        return try session.integer("SELECT 1 FROM library_lease WHERE name = $1", [.text(name)]) != nil
    }

    /// The leases that have not run out.
    static func all(withPrefix prefix: String, _ session: PostgreSQLSession) throws -> [LeaseStatus] {
        try session.rows(
            """
            SELECT name, holder, value, requested, answered FROM library_lease
            WHERE starts_with(name, $1) AND until >= clock_timestamp() ORDER BY name
            """, [.text(prefix)]
        ) { row in
            LeaseStatus(
                name: row.text(0), holder: row.integer(1), value: row.integer(2), requested: row.integer(3),
                answered: row.integer(4))
        }
    }

    /// Ends the leases that have run out.
    func endExpired() throws {
        try sessions.withSession {
            try $0.run("DELETE FROM library_lease WHERE until < clock_timestamp()", [])
        }
    }

    private static func removeExpired(_ name: String, _ session: PostgreSQLSession) throws {
        try session.run("DELETE FROM library_lease WHERE name = $1 AND until < clock_timestamp()", [.text(name)])
    }
}

/// Until when a lease of this process cannot have been ended.
private final class LeaseTime: Sendable {
    private struct State {
        var certainUntil: ContinuousClock.Instant
        var isLost = false
    }

    private let state: Locked<State>

    private static let certainty = Duration.seconds(LeaseTerms.certainSeconds)

    init(_ sent: ContinuousClock.Instant) {
        state = Locked(State(certainUntil: sent + Self.certainty))
    }

    var isLost: Bool { state.withLock { $0.isLost } }

    /// 0 if the lease is lost.
    var certainSeconds: Double {
        let left = state.withLock { $0.isLost ? .zero : $0.certainUntil - ContinuousClock.now }
        return max(0, left / .seconds(1))
    }

    func lose() {
        state.withLock { $0.isLost = true }
    }

    func renewed(_ sent: ContinuousClock.Instant) {
        state.withLock { $0.certainUntil = max($0.certainUntil, sent + Self.certainty) }
    }
}

/// A lease of this process: a row with a number that only this object knows.
final class RowLease: Lease {
    let name: String
    let holder: Int64
    private let leases: Leases
    fileprivate let time: LeaseTime

    fileprivate init(_ name: String, holder: Int64, _ leases: Leases, _ sent: ContinuousClock.Instant) {
        self.name = name
        self.holder = holder
        self.leases = leases
        time = LeaseTime(sent)
    }

    deinit {
        leases.release(holder)
    }

    var isLost: Bool { time.isLost }

    var isCertain: Bool { certainSeconds > 0 }

    var certainSeconds: Double { time.certainSeconds }

    /// Changes the row, and renews the lease; false if it is lost. `assignment` has `$1` for the value.
    private func change(_ assignment: String, _ value: Int64, _ session: PostgreSQLSession) throws -> Bool {
        let sent = ContinuousClock.now
        try session.run(
            "UPDATE library_lease SET \(assignment), until = \(Leases.end) WHERE holder = $2",
            [.integer(value), .integer(holder)])
        guard session.changedRows > 0 else {
            time.lose()
            return false
        }
        time.renewed(sent)
        return true
    }

    func publish(_ value: Int64) throws -> Bool {
        try leases.sessions.withSession { try publish(value, $0) }
    }

    /// Publishes a value with the transaction of a session.
    func publish(_ value: Int64, _ session: PostgreSQLSession) throws -> Bool {
        try change("value = $1", value, session)
    }

    func answer(_ request: Int64) throws -> Bool {
        try leases.sessions.withSession { try change("answered = greatest(answered, $1)", request, $0) }
    }

    func hold(in session: any Session) throws {
        try session.run(holdingStatement)
        guard session.changedRows > 0 else {
            time.lose()
            throw StoreError.leaseLost
        }
    }

    /// Changes a row as long as the lease is not lost, and keeps others from ending it until the transaction ends.
    var holdingStatement: String { "UPDATE library_lease SET until = \(Leases.end) WHERE holder = \(holder)" }
}

/// A lease whose loss prevents the commits that rely on it.
final class FencedLease: HeldLock {
    private let lease: RowLease
    private let fences: Fences

    init(_ lease: RowLease, _ fences: Fences) {
        self.lease = lease
        self.fences = fences
        fences.add(lease.holdingStatement)
    }

    deinit {
        fences.remove(lease.holdingStatement)
    }
}
