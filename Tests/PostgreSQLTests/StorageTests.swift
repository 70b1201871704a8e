import Database
import Files
import Foundation
import PostgreSQL
import PostgreSQLStorage
import SQLiteStorage
import TestPostgreSQL
import Testing

/// The storage of a library in a database of its own.
private func library(_ database: PostgreSQLDatabase, _ speed: Speed = .fast, schema: String = "rides") throws
    -> PostgreSQLStorage
{
    PostgreSQLStorage(
        try PostgreSQLLocation("\(database.location)&schema=\(schema)"), accelerations: speed.accelerations)
}

private func plainSession(_ database: PostgreSQLDatabase, schema: String) -> PostgreSQLSession {
    var options = SessionOptions(location: database.location, name: "test")
    options.schema = schema
    return PostgreSQLSession(options)
}

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct StorageTests {
    private let server: PostgreSQLDatabase

    init() throws {
        server = try PostgreSQLServer.shared().makeDatabase()
    }

    @Test func `a location has a schema, and never shows a password`() throws {
        let plain = try PostgreSQLLocation("postgresql://db.example/rides")
        #expect(plain.schema == "tileserve")
        #expect(plain.connection == "postgresql://db.example/rides")
        let full = try PostgreSQLLocation(
            "postgres://me:s3cret@a,b:5433/rides?sslmode=require&schema=town_2&password=s3cret")
        #expect(full.schema == "town_2")
        #expect(full.connection == "postgres://me:s3cret@a,b:5433/rides?sslmode=require&password=s3cret")
        #expect(full.name == "postgres://me@a,b:5433/rides?sslmode=require&schema=town_2")
        for wrong in ["", "a-b", "1a", "a%20b", String(repeating: "a", count: 59)] {
            #expect(throws: StoreError.self) { try PostgreSQLLocation("postgresql:///x?schema=\(wrong)") }
        }
        #expect(PostgreSQLLocation.isLocation("postgresql:///x") && !PostgreSQLLocation.isLocation("/postgresql:/x"))
    }

    @Test(arguments: Speed.allCases)
    func `the tables are created once, and have the content of new tables in SQLite`(speed: Speed) throws {
        let storage = try library(server, speed)
        let folder = try TemporaryFolder()
        let files = SQLiteStorage(folder: folder.path)
        for kind in [DatabaseKind.tracks, .grid] {
            #expect(!storage.exists(kind) && !storage.hasContent(kind))
            let database = try storage.database(kind, isReadOnly: false)
            let writer = try database.writer()
            #expect(try database.schemaState(in: writer) == .empty)
            try database.upgradeTables(in: writer)
            try database.upgradeTables(in: try storage.database(kind, isReadOnly: false).writer())
            #expect(try database.schemaState(in: writer) == .current)
            #expect(storage.exists(kind))
            let other = try files.database(kind, isReadOnly: false)
            if kind == .grid { try other.recreate() } else { try other.upgradeTables(in: other.writer()) }
            let tables = try other.snapshot { session in
                try session.rows(
                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('row_sum', 'sqlite_sequence')"
                ) { $0.text(0) }
            }
            #expect(tables.count > 15)
            for table in tables {
                let sql = "SELECT count(*) FROM \(table)"
                #expect(
                    try database.snapshot { try $0.integer(sql) } == other.snapshot { try $0.integer(sql) }, "\(table)")
            }
            #expect(try database.snapshot { try $0.integrityProblems() } == [])
        }
        #expect(!storage.isReadOnly)
    }

    @Test func `several processes may create the tables at once`() async throws {
        let location = try PostgreSQLLocation(server.location)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try PostgreSQLStorage(location).database(.tracks, isReadOnly: false)
                    try database.upgradeTables(in: database.writer())
                }
            }
            try await group.waitForAll()
        }
        let database = try PostgreSQLStorage(location).database(.tracks, isReadOnly: false)
        #expect(try database.snapshot { try database.schemaState(in: $0) } == .current)
        #expect(try database.snapshot { try $0.integer("SELECT count(*) FROM reward") } == 5)
    }

    @Test func `tables of other versions and of other programs are recognised`() throws {
        let storage = try library(server)
        for kind in [DatabaseKind.tracks, .grid] {
            let schema = kind == .tracks ? "rides" : "rides_grid"
            let version = kind == .tracks ? LibraryTables.tracksVersion : LibraryTables.gridVersion
            let database = try storage.database(kind, isReadOnly: false)
            try database.recreate()
            let session = plainSession(server, schema: schema)
            func state() throws -> SchemaState { try database.snapshot { try database.schemaState(in: $0) } }
            try session.run("UPDATE library_state SET version = $1", [.integer(version + 1)])
            #expect(try state() == .newer(version + 1))
            #expect(throws: SchemaMismatch.self) { try database.upgradeTables(in: database.writer()) }
            try session.run("UPDATE library_state SET version = $1", [.integer(version - 1)])
            #expect(try state() == .older(version - 1))
            try session.run("UPDATE library_state SET version = $1", [.integer(version)])
            #expect(try state() == .current)
            try session.execute(["ALTER TABLE meta ADD COLUMN more BIGINT"])
            // Tables that were upgraded may have another form than new ones.
            #expect(try state() == (kind == .tracks ? .current : .altered))
            try database.recreate()
            #expect(try state() == .current)
        }
        let foreign = plainSession(server, schema: "others")
        try foreign.execute(["CREATE SCHEMA others", "CREATE TABLE others.thing (key BIGINT)"])
        let database = try library(server, schema: "others").database(.tracks, isReadOnly: false)
        #expect(try database.snapshot { try database.schemaState(in: $0) } == .foreign)
        #expect(throws: (any Error).self) { try database.upgradeTables(in: database.writer()) }
        #expect(try foreign.integer("SELECT count(*) FROM thing") == 0)
        // What only old versions in SQLite have is not there to be upgraded, but a step of a later version would be.
        let tracks = try storage.database(.tracks, isReadOnly: false)
        try plainSession(server, schema: "rides").execute([
            "UPDATE library_state SET version = \(LibraryTables.tracksVersion - 1)", "DROP TABLE retention_rule",
        ])
        try tracks.upgradeTables(in: tracks.writer())
        #expect(try tracks.snapshot { try tracks.schemaState(in: $0) } == .current)
        #expect(try tracks.snapshot { try $0.integer("SELECT count(*) FROM retention_rule") } == 0)
    }

    @Test func `rows get the numbers that SQLite would give`() throws {
        let folder = try TemporaryFolder()
        var numbers: [[Int64]] = []
        for storage in [try library(server), SQLiteStorage(folder: folder.path)] as [any LibraryStorage] {
            let database = try storage.database(.tracks, isReadOnly: false)
            let session = try database.writer()
            try database.upgradeTables(in: session)
            var found: [Int64] = []
            func add(_ table: String, _ columns: String, _ values: [Value]) throws {
                let parameters = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
                found.append(
                    try session.inserted(
                        "INSERT INTO \(table) (\(columns)) VALUES (\(parameters)) RETURNING number", values))
            }
            struct Stop: Error {}
            for _ in 0..<2 { try add("import", "time, given", [.integer(1), .text("a")]) }
            try? session.transaction {
                try add("import", "time, given", [.integer(1), .text("lost")])
                throw Stop()
            }
            try add("import", "time, given", [.integer(1), .text("b")])
            try session.run("DELETE FROM import WHERE number = 3")
            try add("import", "time, given", [.integer(1), .text("c")])
            try session.run("INSERT INTO import (number, time, given) VALUES (50, 1, 'd')")
            try add("import", "time, given", [.integer(1), .text("e")])
            try session.run("DELETE FROM import")
            try add("import", "time, given", [.integer(1), .text("f")])
            for name in ["x", "y"] { try add("person", "name", [.text(name)]) }
            try session.run("DELETE FROM person WHERE name = 'y'")
            try add("person", "name", [.text("z")])
            numbers.append(found)
        }
        #expect(numbers[0] == [1, 2, 3, 3, 4, 51, 52, 2, 3, 3])
        #expect(numbers[0] == numbers[1])
    }

    @Test func `texts are compared byte by byte`() throws {
        let database = try library(server).database(.tracks, isReadOnly: false)
        let session = try database.writer()
        try database.upgradeTables(in: session)
        let names = ["b", "a", "B", "é", "z", "Z", "_", "1", "👟", "\u{FFFD}"]
        for name in names { try session.run("INSERT INTO person (name) VALUES ($1)", [.text(name)]) }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(
            try session.rows("SELECT name FROM person WHERE name IS NOT NULL ORDER BY name") { $0.text(0) } == sorted)
        let lines = "SELECT \(session.lines(of: "name")) FROM person"
        #expect(try session.first(lines) { $0.text(0) } == sorted.joined(separator: "\n"))
    }

    @Test(arguments: Speed.allCases)
    func `a commit of any process changes the token, nothing else does`(speed: Speed) throws {
        let database = try library(server, speed).database(.tracks, isReadOnly: false)
        let session = try database.writer()
        try database.upgradeTables(in: session)
        let other = try library(server, speed).database(.tracks, isReadOnly: false)
        var token = try other.changeToken()
        func expectChange(_ isExpected: Bool) throws {
            let before = token
            let end = ContinuousClock.now + .seconds(10)
            let least = ContinuousClock.now + .milliseconds(50)
            repeat {
                token = try other.changeToken()
            } while ContinuousClock.now < (isExpected && token == before ? end : least)
            #expect((token != before) == isExpected)
        }
        try expectChange(false)
        try session.run("INSERT INTO person (name) VALUES ('a')")
        try expectChange(true)
        try session.transaction { _ = try session.integer("SELECT count(*) FROM person") }
        try expectChange(false)
        try session.transaction { try session.load(into: "meta") { try $0([.text("a"), .text("b")]) } }
        try expectChange(true)
        try database.recreate()
        try expectChange(true)
    }

    @Test func `locks exclude other processes until they are released`() throws {
        let (first, second) = (
            try library(server).database(.grid, isReadOnly: false),
            try library(server).database(.grid, isReadOnly: false)
        )
        var held: (any HeldLock)? = try first.lock(.grid)
        #expect(try second.lockIfFree(.grid) == nil)
        #expect(try second.isLocked(.grid) && !second.isLocked(.layers))
        #expect(try second.lockIfFree(.layers) != nil)
        withExtendedLifetime(held) {}
        held = nil
        held = try second.lockIfFree(.grid)
        #expect(held != nil)
        var importing: (any HeldLock)? = try first.lock(.importing("a"))
        #expect(try second.isLocked(.importing("a")) && !second.isLocked(.importing("b")))
        try second.removeAbandonedLocks()
        #expect(try second.isLocked(.importing("a")))
        withExtendedLifetime(importing) {}
        importing = nil
        #expect(try !second.isLocked(.importing("a")))
        // What a killed process leaves: its row.
        let session = plainSession(server, schema: "rides_grid")
        try session.run("INSERT INTO library_lease VALUES ('importing/c', now() - interval '1 second')")
        try session.run("INSERT INTO library_lease VALUES ('importing/d', now() - interval '1 second')")
        #expect(try !second.isLocked(.importing("c")))
        try second.removeAbandonedLocks()
        #expect(try session.integer("SELECT count(*) FROM library_lease") == 0)
    }

    @Test func `a lease is renewed, and one that has run out lets its holder commit nothing`() throws {
        let (first, second) = (
            try library(server).database(.tracks, isReadOnly: false),
            try library(server).database(.tracks, isReadOnly: false)
        )
        try first.upgradeTables(in: first.writer())
        let writer = try first.writer()
        let insertion = "INSERT INTO person (name) VALUES ($1)"
        let held = try first.lock(.importing("a"))
        let admin = plainSession(server, schema: "rides")
        func expire() throws { try admin.run("UPDATE library_lease SET until = now() - interval '1 second'") }
        // Renewed by each commit, and from time to time.
        try expire()
        try writer.run(insertion, [.text("one")])
        #expect(try second.isLocked(.importing("a")))
        // Whoever finds that it has run out takes it away.
        var isTaken = false
        for _ in 0..<100 where !isTaken {
            try expire()
            isTaken = try !second.isLocked(.importing("a"))
        }
        #expect(isTaken)
        #expect(throws: StoreError.self) { try writer.run(insertion, [.text("two")]) }
        #expect(try admin.integer("SELECT count(*) FROM person WHERE name IS NOT NULL") == 1)
        withExtendedLifetime(held) {}
    }

    @Test func `a process whose lock was lost and taken by another one commits nothing`() throws {
        let (first, second) = (
            try library(server).database(.grid, isReadOnly: false),
            try library(server).database(.grid, isReadOnly: false)
        )
        try first.recreate()
        let writer = try first.writer()
        func write(_ key: Int64) throws {
            try writer.run("INSERT INTO logs VALUES ($1, $2)", [.integer(key), .blob([1])])
        }
        let held = try first.lock(.grid)
        try write(1)
        let admin = plainSession(server, schema: "rides_grid")
        // As after a failure of the network: the server gives the lock up, its holder does not know.
        try admin.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE '%library_lock%FOR UPDATE' AND state = 'idle in transaction'
            """)
        // Nobody else has written in the meantime.
        try write(2)
        let other = try second.lock(.grid)
        #expect(throws: StoreError.self) { try write(3) }
        #expect(try second.snapshot { try $0.integer("SELECT count(*) FROM logs") } == 2)
        withExtendedLifetime((held, other)) {}
    }

    @Test func `locks that are released do not prevent later commits`() throws {
        let database = try library(server).database(.grid, isReadOnly: false)
        try database.recreate()
        let writer = try database.writer()
        for key in 0..<3 {
            let held = try database.lock(.grid)
            try writer.run("INSERT INTO logs VALUES ($1, $2)", [.integer(key), .blob([1])])
            withExtendedLifetime(held) {}
        }
        _ = try library(server).database(.grid, isReadOnly: false).lock(.grid)
        try writer.run("DELETE FROM logs")
        #expect(writer.changedRows == 3)
    }

    @Test func `a role needs no more than its schemas, and one that may only read has a read-only library`() throws {
        let admin = plainSession(server, schema: "public")
        let name = "role_\(server.location.hashValue.magnitude)"
        try admin.execute([
            "CREATE ROLE \(name) LOGIN", "CREATE ROLE \(name)_reader LOGIN",
            "CREATE SCHEMA rides AUTHORIZATION \(name)",
            "CREATE SCHEMA rides_grid AUTHORIZATION \(name)", "REVOKE ALL ON SCHEMA public FROM public",
            "GRANT USAGE ON SCHEMA rides TO \(name)_reader",
        ])
        func storage(_ role: String) throws -> PostgreSQLStorage {
            let location = server.location.replacing("user=tileserve", with: "user=\(role)")
            return PostgreSQLStorage(try PostgreSQLLocation(location + "&schema=rides"))
        }
        let owner = try storage(name)
        for kind in [DatabaseKind.tracks, .grid] {
            let database = try owner.database(kind, isReadOnly: false)
            try database.upgradeTables(in: database.writer())
            try database.recreate()
            #expect(try database.snapshot { try database.schemaState(in: $0) } == .current)
        }
        #expect(!owner.isReadOnly)
        try admin.execute(["GRANT SELECT ON ALL TABLES IN SCHEMA rides TO \(name)_reader"])
        let reader = try storage(name + "_reader")
        #expect(reader.isReadOnly)
        let database = try reader.database(.tracks, isReadOnly: true)
        #expect(try database.snapshot { try $0.integer("SELECT count(*) FROM reward") } == 5)
    }

    @Test func `damaged files of the server are found`() throws {
        // With so little memory, what was written is read from the disk again.
        let server = try PostgreSQLServer.separate(["shared_buffers=128kB"])
        let database = try library(server.makeDatabase()).database(.tracks, isReadOnly: false)
        let session = try database.writer()
        try database.upgradeTables(in: session)
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for key in 0..<40 { try session.run("INSERT INTO chunk VALUES ($1, $2)", [.integer(key), .blob(bytes)]) }
        #expect(try database.snapshot { try $0.integrityProblems() } == [])
        // Where values are that are stored apart from their rows.
        let file = try #require(
            try session.first(
                """
                SELECT current_setting('data_directory') || '/' || pg_relation_filepath(reltoastrelid) FROM pg_class
                WHERE oid = CAST('chunk' AS regclass)
                """
            ) { $0.text(0) })
        try #require(session as? PostgreSQLSession).execute(["CHECKPOINT"])
        var pages = try #require(try AtomicFile.read(file))
        for index in 8192..<8392 { pages[index] = 0xA5 }
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.write(contentsOf: Data(pages))
        try handle.close()
        let problems = try database.snapshot { try $0.integrityProblems() }
        #expect(problems.count == 1 && problems[0].hasPrefix("table chunk: invalid page"), "\(problems)")
    }
}
