internal import Database
internal import Locking
internal import PostgreSQL

/// What the processes of a library share, in tables of the schema of the primary store. Their sessions take none of the locks
/// of writers.
final class PostgreSQLShared: SharedDatabase {
    let name: String
    private let schema: String
    private let definition = PostgreSQLDefinition(.tracks)
    private let sessions: SessionPool
    private let table: Leases
    private let location: PostgreSQLLocation
    private let channel: AnnouncementChannel
    /// Whether the tables are known to exist.
    private let exists = Locked(false)

    init(_ location: PostgreSQLLocation, _ accelerations: Accelerations) {
        self.location = location
        channel = AnnouncementChannel(location, accelerations)
        name = location.name
        schema = location.schema(of: .tracks)
        var options = PostgreSQLDatabase.options(of: .tracks, location, accelerations)
        options.isDurable = true
        sessions = SessionPool(options, catalog: StatementCatalog())
        table = Leases(sessions)
    }

    /// Runs `body` with a session; nil if the tables do not exist.
    private func reading<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result? {
        try sessions.withSession { session in
            if !exists.withLock({ $0 }) {
                guard try PostgreSQLDefinition.hasBase(session) else { return nil }
                exists.withLock { $0 = true }
            }
            return try body(session)
        }
    }

    /// Runs `body` in a transaction, with the tables, and announces it.
    private func writing<Result>(
        announcing kind: Announcement, _ body: (PostgreSQLSession) throws -> Result
    ) throws -> Result {
        try sessions.withSession { session in
            try create(session)
            let result = try session.transaction { try body(session) }
            session.announce(AnnouncementChannel.announcement(kind, in: location))
            return result
        }
    }

    private func create(_ session: PostgreSQLSession) throws {
        guard !exists.withLock({ $0 }) else { return }
        try definition.createBase(schema, session)
        exists.withLock { $0 = true }
    }

    private static func own(_ lease: any Lease) -> RowLease {
        guard let own = lease as? RowLease else { preconditionFailure("the lease belongs to another database") }
        return own
    }
}

// MARK: Leases

extension PostgreSQLShared {
    func lease(_ name: String, value: Int64) throws -> (any Lease)? {
        try sessions.withSession { try create($0) }
        return try table.take(name, value: value)
    }

    func leases(withPrefix prefix: String) throws -> [LeaseStatus] {
        try reading { try Leases.all(withPrefix: prefix, $0) } ?? []
    }

    func endExpiredLeases() throws {
        guard try reading({ _ in true }) != nil else { return }
        try table.endExpired()
    }

    func request(ofHolderOf name: String) throws -> Int64? {
        try writing(announcing: .log) { session in
            try session.returning(
                """
                UPDATE library_lease SET requested = requested + 1 WHERE name = $1 AND until >= clock_timestamp()
                RETURNING requested
                """, [.text(name)])
        }
    }
}

// MARK: Documents

extension PostgreSQLShared {
    func document(_ name: String) throws -> [UInt8]? {
        try reading { session in
            try session.first("SELECT content FROM library_document WHERE name = $1", [.text(name)]) { $0.blob(0) }
        } ?? nil
    }

    func documentRevision(_ name: String) throws -> Int64? {
        try reading { session in
            try session.integer("SELECT revision FROM library_document WHERE name = $1", [.text(name)])
        } ?? nil
    }

    func documents(withPrefix prefix: String) throws -> [[UInt8]] {
        try reading { session in
            try session.rows(
                "SELECT content FROM library_document WHERE starts_with(name, $1) ORDER BY name", [.text(prefix)]
            ) { $0.blob(0) }
        } ?? []
    }

    func documentCount(withPrefix prefix: String) throws -> Int {
        let count = try reading { session in
            try session.integer("SELECT count(*) FROM library_document WHERE starts_with(name, $1)", [.text(prefix)])
        }
        return Int((count ?? nil) ?? 0)
    }

    func changeDocument(_ name: String, _ body: (inout [UInt8]?) throws -> Void) throws {
        try writing(announcing: .document) { session in
            // The row of a new document: it locks out others who would create it.
            try session.run(
                "INSERT INTO library_document VALUES ($1, 0, '') ON CONFLICT DO NOTHING", [.text(name)])
            let found = try session.first(
                "SELECT revision, content FROM library_document WHERE name = $1 FOR UPDATE", [.text(name)]
            ) { (revision: $0.integer(0), content: $0.blob(1)) }
            let before = found.flatMap { $0.revision == 0 ? nil : $0.content }
            var content = before
            try body(&content)
            if let content {
                guard content != before else { return }
                try session.run(
                    "UPDATE library_document SET content = $1, revision = revision + 1 WHERE name = $2",
                    [.blob(content), .text(name)])
            } else {
                try session.run("DELETE FROM library_document WHERE name = $1", [.text(name)])
            }
        }
    }
}

// MARK: Segments

extension PostgreSQLShared {
    func append(_ bytes: [UInt8], number: Int64, to segment: Segment, _ lease: any Lease) throws -> Bool {
        let lease = Self.own(lease)
        return try writing(announcing: .log) { session in
            // The row of the lease stays locked until the commit: who ends the lease finds these bytes, or they are refused.
            guard try lease.publish(number, session) else { return false }
            try session.run(
                "INSERT INTO library_segment (log, number, segment, note, bytes) VALUES ($1, $2, $3, $4, $5)",
                [
                    .text(segment.log), .integer(number), .integer(segment.number), .text(segment.note), .blob(bytes),
                ])
            return true
        }
    }

    func logs() throws -> [String] {
        try reading { session in
            try session.rows("SELECT DISTINCT log FROM library_segment", []) { $0.text(0) }
        } ?? []
    }

    func segments(ofLog name: String) throws -> [Segment] {
        try reading { session in
            try session.rows(
                "SELECT segment, min(note) FROM library_segment WHERE log = $1 GROUP BY segment ORDER BY segment",
                [.text(name)]
            ) { Segment(log: name, number: $0.integer(0), note: $0.text(1)) }
        } ?? []
    }

    func exists(_ segment: Segment) throws -> Bool {
        try reading { session in
            try session.integer(
                "SELECT 1 FROM library_segment WHERE log = $1 AND segment = $2 LIMIT 1",
                [.text(segment.log), .integer(segment.number)]) != nil
        } ?? false
    }

    func forEachPart(of segment: Segment, _ body: ([UInt8]) throws -> Void) throws {
        _ = try reading { session in
            try session.forEach(
                "SELECT bytes FROM library_segment WHERE log = $1 AND segment = $2 ORDER BY number",
                [.text(segment.log), .integer(segment.number)]
            ) { try body($0.blob(0)) }
        }
    }

    func parts(ofLog name: String, after number: Int64) throws -> [[UInt8]] {
        try reading { session in
            try session.rows(
                "SELECT bytes FROM library_segment WHERE log = $1 AND number > $2 ORDER BY number",
                [.text(name), .integer(number)]
            ) { $0.blob(0) }
        } ?? []
    }

    func delete(_ segment: Segment, _ lease: any Lease) throws -> Bool {
        let lease = Self.own(lease)
        return try writing(announcing: .log) { session in
            do {
                try lease.hold(in: session)
            } catch  where lease.isLost {
                return false
            }
            try session.run(
                "DELETE FROM library_segment WHERE log = $1 AND segment = $2",
                [.text(segment.log), .integer(segment.number)])
            return true
        }
    }
}

// MARK: Announcements

extension PostgreSQLShared {
    func announcements(of kind: Announcement) -> Int? {
        channel.count(of: kind)
    }

    func onAnnouncement(_ body: @escaping @Sendable (Announcement) -> Void) {
        channel.onAnnouncement(body)
    }
}
