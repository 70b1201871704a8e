import Database
import Files
import HeatGrid
import Locking
import SQLite
import TileLog

/// Stores runs that do not fit in memory in temporary databases, which are deleted with this object.
final class GridSpill: Sendable {
    private struct State: Sendable {
        var folder: TemporaryFolder?
        var runCount = 0
        var byteCount = 0
    }

    private let parent: String
    private let state = Locked(State())

    /// Spills into a new folder below `parent`, which is created when needed.
    init(below parent: String) {
        self.parent = parent
    }

    /// Bytes of the spilled logs.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Writes a whole run.
    func write(_ run: inout some GridRun) throws {
        let path = try nextPath()
        let connection = try Self.connection(path)
        var bytes = 0
        try connection.transaction {
            try connection.execute("CREATE TABLE run (key INTEGER PRIMARY KEY, data BLOB NOT NULL)")
            try connection.load(into: "run") { add in
                while let tile = run.nextTile {
                    let log = try run.takeLog()
                    bytes += log.count
                    try add([.integer(Int64(tile)), .blob(log)])
                }
            }
        }
        let written = bytes
        state.withLock { $0.byteCount += written }
    }

    /// All runs written so far, from their beginning.
    func runs() throws -> [any GridRun] {
        let (folder, count) = state.withLock { ($0.folder, $0.runCount) }
        guard let folder else { return [] }
        return try (0..<count).map {
            try SpilledRun(connection: Self.connection("\(folder.path)/run-\($0).sqlite"), folder: folder)
        }
    }

    private func nextPath() throws -> String {
        let parent = parent
        return try state.withLock { state in
            let folder = try state.folder ?? TemporaryFolder(in: parent)
            state.folder = folder
            defer { state.runCount += 1 }
            return "\(folder.path)/run-\(state.runCount).sqlite"
        }
    }

    private static func connection(_ path: String) throws -> Connection {
        var options = OpenOptions(mode: .create)
        options.durability = .off
        let connection = try Connection(path: path, options: options)
        // No other process reads it, and after a crash it is not needed.
        try connection.execute("PRAGMA journal_mode = OFF")
        return connection
    }
}

/// A spilled run, read in pages of 256 tiles.
private struct SpilledRun: GridRun {
    private let connection: Connection
    // Keeps the files while they are read.
    private let folder: TemporaryFolder
    private var page: [(tile: UInt64, log: [UInt8])] = []
    private var position = 0

    private static let pageTiles = 256

    init(connection: Connection, folder: TemporaryFolder) throws {
        self.connection = connection
        self.folder = folder
        try readPage(after: -1)
    }

    var nextTile: UInt64? {
        position < page.count ? page[position].tile : nil
    }

    mutating func takeLog() throws -> [UInt8] {
        let log = page[position].log
        position += 1
        if position == page.count { try readPage(after: Int64(page[position - 1].tile)) }
        return log
    }

    private mutating func readPage(after key: Int64) throws {
        position = 0
        page = try connection.rows(
            "SELECT key, data FROM run WHERE key > $1 ORDER BY key LIMIT $2", [.integer(key), .integer(Self.pageTiles)]
        ) { (UInt64($0.integer(0)), $0.blob(1)) }
    }
}
