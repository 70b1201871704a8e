import Database
import Files
import SQLite
import Testing

struct SQLiteTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/test.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `Values are read back as they were bound`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a, b, c, d, e)")
        let values: [Value] = [.integer(Int64.min), .real(0.1), .text("hëllo\u{0}x"), .blob([0, 255]), .null]
        try connection.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        let back = try connection.first("SELECT * FROM t") { row -> [Value] in
            #expect(row.isNull(4))
            #expect(row.textOrNil(4) == nil)
            #expect(row.withBlob(3) { $0.count } == 2)
            #expect(row.withBlob(4) { $0.count } == 0)
            return [.integer(row.integer(0)), .real(row.real(1)), .text(row.text(2)), .blob(row.blob(3)), .null]
        }
        #expect(back == values)
    }

    @Test func `An empty blob and an empty text are not NULL`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a, b)")
        try connection.run("INSERT INTO t VALUES (?, ?)", [.blob([]), .text("")])
        #expect(
            try connection.integer("SELECT count(*) FROM t WHERE a IS NOT NULL AND typeof(a) = 'blob' AND b = ''") == 1)
    }

    @Test func `A statement can run while the same statement is being read`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
        var pairs = 0
        try connection.forEach("SELECT a FROM t") { _ in
            try connection.forEach("SELECT a FROM t") { _ in pairs += 1 }
        }
        #expect(pairs == 9)
    }

    @Test func `A statement left early does not hold its lock`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        struct Stop: Error {}
        #expect(throws: Stop.self) { try connection.forEach("SELECT a FROM t") { _ in throw Stop() } }
        #expect(try connection.first("SELECT a FROM t") { $0.integer(0) } == 1)
        #expect(try connection.checkpointTruncating())
    }

    @Test func `A transaction that throws is rolled back`() throws {
        struct Stop: Error {}
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        #expect(!connection.isInTransaction)
    }

    @Test func `A numbered parameter may appear several times`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 1), (1, 2), (2, 1)")
        #expect(
            try connection.integer("SELECT count(*) FROM t WHERE a = $1 AND b = $2 AND a + b = $1 + $2", [1, 2]) == 1)
    }

    @Test func `RETURNING gives the number of the inserted row, once, and nothing if none was inserted`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (number INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE log (a)")
        try connection.execute(
            "CREATE TRIGGER tried BEFORE INSERT ON t BEGIN INSERT INTO log VALUES (new.name); END")
        let sql = "INSERT INTO t (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING number"
        #expect(try connection.returning(sql, ["a"]) == 1)
        #expect(try connection.inserted(sql, ["b"]) == 2)
        #expect(try connection.returning(sql, ["a"]) == nil)
        #expect(throws: StoreError.self) { try connection.inserted(sql, ["b"]) }
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
        #expect(try connection.integer("SELECT count(*) FROM log") == 4)
    }

    @Test func `Rows are loaded together, and statements run in their order`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try connection.transaction {
            try connection.load(into: "t") { add in
                for number in 0..<1000 { try add([.integer(number), .blob([UInt8](repeating: 1, count: number))]) }
            }
        }
        #expect(try connection.integer("SELECT sum(length(b)) FROM t") == 499_500)
        #expect(throws: StoreError.self) { try connection.load(into: "t") { add in try add([.integer(5), nil]) } }
        try connection.batch([
            Query("DELETE FROM t WHERE a >= $1", [.integer(3)]), Query("UPDATE t SET a = a + 10"),
            Query("INSERT INTO t VALUES ($1, $2)", [.integer(1), "x"]),
        ])
        #expect(try connection.rows("SELECT a FROM t ORDER BY a") { $0.integer(0) } == [1, 10, 11, 12])
    }

    @Test func `An error contains the statement but no values`() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", ["secret"])
        let error = #expect(throws: StoreError.self) {
            try connection.run("INSERT INTO t VALUES (?)", ["secret"])
        }
        #expect(error?.statement == "INSERT INTO t VALUES (?)")
        #expect(error?.description.contains("secret") == false)
        #expect(error?.code == "SQLite 2067")
    }

    @Test func `A file that is not a database is reported`() throws {
        try AtomicFile.write(Array(repeating: 65, count: 5000), to: path)
        let error = #expect(throws: StoreError.self) { try Connection(path: path) }
        #expect(error?.kind == .damaged)
    }

    @Test func `A reader does not create a missing file`() throws {
        let error = #expect(throws: StoreError.self) {
            try Connection(path: path, options: OpenOptions(mode: .readOnly))
        }
        #expect(error?.kind == .cannotOpen)
        #expect(FileStatus.ifExists(of: path) == nil)
    }

    @Test func `A reader keeps its snapshot while others write`() throws {
        let writer = try Connection(path: path)
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let pool = ReaderPool(path: path)
        try pool.read { reader in
            #expect(try reader.integer("SELECT count(*) FROM t") == 1)
            try writer.run("INSERT INTO t VALUES (2)")
            #expect(try reader.integer("SELECT count(*) FROM t") == 1)
            let seenByOther = try pool.read { try $0.integer("SELECT count(*) FROM t") }
            #expect(seenByOther == 2)
        }
        let seenLater = try pool.read { try $0.integer("SELECT count(*) FROM t") }
        #expect(seenLater == 2)
    }

    @Test func `A reader cannot write`() throws {
        try Connection(path: path).execute("CREATE TABLE t (a)")
        #expect(throws: StoreError.self) {
            try ReaderPool(path: path).read { try $0.run("INSERT INTO t VALUES (1)") }
        }
    }

    @Test func `The data version rises when another connection commits`() throws {
        let first = try Connection(path: path)
        try first.execute("CREATE TABLE t (a)")
        let second = try Connection(path: path)
        let before = try second.dataVersion()
        try first.run("INSERT INTO t VALUES (1)")
        #expect(try second.dataVersion() != before)
    }

    @Test func `The busy timeout is respected`() throws {
        let holder = try Connection(path: path)
        try holder.execute("CREATE TABLE t (a)")
        var options = OpenOptions()
        options.busyMilliseconds = 1
        let waiting = try Connection(path: path, options: options)
        try holder.transaction {
            let error = #expect(throws: StoreError.self) { try waiting.begin(.writing) }
            #expect(error?.kind == .busy)
        }
        try waiting.transaction {}
    }

    @Test func `Page size and schema numbers are as set`() throws {
        var options = OpenOptions()
        options.pageBytes = 16_384
        let connection = try Connection(path: path, options: options)
        try connection.setApplicationID(77)
        try connection.setUserVersion(3)
        try connection.execute("CREATE TABLE t (a)")
        #expect(try connection.integer("PRAGMA page_size") == 16_384)
        #expect(try connection.applicationID() == 77)
        #expect(try connection.userVersion() == 3)
        #expect(try connection.tableCount() == 1)
        #expect(try connection.integrityProblems().isEmpty)
    }
}
