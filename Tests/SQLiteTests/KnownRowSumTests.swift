import Database
import Digest
import Files
import Testing

@testable import SQLite

/// Sums of rows that libraries contain: another value would report every library as damaged.
@Suite struct KnownRowSumTests {
    @Test func `The sums of rows keep their values`() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.path + "/known")
        try connection.execute(
            """
            CREATE TABLE plain (key INTEGER PRIMARY KEY, text TEXT, number REAL, bytes BLOB);
            CREATE TABLE named (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
            \(ChecksummedTable.schema);
            """)
        connection.maintainSums(of: [ChecksummedTable("plain", .rowID(bits: 2)), ChecksummedTable("named", .one)])
        try connection.run("INSERT INTO named VALUES ('a', 1), ('b', NULL)")
        try connection.run("INSERT INTO plain VALUES (3, 'text', 0.5, x'0102')")
        var found: [[String]] = []
        try connection.forEach("SELECT name, block, rows, sum FROM row_sum ORDER BY name") { row in
            found.append((0..<4).map { row.text($0) })
        }
        #expect(found == [["named", "0", "2", "3942022008439994448"], ["plain", "0", "1", "1535034027788402314"]])
    }
}
