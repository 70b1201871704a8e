import Database
import Files
import Foundation
import SQLite
import SQLiteStorage
import Testing

/// `Database.fill`: large first writes without a write-ahead log.
struct FillTests {
    private let folder: TemporaryFolder
    private let database: any Database

    init() throws {
        folder = try TemporaryFolder()
        database = try SQLiteStorage(folder: folder.path).database(.grid, isReadOnly: false)
        try database.recreate()
    }

    /// More rows than the cache of a writer holds, so that pages are written before the end.
    private static func write(_ session: any Session) throws {
        let blob = [UInt8](repeating: 7, count: 8000)
        try session.load(into: "line_rasters") { add in
            for key in 0..<12_000 { try add([.integer(key), .blob(blob)]) }
        }
    }

    private func rows() throws -> Int64? {
        try database.snapshot { try $0.integer("SELECT count(*) FROM line_rasters") }
    }

    private func journal() throws -> String? {
        let connection = try Connection(path: database.name, options: OpenOptions(mode: .readOnly))
        return try connection.first("PRAGMA journal_mode", []) { $0.text(0) }
    }

    @Test("alone, nothing is written to a log, which is used again afterwards")
    func alone() throws {
        var logBytes: Int64 = -1
        try database.fill { session in
            try session.transaction { try Self.write(session) }
            logBytes = FileStatus.ifExists(of: database.name + "-wal").map { Int64($0.byteCount) } ?? 0
        }
        #expect(logBytes == 0)
        #expect(try rows() == 12_000)
        #expect(try journal() == "wal")
    }

    @Test("beside a reader of another process, a log is written, and the reader does not wait")
    func besideReader() throws {
        let other = try SQLiteStorage(folder: folder.path).database(.grid, isReadOnly: false)
        #expect(try other.snapshot { try $0.integer("SELECT count(*) FROM line_rasters") } == 0)
        try database.fill { session in
            try session.transaction {
                try session.run("INSERT INTO line_rasters VALUES ($1, $2)", [.integer(1), .blob([1])])
                #expect(try other.snapshot { try $0.integer("SELECT count(*) FROM line_rasters") } == 0)
            }
        }
        #expect(try other.snapshot { try $0.integer("SELECT count(*) FROM line_rasters") } == 1)
        #expect(try journal() == "wal")
    }

    @Test("what fails leaves the database as it was")
    func failure() throws {
        struct Interrupted: Error {}
        #expect(throws: Interrupted.self) {
            try database.fill { session in
                try session.transaction {
                    try Self.write(session)
                    throw Interrupted()
                }
            }
        }
        #expect(try rows() == 0)
        #expect(try journal() == "wal")
        #expect(try database.snapshot { try $0.integrityProblems() }.isEmpty)
    }

    @Test("a reader that comes meanwhile waits for the end")
    func lateReader() async throws {
        let path = folder.path
        let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let found = FoundRows()
        Thread.detachNewThread {
            started.wait()
            let database = try? SQLiteStorage(folder: path).database(.grid, isReadOnly: false)
            found.rows = try? database?.snapshot { try $0.integer("SELECT count(*) FROM line_rasters") } ?? nil
            done.signal()
        }
        try database.fill { session in
            try session.transaction {
                try Self.write(session)
                started.signal()
                // The other thread is waiting by then; if it is not yet, it comes after the end, and the result is the same.
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
        done.wait()
        #expect(found.rows == 12_000)
    }

    /// Written by one thread before it signals, read by another after it waited.
    private final class FoundRows: @unchecked Sendable {
        var rows: Int64??
    }
}
