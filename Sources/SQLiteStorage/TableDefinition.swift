internal import Database
internal import SQLite

/// The tables of one database, and how they are created and upgraded.
struct TableDefinition: Sendable {
    /// Identifies the database as one of this program (`PRAGMA application_id`).
    var applicationID: Int32
    /// The version that this program uses (`PRAGMA user_version`).
    var version: Int64
    /// The statements of each upgrade: `steps[n]` from version n to n + 1. If there is only one step, it creates all
    /// tables, and there is no way from an older version.
    var steps: [[String]]
    /// The tables that have sums.
    var summed: [ChecksummedTable]

    /// The version of tables into which rows of another database are being copied.
    static let incomplete: Int64 = -1

    /// Whether older versions can be upgraded.
    private var canUpgrade: Bool { steps.count == version }

    /// Compares the tables of a database with these.
    func state(of session: any Session) throws -> SchemaState {
        let found = try number("application_id", session)
        if try found == 0 && session.integer("SELECT count(*) FROM sqlite_schema") == 0 { return .empty }
        guard found == Int64(applicationID) else { return .foreign }
        let stored = try number("user_version", session)
        if stored == Self.incomplete { return .incomplete }
        if stored < 0 { return .invalid(stored) }
        if stored < version { return .older(stored) }
        if stored > version { return .newer(stored) }
        return try canUpgrade || hasTables(session) ? .current : .altered
    }

    /// Upgraded tables differ in form from new ones; others are the same text.
    private func hasTables(_ session: any Session) throws -> Bool {
        let found = try session.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") { $0.text(0) }
        return Set(found) == Set(steps.joined())
    }

    /// Creates the tables in an empty database, as those of a version.
    func create(in session: any Session, version: Int64) throws {
        try session.transaction {
            for statement in steps.joined() { try session.run(statement) }
            try session.run("PRAGMA application_id = \(applicationID)")
            try setVersion(version, session)
        }
    }

    func setVersion(_ version: Int64, _ session: any Session) throws {
        try session.run("PRAGMA user_version = \(version)")
    }

    /// Creates the tables or upgrades them, each step in one transaction.
    func upgrade(_ session: any Session) throws {
        try session.transaction {
            if try state(of: session) == .empty { try session.run("PRAGMA application_id = \(applicationID)") }
        }
        while try session.transaction(.writing, { try upgradeOnce(session) }) {}
    }

    /// Upgrades by one version; returns false if there is nothing to upgrade.
    private func upgradeOnce(_ session: any Session) throws -> Bool {
        switch try state(of: session) {
        case .current: return false
        case .older(let found) where canUpgrade:
            for statement in steps[Int(found)] { try session.run(statement) }
            try session.run("PRAGMA user_version = \(found + 1)")
            return true
        case let state: throw SchemaMismatch(state)
        }
    }

    private func number(_ name: String, _ session: any Session) throws -> Int64 {
        try session.integer("PRAGMA \(name)") ?? 0
    }
}
