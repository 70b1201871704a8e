internal import Database
internal import Files
internal import SQLite

/// A temporary database in a folder of its own.
final class TemporaryDatabaseFile: TemporaryDatabase {
    private let folder: TemporaryFolder

    init(_ table: TemporaryTable, below parent: String?) throws {
        folder = try TemporaryFolder(in: parent)
        try session().run(Self.definition(of: table))
    }

    func session() throws -> any Session {
        var options = OpenOptions(mode: .create)
        options.durability = .off
        // A large import merges dozens of them, each from its beginning to its end. With the 2 MB of SQLite's default, an import of
        // 10 million points in 11 runs took 300 MiB at its peak, with this 272 MiB.
        options.cacheBytes = 512 << 10
        let connection = try Connection(path: folder.path + "/temporary.sqlite", options: options)
        // No other process reads it, and after a crash it is not needed.
        try connection.execute("PRAGMA journal_mode = OFF")
        return connection
    }

    private static func definition(of table: TemporaryTable) -> String {
        switch table {
        case .run: "CREATE TABLE run (key INTEGER PRIMARY KEY, data BLOB NOT NULL)"
        case .block:
            """
            CREATE TABLE block (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, before INTEGER, data BLOB NOT NULL)
            """
        }
    }
}
