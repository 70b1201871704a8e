import Database
import Files
import SQLiteStorage
import Testing

@testable import GridStorage

/// How rows of a grid that is built from nothing are written.
struct NewRowsTests {
    @Test func `rows are written when there are many, not only at the end`() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteStorage(folder: folder.path).database(.grid, isReadOnly: false)
        try database.recreate()
        let session = try database.writer()
        let row = [UInt8](repeating: 7, count: 1 << 20)
        try session.transaction {
            let writer = GridWriter(ofEmptyTablesIn: session)
            func stored() throws -> Int64? { try session.integer("SELECT count(*) FROM logs") }
            for key in Int64(0)..<4 { try writer.write(row, .logs, key) }
            #expect(try stored() == 0)
            for key in Int64(4)..<20 { try writer.write(row, .logs, key) }
            // At most 8 MiB wait.
            let written = try #require(try stored())
            #expect(written >= 12 && written < 20)
            try writer.finish()
            #expect(try stored() == 20)
        }
    }
}
