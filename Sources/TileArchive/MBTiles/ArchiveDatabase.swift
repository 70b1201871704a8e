internal import Database
internal import SQLite

/// A new SQLite file whose bytes depend on nothing but what is written: pages of one size, filled in the order of the
/// statements, without a write-ahead log.
enum ArchiveDatabase {
    /// SQLite's default. Larger pages make files with small tiles larger.
    private static let pageBytes = 4096

    /// Creates the file at `path`, which does not exist, and runs `body` in one transaction.
    static func write(to path: String, _ body: (Connection) throws -> Void) throws {
        var options = OpenOptions(mode: .create)
        options.pageBytes = pageBytes
        let connection = try Connection(path: path, options: options)
        // A reader of a file in WAL mode writes beside it, which a read-only disk does not permit.
        guard try connection.useRollbackJournal() else {
            throw ArchiveError(path, "another process has opened it", "close the other program")
        }
        try connection.transaction { try body(connection) }
    }
}
