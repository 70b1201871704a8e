import Database
import Files
import SQLite
import Testing
import TrackImport
import Tracks

private let berlin = ImportOptions(zone: zone("Europe/Berlin"), libraryZone: zone("UTC"), workers: 1)

/// An entry as GPS Log exports it: 18 values.
private func entry(_ values: [Int: String] = [:]) -> [String] {
    let usual = [
        "S1", "51.5", "-0.12", "62.0", "10.0", "8.0", "2025-08-31 09:57:07", "1.25", "180.0", "n/a", "false", "E1", "1",
        "",
        "false", "2025-08-31 09:57:07", "19833.07297996201", "188661.57376",
    ]
    return usual.enumerated().map { values[$0.offset] ?? $0.element }
}

private let headingChange = entry([
    1: "0", 2: "0", 3: "0", 4: "0", 5: "0", 6: "1901-01-01 00:00:00", 7: "0", 8: "0", 11: "H1", 13: "24.0", 14: "true",
    15: "2025-08-31 09:59:09", 16: "0.0", 17: "0.0",
])

private let names = [
    "SessionID", "Latitude", "Longitude", "Altitude", "HorizontalAccuracy", "VerticalAccuracy", "TimeStamp", "Speed",
    "Course", "Address", "Marked", "EntryID", "InstanceCount", "Heading", "HeadingChanged", "HeadingTimeStamp", "MapX",
    "MapY",
]

private func xml(_ entries: [[String]], named: Bool = false) -> String {
    entries.map { values in
        let attributes = zip(names, values).map { "\(named ? $0 : "Key")=\"\($1)\"" }
        return "  <DataPoint \(attributes.joined(separator: " "))/>"
    }.joined(separator: "\n")
}

/// A database as GPS Log writes it.
private func database(_ entries: [[String]], before script: String = "") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log.db"
    let connection = try Connection(path: path)
    try connection.execute(
        """
        CREATE TABLE "Sessions" ("Key" INTEGER NOT NULL,"ID" TEXT NOT NULL,"StartTime" TEXT,"EndTime" TEXT,"Name" TEXT,
        PRIMARY KEY("Key"));
        CREATE TABLE "TestEntries" ("Key" INTEGER NOT NULL);
        CREATE TABLE "Entries" ("Key" INTEGER NOT NULL,"Session" TEXT NOT NULL,"Latitude" TEXT,"Longitude" TEXT,"Altitude"
        TEXT,"HorizontalAccuracy" TEXT,"VerticalAccuracy" TEXT,"TimeStamp" TEXT,"Speed" TEXT,"Course" TEXT,"Address" TEXT,
        "Marked" TEXT,"EntryID" TEXT,"InstanceCount" INTEGER,"Heading" REAL,"IsHeadingChanged" NUMERIC,"HeadingTimeStamp"
        TEXT NOT NULL,"MapX" REAL,"MapY" REAL,PRIMARY KEY("Key"));
        INSERT INTO Sessions VALUES (1, 'S1', '2025-08-31 09:57:07', '2025-08-31 11:51:32', 'Zwin');
        INSERT INTO Sessions VALUES (2, 'S2', '2025-08-31 09:57:07', '2025-08-31 11:51:32', '');
        """)
    let placeholders = Array(repeating: "?", count: 19).joined(separator: ",")
    for (index, values) in entries.enumerated() {
        let row = values.enumerated().map { $0.offset == 14 ? ($0.element == "true" ? "1" : "0") : $0.element }
        try connection.run(
            "INSERT INTO Entries VALUES (\(placeholders))", [.integer(index + 1)] + row.map { .text($0) })
    }
    try connection.execute(script)
    _ = try connection.checkpointTruncating()
    return try AtomicFile.read(path) ?? []
}

@Suite struct GPSLogTests {
    private let first: Int64 = 1_756_627_027_000

    @Test func `All values of an entry are kept`() throws {
        let address = "Café \"Sud\" & Bar <1>,Paris"
        let entries = [
            entry([9: address, 10: "true", 12: "3"]), headingChange,
            entry([6: "2025-08-31 09:57:08", 7: "-1.0", 8: "-1.0", 11: "E2"]),
        ]
        for bytes in [try database(entries), Array(xml(entries).utf8), Array(xml(entries, named: true).utf8)] {
            let result = imported(bytes, options: berlin)
            #expect(result.receipt.failure == nil)
            #expect(result.receipt.format == .gpslog)
            #expect(result.receipt.zones == [.option("Europe/Berlin")])
            let recording = try #require(result.recordings.first)
            #expect(recording.points.map(\.time) == [first, first + 1000])
            #expect(recording.points.map(\.longitude) == [-120_000_000, -120_000_000])
            #expect(recording.header.attributes["session"] == "S1")
            let expected: [String: [String?]] = [
                "ele": ["62.0", "62.0"], "hacc": ["10.0", "10.0"], "vacc": ["8.0", "8.0"], "speed": ["1.25", nil],
                "course": ["180.0", nil], "address": [address, nil], "mark": ["1", nil], "id": ["E1", "E2"],
                "repeats": ["3", "1"], "headings": ["2025-08-31T07:59:09Z 24.0 H1", nil],
            ]
            for (name, values) in expected {
                let found = recording.field(name)
                #expect(zip(found, values).allSatisfy { same($0, $1) }, "\(name): \(found)")
            }
            #expect(same(recording.field("MapX")[0], "19833.07297996201"))
        }
    }

    /// As texts, or as numbers.
    private func same(_ one: String?, _ other: String?) -> Bool {
        one == other || (one.flatMap { Double($0) } ?? .nan) == (other.flatMap { Double($0) } ?? 0)
    }

    @Test func `Sessions are recordings with names in any order of entries`() throws {
        let result = imported(
            try database([entry(), entry([0: "S2"]), entry([6: "2025-08-31 10:00:00"]), entry([0: "S3"])]),
            options: berlin)
        #expect(result.recordings.map(\.header.name) == ["Zwin", "2025-08-31 09:57:07", nil])
        #expect(result.recordings.map(\.points.count) == [2, 1, 1])
        #expect(result.recordings[0].header.attributes["end"] == "2025-08-31 11:51:32")
    }

    @Test func `Heading changes belong to the first location or are reported as skipped`() {
        let result = imported(xml([headingChange, headingChange, entry()]), options: berlin)
        #expect(
            result.recordings.map { $0.field("headings") }
                == [["2025-08-31T07:59:09Z 24.0 H1; 2025-08-31T07:59:09Z 24.0 H1"]])
        #expect(imported(xml([headingChange]), options: berlin).receipt.skipped == [.recordWithoutPosition: 1])
    }

    @Test func `References in well-formed exports are resolved and a root is accepted`() {
        let text =
            "<?xml version=\"1.0\"?><Sessions><Session>"
            + xml([entry([9: "A &amp; B &#233;&lt;"])], named: true) + "</Session></Sessions>"
        let result = imported(text, options: berlin)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map { $0.field("address") } == [["A & B é<"]])
    }

    @Test func `Invalid places and malformed entries are refused with their lines`() {
        let text = xml([entry([1: "95"]), entry([2: "x"]), entry()]) + "\n<DataPoint Key=\"1\"/>\n" + xml([entry()])
        let result = imported(text, options: berlin)
        #expect(
            result.receipt.refused.first == [
                Finding(line: 1, what: .latitude("95")), Finding(line: 2, what: .noPlace),
                Finding(line: 4, what: .brokenEntry),
            ])
        #expect(result.receipt.outcome.points == 2)
    }

    @Test func `A truncated export yields its first entries`() {
        let bytes = Array(xml([entry([9: "\"Sud\" & <1>"]), headingChange, entry([6: "2025-08-31 10:00:00"])]).utf8)
        let whole = imported(bytes, options: berlin).recordings.flatMap(\.points)
        for length in 0..<bytes.count {
            let result = imported(Array(bytes[..<length]), options: berlin)
            let points = result.recordings.flatMap(\.points)
            #expect(points == Array(whole.prefix(points.count)), "\(length)")
            #expect(result.sink.openCount == 0)
        }
        for block in 1...60 {
            #expect(imported(bytes, options: berlin, block: block).recordings.flatMap(\.points) == whole)
        }
    }

    @Test func `A truncated database yields its first entries`() throws {
        let bytes = try database((0..<200).map { entry([11: "E\($0)"]) })
        for length in stride(from: 0, to: bytes.count, by: 1021) {
            let result = imported(Array(bytes[..<length]), options: berlin)
            #expect(result.receipt.failure != nil, "\(length)")
            let ids = result.recordings.flatMap { $0.field("id") }
            let isBeginning = ids == (0..<ids.count).map { "E\($0)" }
            #expect(isBeginning, "\(length)")
            #expect(result.sink.openCount == 0)
        }
        #expect(imported(bytes, options: berlin).receipt.outcome.points == 200)
    }

    @Test func `Files with flipped bits are handled`() throws {
        handlesFlippedBits(Array(xml([entry(), headingChange, entry()]).utf8))
        handlesFlippedBits(try database([entry(), headingChange, entry()]))
    }

    @Test func `A view instead of the table of entries is not queried`() throws {
        let bytes = try database(
            [],
            before: """
                DROP TABLE Entries; CREATE VIEW "Entries" AS WITH RECURSIVE HeadingTimeStamp(InstanceCount) AS
                (SELECT 1 UNION ALL SELECT InstanceCount + 1 FROM HeadingTimeStamp) SELECT * FROM HeadingTimeStamp;
                """)
        guard case .unrecognised? = imported(bytes).receipt.failure else {
            Issue.record("a view was read")
            return
        }
    }

    @Test func `Other databases are reported as such`() throws {
        let bytes = try database([], before: "DROP TABLE Entries")
        #expect(imported(bytes).receipt.failure == .unrecognised("an unknown SQLite database"))
    }

    @Test func `Test entries are counted and skipped`() throws {
        let bytes = try database([entry()], before: "INSERT INTO TestEntries VALUES (1), (2)")
        #expect(imported(bytes).receipt.skipped == [.testEntry: 2])
    }
}
