import Database
import PostgreSQL
import TestPostgreSQL

/// With everything that makes sessions faster, and without any of it.
enum Speed: CaseIterable {
    case fast
    case plain

    var accelerations: Accelerations {
        switch self {
        case .fast: Accelerations()
        case .plain: .none
        }
    }
}

/// A database of its own, and sessions of it.
struct Fixture {
    let database: PostgreSQLDatabase
    let speed: Speed

    init(_ speed: Speed) throws {
        self.speed = speed
        database = try PostgreSQLServer.shared().makeDatabase()
        try session().execute([
            "CREATE TABLE item (key BIGINT PRIMARY KEY, number DOUBLE PRECISION, name TEXT COLLATE \"C\", data BYTEA)",
            "CREATE TABLE state (revision BIGINT NOT NULL)", "INSERT INTO state VALUES (0)",
        ])
    }

    var options: SessionOptions {
        var options = SessionOptions(location: database.location, name: "test")
        options.accelerations = speed.accelerations
        return options
    }

    func session() -> PostgreSQLSession { PostgreSQLSession(options) }

    func writer(lockMilliseconds: Int = 10_000) -> PostgreSQLSession {
        var options = options
        options.lockMilliseconds = lockMilliseconds
        options.writerLock = "SELECT revision FROM state FOR UPDATE"
        options.beforeCommit = { ["UPDATE state SET revision = revision + 1"] }
        return PostgreSQLSession(options)
    }

    static let insertion = "INSERT INTO item VALUES ($1, $2, $3, $4)"

    func fill(_ count: Int) throws {
        try writer().load(into: "item") { add in
            for key in 0..<count {
                try add([.integer(key), .real(Double(key)), .text("n\(key)"), .blob([UInt8(key & 255)])])
            }
        }
    }
}
