import Database
import Locking
import TileLog

/// Stores runs that do not fit in memory in temporary databases, which are deleted with this object.
final class GridSpill: Sendable {
    private struct State: Sendable {
        var runs: [any TemporaryDatabase] = []
        var byteCount = 0
    }

    private let storage: any LibraryStorage
    private let state = Locked(State())

    /// Spills to the disk of a library.
    init(in storage: any LibraryStorage) {
        self.storage = storage
    }

    /// Bytes of the spilled logs.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Writes a whole run.
    func write(_ run: inout some GridRun) throws {
        let database = try storage.temporaryDatabase(.run)
        let session = try database.session()
        var bytes = 0
        try session.transaction {
            try session.load(into: "run") { add in
                while let tile = run.nextTile {
                    let log = try run.takeLog()
                    bytes += log.count
                    try add([.integer(Int64(tile)), .blob(log)])
                }
            }
        }
        let written = bytes
        state.withLock { state in
            state.runs.append(database)
            state.byteCount += written
        }
    }

    /// All runs written so far, from their beginning.
    func runs() throws -> [any GridRun] {
        try state.withLock { $0.runs }.map { try SpilledRun($0) }
    }
}

/// A spilled run, read in pages of 256 tiles.
private struct SpilledRun: GridRun {
    private let session: any Session
    // Keeps the data while it is read.
    private let database: any TemporaryDatabase
    private var page: [(tile: UInt64, log: [UInt8])] = []
    private var position = 0

    private static let pageTiles = 256

    init(_ database: any TemporaryDatabase) throws {
        self.database = database
        session = try database.session()
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
        page = try session.rows(
            "SELECT key, data FROM run WHERE key > $1 ORDER BY key LIMIT $2", [.integer(key), .integer(Self.pageTiles)]
        ) { (UInt64($0.integer(0)), $0.blob(1)) }
    }
}
