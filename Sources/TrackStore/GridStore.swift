import Files
package import HeatGrid
import Locking
import SQLite
package import Tracks

/// What catching up did.
package struct GridChange: Sendable, Equatable {
    /// The state before; nil where the grid was made.
    package var before: GridState?
    /// The state after.
    package var after: GridState
    /// Packed keys of the tiles that were written or emptied, ascending; nil where the grid was made anew.
    package var tiles: [UInt64]?
}

/// `grid.sqlite`: the grid of every zoom level, derived from the truth and made again whenever it does not fit it.
package final class GridStore: Sendable {
    /// The file.
    package let path: String
    let lockPath: String
    private let folder: String
    private let readers: ReaderPool
    let rule: SumRule

    /// Bytes of the file that readers map: reads are then of the page cache, without a copy.
    private static let mappedBytes: Int64 = 1 << 36

    /// Opens the grid of a library folder, or makes an empty one; one of another version or that is no database is replaced.
    package init(folder: String, rule: SumRule = SumRule()) throws {
        self.folder = folder
        self.rule = rule
        path = folder + "/grid.sqlite"
        lockPath = folder + "/grid.lock"
        do {
            try Self.prepare(path)
        } catch let error as SQLiteError where error.isNoDatabase {
            try Self.discard(path)
            try Self.prepare(path)
        }
        var options = OpenOptions(mode: .readOnly)
        options.mappedBytes = Self.mappedBytes
        readers = ReaderPool(path: path, options: options)
    }

    /// Reads the grid as it stands at one moment.
    package func read<Result>(_ body: (GridReader) throws -> Result) throws -> Result {
        try readers.read { try body(GridReader($0)) }
    }

    /// Brings the grid to the truth's newest entry; where it does not descend from the truth's log, or rules or zone have
    /// changed, it is made anew. One process does so at a time; others wait.
    package func catchUp(
        with source: any GridSource, calendar: DayCalendar, anew: Bool = false,
        memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        let lock = try LockFile.wait(for: lockPath)
        defer { withExtendedLifetime(lock) {} }
        func run(anew: Bool) throws -> GridChange? {
            let update = GridUpdate(
                connection: try Self.writer(path), source: source, calendar: calendar, rule: rule, folder: folder,
                memoryBytes: memoryBytes, report: report)
            return try update.run(anew: anew)
        }
        do {
            return try run(anew: anew)
        } catch let error as SQLiteError where error.isNoDatabase {
            // Damaged pages: nothing is in them that the tracks do not tell.
            try Self.writer(path).removeEverything()
            try Self.prepare(path)
            return try run(anew: true)
        }
    }

    /// Moves what was written into the database and empties the log of writes; false where a reader stood in the way.
    @discardableResult
    package func truncateLog() throws -> Bool {
        try Self.writer(path).checkpointTruncating()
    }

    /// What `PRAGMA integrity_check` finds.
    package func integrityProblems() throws -> [String] {
        do {
            return try readers.read { try $0.integrityProblems() }
        } catch let error as SQLiteError where error.isNoDatabase {
            return [error.message]
        }
    }

    /// Bytes that building a grid takes unless told otherwise, beside what one track needs.
    package static let defaultMemoryBytes = 640 << 20

    static func writer(_ path: String) throws -> Connection {
        var options = OpenOptions(mode: .create)
        // What a loss of power takes is made again from the truth.
        options.durability = .normal
        // What is removed shall not be found in the file.
        options.secureDelete = true
        options.pageBytes = 8192
        options.cacheBytes = 64 << 20
        options.busyMilliseconds = 60_000
        return try Connection(path: path, options: options)
    }

    private static func prepare(_ path: String) throws {
        let connection = try writer(path)
        // Looked at without a lock first: whoever makes a large grid holds the one for writing for long.
        if try isOurs(connection) { return }
        try connection.transaction(.immediate) {
            if try isOurs(connection) { return }
            for name in GridSchema.tableNames { try connection.execute("DROP TABLE IF EXISTS \(name)") }
            try connection.execute(GridSchema.tables)
            try connection.setApplicationID(GridSchema.applicationID)
            try connection.setUserVersion(Int32(GridSchema.version))
        }
    }

    private static func isOurs(_ connection: Connection) throws -> Bool {
        try connection.applicationID() == Int64(GridSchema.applicationID)
            && connection.userVersion() == Int64(GridSchema.version)
    }

    private static func discard(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] { _ = try WholeFile.remove(path + suffix) }
    }
}
