import Database
import PostgreSQL
import TestPostgreSQL
import Testing

/// Statements that are named before they are run.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct PrefetchingTests {
    @Test(arguments: Speed.allCases)
    func `statements named before they are run have the same rows, and need no further message`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(20)
        var options = fixture.options
        options.roundTrips = RoundTripCounter()
        let session = PostgreSQLSession(options)
        let row = "SELECT name, data FROM item WHERE key = $1"
        let count = "SELECT count(*) FROM item"
        func read() throws -> [String] {
            try session.transaction(.snapshot) {
                try session.prefetch((0..<9).map { Query(row, [.integer($0)]) } + [Query(count), Query(count)])
                var found = try (0..<10).flatMap { key in try session.rows(row, [.integer(key * 3)]) { $0.text(0) } }
                // A reader may stop early, and read again.
                found += [try session.first(row, [.integer(4)]) { $0.text(0) } ?? ""]
                return found + [try session.rows(count) { $0.text(0) }.joined()]
            }
        }
        let expected = [0, 3, 6, 9, 12, 15, 18].map { "n\($0)" } + ["n4", "20"]
        #expect(try read() == expected)
        let before = options.roundTrips.count
        #expect(try read() == expected)
        // The list, and the seven keys that are not in it.
        if speed == .fast { #expect(options.roundTrips.count == before + 8) }
        // Only within the snapshot.
        try fixture.writer().run("DELETE FROM item WHERE key = 4")
        #expect(try session.integer(count) == 19)
        #expect(try read().last == "19")
    }

    @Test(arguments: Speed.allCases)
    func `statements named while rows are read have all their rows`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(20)
        let session = fixture.session()
        let part = "SELECT key FROM item WHERE key % 10 = $1 ORDER BY key"
        for _ in 0..<2 {
            try session.transaction(.snapshot) {
                var seen = 0
                try session.forEach("SELECT key FROM item WHERE key < 5 ORDER BY key") { row in
                    #expect(row.integer(0) == Int64(seen))
                    // libpq reads the rows of this statement one by one, and keeps to that.
                    try session.prefetch([Query(part, [.integer(seen)]), Query(part, [.integer(seen + 5)])])
                    for rest in [seen, seen + 5] {
                        let found = try session.rows(part, [.integer(rest)]) { $0.integer(0) }
                        #expect(found == [Int64(rest), Int64(rest + 10)])
                    }
                    seen += 1
                }
                #expect(seen == 5)
            }
        }
    }

    @Test(arguments: Speed.allCases)
    func `a statement that fails ahead fails the snapshot, and the session is used again`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        let session = fixture.session()
        for _ in 0..<2 {
            #expect(throws: StoreError.self) {
                try session.transaction(.snapshot) {
                    try session.prefetch([
                        Query("SELECT 1 AS one"), Query("SELECT 1 / (count(*) - count(*)) FROM item"),
                    ])
                    _ = try session.integer("SELECT 1 / (count(*) - count(*)) FROM item")
                }
            }
            #expect(try session.transaction(.snapshot) { try session.integer("SELECT 1 AS one") } == 1)
        }
    }

    @Test(arguments: Speed.allCases)
    func `in a writing transaction, statements named ahead are answered until the next change`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        try fixture.fill(5)
        var options = fixture.options
        options.roundTrips = RoundTripCounter()
        let session = PostgreSQLSession(options)
        let (count, greatest) = ("SELECT count(*) FROM item", "SELECT max(key) FROM item")
        func values(_ key: Int64) -> [Value] { [.integer(key), .real(1), .text("a"), .blob([])] }
        for round in Int64(0)..<3 {
            try session.transaction {
                // What is queued is done before what is read ahead.
                try session.run(Fixture.insertion, values(100 + 3 * round))
                try session.prefetch([Query(count), Query(greatest)])
                let before = options.roundTrips.count
                #expect(try session.integer(count) == 6 + 3 * round)
                #expect(try session.integer(greatest) == 100 + 3 * round)
                if speed == .fast { #expect(options.roundTrips.count == before) }
                try session.run(Fixture.insertion, values(101 + 3 * round))
                #expect(try session.integer(count) == 7 + 3 * round)
                try session.prefetch([Query(greatest)])
                let returned = try session.returning(
                    "INSERT INTO item VALUES ($1, 1, 'b', ''::bytea) RETURNING key", [.integer(102 + 3 * round)])
                #expect(returned == 102 + 3 * round)
                #expect(try session.integer(greatest) == 102 + 3 * round)
            }
        }
        #expect(try session.integer(count) == 14)
    }

    @Test(arguments: Speed.allCases)
    func `a statement that fails ahead fails the writing transaction`(speed: Speed) throws {
        let fixture = try Fixture(speed)
        let session = fixture.session()
        let fault = "SELECT 1 / (count(*) - count(*)) FROM item"
        #expect(throws: StoreError.self) {
            try session.transaction {
                try session.run(Fixture.insertion, [.integer(1), .real(1), .text("a"), .blob([])])
                do {
                    try session.prefetch([Query(fault)])
                    _ = try session.integer(fault)
                } catch is StoreError {}
            }
        }
        #expect(try session.integer("SELECT count(*) FROM item") == 0)
    }
}
