import Database
import Foundation
import Locking
import PostgreSQL
import TestPostgreSQL
import Testing

private func kind(_ body: () throws -> Void) -> StoreError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.kind
    }
}

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct SessionTests {
    @Test(arguments: Speed.allCases)
    func `values come back as they were given, with their nulls and limits`(speed: Speed) throws {
        let session = try Fixture(speed).session()
        let rows: [[Value]] = [
            [.integer(Int64.max), .real(-0.1), .text("Zürich 👟"), .blob([0, 255, 1])],
            [.integer(Int64.min), .real(.greatestFiniteMagnitude), .text(""), .blob([])],
            [.integer(0), nil, nil, nil],
            [.integer(1), .integer(7), .integer(-12), .blob([UInt8](repeating: 9, count: 300_000))],
        ]
        for row in rows { try session.run(Fixture.insertion, row) }
        let found = try session.rows("SELECT key, number, name, data FROM item ORDER BY key") { row in
            #expect(row.columnCount == 4)
            return [
                Value.integer(row.integer(0)), row.isNull(1) ? .null : .real(row.real(1)),
                .text(orNull: row.textOrNil(2)),
                row.isNull(3) ? .null : .blob(row.blob(3)),
            ]
        }
        let expected: [[Value]] = [rows[1], rows[2], [.integer(1), .real(7), .text("-12"), rows[3][3]], rows[0]]
        #expect(found == expected)
        #expect(try session.integer("SELECT name FROM item WHERE key = 1") == -12)
        #expect(
            try session.first("SELECT key FROM item WHERE key = $1", [.integer(Int64.max)]) { $0.text(0) }
                == "\(Int64.max)")
        #expect(try session.first("SELECT data FROM item WHERE key = 0") { $0.withBlob(0) { $0.count } } == 0)
        // What SQLite stores as NULL, and what a text of PostgreSQL cannot contain.
        try session.run("UPDATE item SET number = $1, name = $2 WHERE key = 0", [.real(.nan), .text("a\0b")])
        let stored = try session.first("SELECT number, name FROM item WHERE key = 0") { ($0.isNull(0), $0.text(1)) }
        #expect(stored ?? (false, "") == (true, "a\u{FFFD}b"))
        // A value of another type than its parameter is an error, not another value.
        #expect(kind { try session.run(Fixture.insertion, [.text("1"), nil, nil, nil]) } == .other)
        #expect(try session.integer("SELECT count(*) FROM item") == 4)
    }

    @Test(arguments: Speed.allCases)
    func `other statements can run while rows are read, and reading can end early`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(5000)
        let session = fixture.session()
        var sum: Int64 = 0
        try session.transaction(.snapshot) {
            try session.forEachWhile("SELECT key FROM item ORDER BY key", []) { row in
                let key = row.integer(0)
                sum += try session.integer("SELECT key + 1 FROM item WHERE key = $1", [.integer(key)]) ?? 0
                // The row is still that of the outer statement.
                #expect(row.integer(0) == key)
                return key < 2999
            }
            #expect(try session.integer("SELECT count(*) FROM item") == 5000)
            #expect(try session.first("SELECT key FROM item ORDER BY key DESC") { $0.integer(0) } == 4999)
        }
        #expect(sum == 3000 * 3001 / 2)
        struct Stop: Error {}
        #expect(throws: Stop.self) { try session.forEach("SELECT key FROM item") { _ in throw Stop() } }
        #expect(try session.integer("SELECT count(*) FROM item") == 5000)
    }

    @Test(arguments: Speed.allCases)
    func `rows are loaded at once, or not at all`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(10_000)
        let session = fixture.session()
        #expect(try session.integer("SELECT CAST(sum(key) AS BIGINT) FROM item") == 9999 * 5000)
        #expect(
            try session.first("SELECT number, name, data FROM item WHERE key = 300") {
                ($0.real(0), $0.text(1), $0.blob(2))
            }
                ?? (0, "", []) == (300, "n300", [44]))
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try fixture.writer().load(into: "item") { add in
                for key in 20_000..<29_000 { try add([.integer(key), nil, nil, nil]) }
                throw Stop()
            }
        }
        // A row that exists already.
        let writer = fixture.writer()
        #expect(
            kind {
                try writer.load(into: "item") { add in
                    for key in [30_000, 5] as [Int64] { try add([.integer(key), nil, nil, nil]) }
                }
            } == .other)
        #expect(try session.integer("SELECT count(*) FROM item") == 10_000)
        try writer.load(into: "item") { try $0([.integer(30_000 as Int64), nil, nil, nil]) }
        #expect(try session.integer("SELECT count(*) FROM item") == 10_001)
        #expect(try session.integer("SELECT revision FROM state") == 2)
    }

    @Test(arguments: Speed.allCases)
    func `changed rows are counted, and numbers returned`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(100)
        let session = fixture.writer()
        try session.run("UPDATE item SET name = 'x' WHERE key < $1", [.integer(7)])
        #expect(session.changedRows == 7)
        _ = try session.integer("SELECT count(*) FROM item")
        #expect(session.changedRows == 7)
        let conflict = "INSERT INTO item VALUES ($1, NULL, NULL, NULL) ON CONFLICT (key) DO NOTHING RETURNING key"
        #expect(try session.returning(conflict, [.integer(5)]) == nil)
        #expect(session.changedRows == 0)
        #expect(try session.returning(conflict, [.integer(500)]) == 500)
        let before = try session.integer("SELECT revision FROM state")
        try session.transaction {
            try session.batch((0..<200).map { Query("DELETE FROM item WHERE key = $1", [.integer($0)]) })
            #expect(session.changedRows == 0)
        }
        #expect(try session.integer("SELECT count(*) FROM item") == 1)
        #expect(try session.integer("SELECT revision FROM state") == before.map { $0 + 1 })
        // Nothing is changed: the number of commits stays.
        try session.transaction { try session.run("DELETE FROM item WHERE key = 1") }
        #expect(try session.integer("SELECT revision FROM state") == before.map { $0 + 1 })
    }

    @Test(arguments: Speed.allCases)
    func `statements that are prepared do not accumulate`(speed: Speed) throws {
        let session = try Fixture(speed).session()
        for round in 0..<2 {
            for number in 0..<300 {
                #expect(
                    try session.integer("SELECT \(number) + key FROM (SELECT \(round) AS key) AS k")
                        == Int64(number + round))
            }
        }
        let prepared = try session.integer("SELECT count(*) FROM pg_prepared_statements WHERE name <> ''")
        #expect(try #require(prepared) <= 200)
        #expect(prepared == 0 || speed == .fast)
    }
}

/// Transactions, locks, and what goes wrong.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct SessionTransactionTests {
    @Test(arguments: Speed.allCases)
    func `a snapshot sees one state, and a transaction that fails leaves nothing`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        let (reader, writer) = (fixture.session(), fixture.writer())
        try reader.transaction(.snapshot) {
            #expect(try reader.integer("SELECT count(*) FROM item") == 0)
            try fixture.fill(10)
            #expect(try reader.integer("SELECT count(*) FROM item") == 0)
        }
        #expect(try reader.integer("SELECT count(*) FROM item") == 10)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try writer.transaction {
                try writer.run("DELETE FROM item")
                throw Stop()
            }
        }
        #expect(try reader.integer("SELECT count(*) FROM item") == 10)
        // An error that the caller ignores is not committed over.
        let failed = kind {
            try writer.transaction {
                try writer.run("DELETE FROM item")
                try? writer.run("SELECT 1 FROM nothing")
            }
        }
        #expect(failed == .other)
        #expect(try reader.integer("SELECT count(*) FROM item") == 10)
        #expect(kind { try reader.transaction(.snapshot) { try reader.run("DELETE FROM item") } } == .cannotOpen)
        #expect(try reader.integer("SELECT count(*) FROM item") == 10)
    }

    @Test(arguments: Speed.allCases)
    func `a change that fails is reported at the latest by the commit, which then does nothing`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(3)
        let (session, reader) = (fixture.writer(), fixture.session())
        let insertion = "INSERT INTO item (key) VALUES ($1)"
        for wrong in [Value.integer(2 as Int64), .text("no number")] {
            var failure: StoreError?
            do {
                try session.transaction {
                    for key in 100..<110 { try session.run(insertion, [.integer(key)]) }
                    try session.run(insertion, [wrong])
                }
            } catch let error as StoreError {
                failure = error
            }
            #expect(failure?.statement == insertion)
            // Also if the caller ignores it.
            #expect(throws: StoreError.self) {
                try session.transaction {
                    for key in 100..<110 { try session.run(insertion, [.integer(key)]) }
                    try? session.run(insertion, [wrong])
                    _ = session.changedRows
                    _ = try? session.integer("SELECT count(*) FROM item")
                    _ = try? session.integer("SELECT count(*) FROM item")
                }
            }
            #expect(try reader.integer("SELECT count(*) FROM item") == 3)
        }
        try session.transaction {
            for key in 100..<300 { try session.run(insertion, [.integer(key)]) }
            // What was queued is there for the next statement.
            #expect(try session.integer("SELECT count(*) FROM item") == 203)
            try session.run("DELETE FROM item WHERE key < $1", [.integer(150)])
            #expect(session.changedRows == 53)
        }
        #expect(try reader.integer("SELECT count(*) FROM item") == 150)
    }

    @Test(arguments: Speed.allCases)
    func `one writes at a time, others wait for the time that they are given`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        let (first, second) = (fixture.writer(), fixture.writer(lockMilliseconds: 50))
        try first.transaction {
            #expect(kind { try second.transaction {} } == .busy)
            #expect(kind { try second.run("DELETE FROM item") } == .busy)
        }
        try second.transaction { try second.run("DELETE FROM item") }
    }

    @Test(arguments: Speed.allCases)
    func `errors have the kinds that callers rely on`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        let session = fixture.session()
        #expect(kind { try session.run("SELECT 1 FROM nothing") } == .schemaMismatch)
        #expect(kind { try session.run("SELECT nothing FROM item") } == .schemaMismatch)
        #expect(kind { _ = try session.rows("SELECT CAST(1 AS NUMERIC)") { $0.integer(0) } } == .other)
        try session.run(Fixture.insertion, [.integer(1), nil, nil, nil])
        #expect(kind { try session.run(Fixture.insertion, [.integer(1), nil, nil, nil]) } == .other)
        var options = SessionOptions(location: "postgresql:///x?host=/nowhere", name: "test")
        options.accelerations = speed.accelerations
        #expect(kind { try PostgreSQLSession(options).run("SELECT 1") } == .cannotOpen)
        do {
            try session.run("SELECT 1 FROM nothing WHERE $1 = 'secret'", [.text("value")])
        } catch let error as StoreError {
            #expect(error.code == "PostgreSQL 42P01")
            #expect("\(error)".contains("nothing") && !"\(error)".contains("value"))
        }
    }

    @Test(arguments: Speed.allCases)
    func `a lost connection is made anew outside transactions`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(3)
        let (session, other) = (fixture.session(), fixture.session())
        func terminate() throws {
            // Its own process is another one after each time.
            try other.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
            while try other.integer(
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
                != 0
            {}
        }
        let count = "SELECT count(*) FROM item WHERE key >= $1"
        #expect(try session.integer(count, [0]) == 3)
        try terminate()
        #expect(try session.integer(count, [0]) == 3)
        try terminate()
        #expect(try session.transaction(.snapshot) { try session.integer(count, [1]) } == 2)
        let failed = kind {
            try session.transaction {
                try session.run("DELETE FROM item")
                try terminate()
                try session.run("DELETE FROM item WHERE key = 1")
            }
        }
        #expect(failed == .cannotOpen)
        #expect(try session.integer(count, [0]) == 3)
        try terminate()
        // A transaction begins anew, because nothing of it is lost.
        try session.transaction { try session.run("DELETE FROM item") }
        #expect(try session.integer(count, [0]) == 0)
    }

    @Test(arguments: Speed.allCases)
    func `a running statement can be stopped`(speed: Speed) throws {
        let session = try Fixture(speed).session()
        #expect(session.cancellation() == nil)
        _ = try session.integer("SELECT 1")
        let cancellation = try #require(session.cancellation())
        let isEnded = Locked(false)
        let thread = Thread {
            while !isEnded.withLock({ $0 }) {
                _ = cancellation.cancel()
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        thread.start()
        #expect(kind { try session.run("SELECT pg_sleep(100)") } == .busy)
        isEnded.withLock { $0 = true }
    }

    @Test func `changes are announced`() throws {
        let fixture = try Fixture(.fast)
        let (session, other) = (fixture.session(), fixture.session())
        #expect(throws: StoreError.self) { try session.announcements() }
        try session.listen("Items")
        #expect(try session.announcements() == [])
        // No connection is made for an announcement.
        _ = try other.integer("SELECT 1 AS one")
        other.announce(PostgreSQLSession.announcement("it's new", on: "Items"))
        var heard: [String] = []
        for _ in 0..<500 where heard.isEmpty {
            heard = try session.announcements()
            if heard.isEmpty { Thread.sleep(forTimeInterval: 0.02) }
        }
        #expect(heard == ["it's new"])
    }

    @Test(arguments: Speed.allCases)
    func `the end of a snapshot is not waited for, and the next one sees what was committed meanwhile`(speed: Speed)
        throws
    {
        let fixture = try Fixture(speed)
        let (session, writer) = (fixture.session(), fixture.writer())
        for round in 0..<20 {
            let count = try session.transaction(.snapshot) { try session.integer("SELECT count(*) FROM item") }
            #expect(count == Int64(round))
            try writer.run(Fixture.insertion, [.integer(round), .real(1), .text("a"), .blob([])])
        }
        // A transaction that is still open would keep its snapshot.
        let open = "SELECT count(*) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()"
        let other = fixture.session()
        var found: Int64? = 1
        for _ in 0..<100 where found != 0 { found = try other.integer(open + " AND datname = current_database()") }
        #expect(found == 0)
    }

    @Test func `a lock of a row is held until it is released, or its process has ended`() throws {
        let fixture = try Fixture(.fast)
        func lock() throws -> RowLock? {
            try RowLock(fixture.options, Query("SELECT revision FROM state FOR UPDATE SKIP LOCKED"))
        }
        var held = try lock()
        #expect(held != nil)
        #expect(try lock() == nil)
        held = nil
        held = try lock()
        #expect(held != nil)
    }

    @Test func `a commit that no standby has confirmed is a failure`() throws {
        let server = try PostgreSQLServer.separate(["synchronous_standby_names=nobody"])
        let session = PostgreSQLSession(SessionOptions(location: server.location(database: "postgres"), name: "test"))
        // Each in a transaction of its own.
        for statement in [
            "SET synchronous_commit = local", "CREATE TABLE item (key BIGINT)", "SET synchronous_commit = on",
        ] {
            try session.execute([statement])
        }
        let cancellation = try #require(session.cancellation())
        let isEnded = Locked(false)
        var failure: StoreError?
        do {
            try session.begin(.writing)
            try session.run("INSERT INTO item VALUES (1)")
            Thread.detachNewThread {
                // The commit waits for the standby until it is stopped; the statement above is not stopped.
                while !isEnded.withLock({ $0 }) {
                    Thread.sleep(forTimeInterval: 0.1)
                    _ = cancellation.cancel()
                }
            }
            try session.commit()
        } catch let error as StoreError {
            failure = error
        }
        isEnded.withLock { $0 = true }
        #expect(failure?.message.contains("synchronous replication") == true)
        #expect(!session.isInTransaction)
    }
}
