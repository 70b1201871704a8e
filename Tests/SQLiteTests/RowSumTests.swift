import Database
import Digest
import Files
import Testing

@testable import SQLite

@Suite struct RowSumTests {
    private let folder: TemporaryFolder
    private let tables = [
        ChecksummedTable("plain", .rowID(bits: 2)), ChecksummedTable("keyed", .column("a")),
        ChecksummedTable("named", .one),
        ChecksummedTable("sqlite_sequence", .one),
    ]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func database(_ name: String) throws -> Connection {
        let connection = try Connection(path: "\(folder.path)/\(name)")
        try connection.execute(
            """
            CREATE TABLE plain (key INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT UNIQUE, number REAL, bytes BLOB);
            CREATE TABLE keyed (a INTEGER, b TEXT, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
            CREATE TABLE named (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
            \(ChecksummedTable.schema);
            """)
        connection.maintainSums(of: tables)
        return connection
    }

    @Test func `sums are updated by every kind of statement`() throws {
        let connection = try database("a")
        func check(_ sql: String, _ values: [Value] = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
            try connection.run(sql, values)
            #expect(try connection.alteredBlocks(of: tables) == [], "\(sql)", sourceLocation: sourceLocation)
        }
        try check(
            "INSERT INTO plain (text, number, bytes) VALUES ('a', 3.0, x'0102'), ('b', 0.5, NULL), (NULL, -0.0, NULL)")
        try check("INSERT INTO plain (text) SELECT 'c' || key FROM plain")
        try check("INSERT OR REPLACE INTO plain VALUES (1, 'b', 1, x'03')")
        try check("INSERT OR IGNORE INTO plain VALUES (1, 'b', 2, x'04')")
        try check("INSERT INTO plain VALUES (1, 'z', 2, NULL) ON CONFLICT (key) DO UPDATE SET number = 7")
        let upsert = "INSERT INTO plain VALUES (1, $1, 2, NULL) ON CONFLICT (key) DO UPDATE SET text = excluded.text"
        try check(upsert, ["replaced"])
        #expect(try connection.returning("\(upsert) RETURNING key", ["returned"]) == 1)
        #expect(try connection.alteredBlocks(of: tables) == [])
        try connection.load(into: "keyed") { try $0([.integer(9), "x", nil]) }
        #expect(try connection.alteredBlocks(of: tables) == [])
        try check("UPDATE plain SET key = key + 100, number = 1e300")
        try check("UPDATE OR IGNORE plain SET text = 'b'")
        try check("UPDATE plain SET bytes = ?", [.blob([UInt8](repeating: 9, count: 100_000))])
        try check("INSERT OR REPLACE INTO keyed VALUES (1, 'x', 1), (1, 'y', 2.5), (2, 'x', x'')")
        try check("INSERT OR REPLACE INTO keyed VALUES (1, 'x', NULL)")
        try check("UPDATE keyed SET a = 3 WHERE b = 'x' AND a = 2")
        try check("INSERT INTO named VALUES ('n', 1)")
        try check("DELETE FROM plain WHERE key % 2 = 0")
        try check("DELETE FROM plain")
        try check("DELETE FROM keyed")
        #expect(try connection.integer("SELECT count(*) FROM row_sum WHERE name IN ('plain', 'keyed')") == 0)
    }

    @Test func `rows that a transaction inserts and deletes again leave no sum`() throws {
        let connection = try database("a")
        try connection.transaction {
            try connection.run("INSERT INTO plain (key, text) VALUES (400, 'a')")
            try connection.run("DELETE FROM plain WHERE key = 400")
        }
        #expect(try connection.alteredBlocks(of: tables) == [])
        #expect(try connection.integer("SELECT count(*) FROM row_sum WHERE name = 'plain'") == 0)
        // As earlier versions left it.
        try connection.run("INSERT INTO row_sum VALUES ('plain', 100, 0, 0)")
        #expect(try connection.alteredBlocks(of: tables) == [])
        try connection.run("INSERT INTO plain (key, text) VALUES (401, 'a')")
        #expect(try connection.alteredBlocks(of: tables) == [])
    }

    @Test func `a rollback changes no sum`() throws {
        let connection = try database("a")
        try connection.run("INSERT INTO named VALUES ('a', 1)")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO named VALUES ('b', 2)")
                throw Stop()
            }
        }
        #expect(throws: StoreError.self) { try connection.run("INSERT INTO named VALUES ('b', 2), ('a', 3)") }
        try connection.run("INSERT INTO named VALUES ('c', 3)")
        #expect(try connection.alteredBlocks(of: tables) == [])
        try connection.execute("INSERT INTO named VALUES ('d', 4)")
        #expect(try connection.alteredBlocks(of: tables) == [])
    }

    @Test func `tables emptied by deleteAll have no sums`() throws {
        let connection = try database("a")
        try connection.transaction {
            try connection.run("INSERT INTO keyed VALUES (1, 'x', 1)")
            try connection.deleteAll(from: ["keyed", "named"])
            try connection.run("INSERT INTO keyed VALUES (2, 'x', 1)")
        }
        #expect(try connection.alteredBlocks(of: tables) == [])
        #expect(try connection.integer("SELECT count(*) FROM row_sum WHERE name = 'keyed'") == 1)
    }

    @Test func `several connections maintain the sums, and a change without them is detected`() throws {
        let first = try database("a")
        let second = try Connection(path: first.path)
        second.maintainSums(of: tables)
        try first.run("INSERT INTO plain (text) VALUES ('a')")
        try second.run("INSERT INTO plain (text) VALUES ('b')")
        try first.run("DELETE FROM plain WHERE text = 'b'")
        #expect(try first.alteredBlocks(of: tables) == [])
        try Connection(path: first.path).run("INSERT INTO plain (text) VALUES ('c')")
        #expect(try first.alteredBlocks(of: tables).map(\.table) == ["plain", "sqlite_sequence"])
    }

    @Test func `every bit of every length changes a checksum`() {
        for length in 0..<130 {
            var bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37) }
            func checksum() -> UInt64 {
                var checksum = Checksum64(seed: 5)
                checksum.update(bytes.span)
                return checksum.value
            }
            let sound = checksum()
            var seen: Set<UInt64> = [sound]
            for place in 0..<length {
                for bit in 0..<8 {
                    bytes[place] ^= 1 << UInt8(bit)
                    seen.insert(checksum())
                    bytes[place] ^= 1 << UInt8(bit)
                }
            }
            #expect(seen.count == 1 + length * 8)
            bytes.append(0)
            #expect(checksum() != sound)
        }
    }
}
