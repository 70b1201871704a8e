internal import Database
internal import PostgreSQL

/// The jobs of a schema, in its tables `library_job` and `library_result`.
final class PostgreSQLJobs: JobTable {
    fileprivate let sessions: SessionPool

    /// The values of `state`.
    fileprivate enum State {
        static let waiting: Int64 = 0
        static let finished: Int64 = 1
        /// Taken by the process that has offered it.
        static let own: Int64 = 2
    }

    /// The jobs of the schema of these sessions, whose tables exist.
    init(_ sessions: SessionPool) {
        self.sessions = sessions
    }

    func offer(_ jobs: [[UInt8]], condition: Int64) throws -> any JobOffer {
        try sessions.withSession { session in
            try session.transaction {
                try PostgreSQLJobs.removeAll(session)
                for (index, content) in jobs.enumerated() {
                    try session.run(
                        "INSERT INTO library_job (number, condition, content) VALUES ($1, $2, $3)",
                        [.integer(index), .integer(condition), .blob(content)])
                }
            }
        }
        return PostgreSQLOffer(self)
    }

    fileprivate static func removeAll(_ session: PostgreSQLSession) throws {
        try session.run("DELETE FROM library_job", [])
        try session.run("DELETE FROM library_result", [])
    }

    func take(condition: Int64, seconds: Int) throws -> TakenJob? {
        let holder = Int64.random(in: 1...Int64.max)
        return try sessions.withSession { session in
            var taken: TakenJob?
            try session.forEach(
                """
                UPDATE library_job SET holder = $1, until = clock_timestamp() + CAST($2 AS BIGINT) * interval '1 second'
                WHERE number = (SELECT number FROM library_job WHERE condition = $3 AND state = 0 AND (holder = 0 OR until < clock_timestamp())
                ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number, content
                """, [.integer(holder), .integer(seconds), .integer(condition)]
            ) { taken = TakenJob(number: $0.integer(0), content: $0.blob(1), holder: holder) }
            return taken
        }
    }

    func finish(_ job: TakenJob, _ next: () throws -> JobResult?) throws -> Bool {
        try sessions.withSession { session in
            try session.transaction {
                try session.run(
                    "UPDATE library_job SET state = 1 WHERE number = $1 AND holder = $2 AND state = 0",
                    [.integer(job.number), .integer(job.holder)])
                guard session.changedRows > 0 else { return false }
                try session.load(into: "library_result") { add in
                    while let result = try next() {
                        try add([
                            .integer(job.number), .integer(result.kind), .integer(result.key), .blob(result.bytes),
                        ])
                    }
                }
                return true
            }
        }
    }
}

/// The jobs that this process has offered.
private final class PostgreSQLOffer: JobOffer {
    private let jobs: PostgreSQLJobs

    init(_ jobs: PostgreSQLJobs) {
        self.jobs = jobs
    }

    deinit {
        // What remains is removed with the next offer.
        try? jobs.sessions.withSession { session in
            try session.transaction { try PostgreSQLJobs.removeAll(session) }
        }
    }

    func takeOwn() throws -> OwnJob {
        try jobs.sessions.withSession { session in
            let taken = try session.returning(
                """
                UPDATE library_job SET state = 2 WHERE number = (SELECT number FROM library_job
                WHERE state = 0 AND (holder = 0 OR until < clock_timestamp())
                ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number
                """, [])
            if let taken { return .job(taken) }
            let isHeld = try session.integer("SELECT 1 FROM library_job WHERE state = 0 LIMIT 1", []) != nil
            return isHeld ? .heldByOthers : .none
        }
    }

    func finished() throws -> [Int64] {
        try jobs.sessions.withSession { session in
            try session.rows("SELECT number FROM library_job WHERE state = 1 ORDER BY number", []) { $0.integer(0) }
        }
    }

    func discard(_ job: Int64) throws {
        try jobs.sessions.withSession { session in
            try session.transaction {
                try session.run("UPDATE library_job SET state = 2 WHERE number = $1", [.integer(job)])
                try session.run("DELETE FROM library_result WHERE job = $1", [.integer(job)])
            }
        }
    }

    func results(of job: Int64, kind: Int64, after key: Int64, limit: Int) throws -> [JobResult] {
        try jobs.sessions.withSession { session in
            try session.rows(
                """
                SELECT key, bytes FROM library_result WHERE job = $1 AND kind = $2 AND key > $3 ORDER BY key LIMIT $4
                """, [.integer(job), .integer(kind), .integer(key), .integer(limit)]
            ) { JobResult(kind: kind, key: $0.integer(0), bytes: $0.blob(1)) }
        }
    }
}
