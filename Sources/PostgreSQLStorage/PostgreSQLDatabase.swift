internal import Database
internal import Foundation
internal import Locking
internal import PostgreSQL

/// A database of a library: the tables of a schema.
///
/// Writers wait for each other by a lock of the only row of `library_state`, readers have a snapshot. Locks that are held
/// for longer than a transaction are locks of rows of `library_lock`, or leases if they last as long as their process: a
/// transaction that is open for so long would keep the server from using the space of deleted rows again. The connection that
/// holds a lock may be lost without the holder's knowledge; so each holder has a number in `library_fence`, and nothing is
/// committed if another one has got the lock since.
final class PostgreSQLDatabase: Database {
    let name: String
    let isReadOnly: Bool
    var hasRowSums: Bool { false }
    private let schema: String
    private let location: PostgreSQLLocation
    private let definition: PostgreSQLDefinition
    private let accelerations: Accelerations
    private let catalog = StatementCatalog()
    private let readers: SessionPool
    private let leases: Leases
    private let lockMilliseconds: Int
    /// The locks that are held.
    private let fences = Fences()
    private let waits = RoundTripCounter()
    var roundTrips: Int { waits.count }
    /// Reads the number of commits.
    private let watcher = Locked<PostgreSQLSession?>(nil)

    init(_ kind: DatabaseKind, _ location: PostgreSQLLocation, _ accelerations: Accelerations, isReadOnly: Bool) {
        self.location = location
        self.accelerations = accelerations
        self.isReadOnly = isReadOnly
        schema = location.schema(of: kind)
        name = Self.name(of: kind, location)
        definition = PostgreSQLDefinition(kind)
        // While a large grid is built, others wait for its writer.
        lockMilliseconds =
            switch kind {
            case .tracks: 10_000
            case .grid: 600_000
            }
        var options = Self.options(location, name: name, schema: schema, accelerations)
        options.roundTrips = waits
        readers = SessionPool(options, catalog: catalog)
        leases = Leases(readers)
    }

    static func name(of kind: DatabaseKind, _ location: PostgreSQLLocation) -> String {
        switch kind {
        case .tracks: location.name
        case .grid: "\(location.name), grid"
        }
    }

    /// The options of sessions that read.
    private static func options(
        _ location: PostgreSQLLocation, name: String, schema: String, _ accelerations: Accelerations
    ) -> SessionOptions {
        var options = SessionOptions(location: location.connection, name: name)
        options.schema = schema
        options.accelerations = accelerations
        return options
    }

    /// The options of sessions that take no locks of writers.
    static func options(
        of kind: DatabaseKind, _ location: PostgreSQLLocation, _ accelerations: Accelerations
    ) -> SessionOptions {
        options(location, name: name(of: kind, location), schema: location.schema(of: kind), accelerations)
    }

    private var options: SessionOptions {
        var options = Self.options(location, name: name, schema: schema, accelerations)
        options.roundTrips = waits
        return options
    }

    func exists() -> Bool { definition.exists(in: readers) }

    func snapshot<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try readers.withSession { session in try session.transaction(.snapshot) { try body(session) } }
    }

    func closeIdleReaders() {
        readers.closeIdle()
    }

    func writer() throws -> any Session {
        var options = options
        options.lockMilliseconds = lockMilliseconds
        options.writerLock = "SELECT revision FROM library_state FOR UPDATE"
        options.beforeCommit = { [fences] in
            fences.checks + ["UPDATE library_state SET revision = revision + 1"]
        }
        options.announcement = AnnouncementChannel.announcement(.content, in: location)
        return PostgreSQLSession(options, catalog: catalog)
    }

    func fill<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        // The server has one log for all its databases, and nothing can be left out of it.
        try body(writer())
    }

    // MARK: Changes

    func changeToken() throws -> Int64 {
        let options = options
        return try watcher.withLock { watcher in
            let session = watcher ?? PostgreSQLSession(options)
            watcher = session
            return try session.integer("SELECT revision FROM library_state") ?? 0
        }
    }

    // MARK: Locks

    func lock(_ name: LockName) throws -> any HeldLock {
        while true {
            if let lock = try take(name, isWaiting: true) { return lock }
            // Another process has removed the row in the meantime, or a lease is held.
            Thread.sleep(forTimeInterval: Self.pauseSeconds)
        }
    }

    private static let pauseSeconds = 0.1

    func lockIfFree(_ name: LockName) throws -> (any HeldLock)? {
        try take(name, isWaiting: false)
    }

    private func take(_ name: LockName, isWaiting: Bool) throws -> (any HeldLock)? {
        try createBase()
        let text = Self.text(name)
        // Held from the first provisional row to the end of the process.
        if case .importing = name { return try leases.take(text, value: 0).map { FencedLease($0, fences) } }
        try readers.withSession {
            try $0.run("INSERT INTO library_lock VALUES ($1) ON CONFLICT DO NOTHING", [.text(text)])
        }
        var options = options
        // It waits as long as it takes.
        options.lockMilliseconds = 0
        let selection = Query(
            "SELECT name FROM library_lock WHERE name = $1 FOR UPDATE" + (isWaiting ? "" : " SKIP LOCKED"),
            [.text(text)])
        guard let lock = try RowLock(options, selection) else { return nil }
        let holder = try readers.withSession {
            try $0.inserted(
                """
                INSERT INTO library_fence AS f VALUES ($1, 1) ON CONFLICT (name) DO UPDATE SET holders = f.holders + 1
                RETURNING holders
                """, [.text(text)])
        }
        return FencedLock(lock, text, holder: holder, fences)
    }

    func isLocked(_ name: LockName) throws -> Bool {
        let text = Self.text(name)
        return try readers.withSession { session in
            if case .importing = name { return try Leases.isHeld(text, session) }
            let free = try session.first(
                "SELECT name FROM library_lock WHERE name = $1 FOR UPDATE SKIP LOCKED", [.text(text)]
            ) { _ in true }
            if free != nil { return false }
            return try session.integer("SELECT 1 FROM library_lock WHERE name = $1", [.text(text)]) != nil
        }
    }

    func removeAbandonedLocks() throws {
        try leases.endExpired()
    }

    private static func text(_ name: LockName) -> String {
        switch name {
        case .grid: "grid"
        case .layers: "layers"
        case .copying: "copying"
        case .deriving: "deriving"
        case .retention: "retention"
        case .importing(let owner): "importing/\(owner)"
        }
    }

    // MARK: Tables

    func schemaState(in session: any Session) throws -> SchemaState {
        try definition.state(of: Self.own(session))
    }

    func upgradeTables(in writer: any Session) throws {
        try createBase()
        try definition.upgrade(Self.own(writer))
    }

    func recreate() throws {
        try createBase()
        try definition.recreate(Self.own(writer()), version: definition.version)
    }

    // MARK: Copies

    func beginCopy() throws {
        try createBase()
        try definition.recreate(Self.own(writer()), version: PostgreSQLDefinition.incomplete)
    }

    func endCopy(numbers: [String: Int64], in writer: any Session) throws {
        try definition.endCopy(numbers: numbers, Self.own(writer))
    }

    func highestNumbers(in session: any Session) throws -> [String: Int64] {
        try PostgreSQLDefinition.highestNumbers(Self.own(session))
    }

    func refresh() -> Bool {
        exists()
    }

    private static func own(_ session: any Session) -> PostgreSQLSession {
        guard let own = session as? PostgreSQLSession else {
            preconditionFailure("the session belongs to another database")
        }
        return own
    }

    private func createBase() throws {
        try readers.withSession { try definition.createBase(schema, $0) }
    }
}
