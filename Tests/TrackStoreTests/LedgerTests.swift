import Countries
import Database
import Files
import GridStorage
import Statistics
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct LedgerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Tracks of two persons over some borders, a flight, and one without time.
    private static let journeys: [(person: String?, journey: TestJourney)] = {
        var drive = TestJourney(6.08, 50.775)
        drive.go(to: 3.07, 50.62, speed: 28, every: 5)
        drive.stay(minutes: 80)
        var back = TestJourney(3.07, 50.62, at: TestJourney.morning + 30 * 3_600_000)
        back.go(to: 5.75, 50.86, speed: 25, every: 10)
        var flight = TestJourney(8.65, 50.10, at: TestJourney.morning + 60 * 3_600_000)
        flight.go(to: 8.40, 50.03, speed: 90, every: 5)
        flight.go(to: -0.2, 51.4, speed: 220, every: 20)
        flight.go(to: -0.45, 51.47, speed: 80, every: 5)
        flight.stay(minutes: 30)
        var ferry = TestJourney(1.32, 51.12, at: TestJourney.morning + 90 * 3_600_000)
        ferry.go(to: 1.86, 50.97, speed: 9, every: 30)
        var untimed = TestJourney(14.5, 52.33, at: nil)
        untimed.go(to: 14.7, 52.33, speed: 10)
        return [(nil, drive), ("ada", back), (nil, flight), ("ada", ferry), (nil, untimed)]
    }()

    private func add(_ number: Int, to library: Library) throws {
        let (person, journey) = Self.journeys[number]
        try library.database.add(
            [journey.chunk],
            RecordingHeader(activity: number == 2 ? "flight" : "drive", person: person, source: "\(number).gpx"))
    }

    private func library(_ name: String, _ order: [Int], stepwise: Bool = false) throws -> Library {
        let library = try Library(in: folder, name)
        for number in order {
            try add(number, to: library)
            if stepwise { try library.catchUp() }
        }
        try library.catchUp()
        return library
    }

    private func json(_ library: Library, _ change: (inout CountriesQuery) -> Void = { _ in }) throws -> String {
        var query = CountriesQuery()
        change(&query)
        return String(decoding: try library.countries(query).json, as: UTF8.self)
    }

    private func bothWays(_ library: Library) throws -> [String] {
        [try json(library), try json(library) { $0.grouping = .region }]
    }

    @Test func `the order of imports and steps does not matter, and a rebuild changes nothing`() throws {
        let first = try library("first", [0, 1, 2, 3, 4])
        let expected = try bothWays(first)
        #expect(expected[0].contains("\"BE\"") && expected[1].contains("\"overflown\""))
        for (number, order) in [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3]].enumerated() {
            let other = try library("other\(number)", order, stepwise: true)
            #expect(try bothWays(other) == expected)
            try other.rebuild()
            #expect(try bothWays(other) == expected)
            #expect(try other.verify() == [])
        }
    }

    @Test func `days are those of the country, not of a nearer city in another country`() throws {
        guard PlaceZones().isUsable else { return }
        // 23:05 to 23:55 in Beijing; Pyongyang, where it is then the next day, is the nearest capital.
        var walk = TestJourney(116.4, 39.9, at: 1_717_254_300_000)
        walk.stay(minutes: 50)
        let library = try Library(in: folder, "beijing")
        try library.database.add([walk.chunk], RecordingHeader(activity: "walk", source: "beijing.gpx"))
        try library.catchUp()
        let text = try json(library)
        #expect(text.contains("\"code\":\"CN\""))
        #expect(text.contains("\"first\":\"2024-06-01\",\"last\":\"2024-06-01\",\"days\":1"), "\(text)")
    }

    @Test func `a removed track never was`() throws {
        let library = try library("whole", [0, 1, 2, 3, 4])
        let never = try self.library("never", [0, 3, 4])
        let page = try #require(try library.database.tracks(limit: 10))
        let removed = page.tracks.filter { ["1.gpx", "2.gpx"].contains($0.source) }.map(\.id)
        #expect(removed.count == 2)
        _ = try library.remove(removed, drop: { _ in })
        #expect(try bothWays(library) == bothWays(never))
        // Not even its bytes.
        let count = try library.grid.read { try $0.session.integer("SELECT count(*) FROM ledger") }
        #expect(count == 3)
    }

    @Test func `importing twice is importing once`() throws {
        let once = try library("once", [0, 1])
        let twice = try library("twice", [0, 1, 0, 1])
        #expect(try bothWays(once) == bothWays(twice))
    }

    @Test func `the lengths add up to those of the totals`() throws {
        let library = try library("sums", [0, 1, 2, 3, 4])
        var totals = TotalsQuery()
        for (layer, person) in [("all", nil), ("drive", nil), ("all", "ada"), ("all", ""), ("flight", nil)] {
            (totals.tracks.layer, totals.tracks.person) = (layer, person)
            let report = try library.totals(totals, now: TestJourney.morning)
            let metres = report.total.millimetres + report.untimed.millimetres
            for grouping in LedgerGrouping.allCases {
                var query = CountriesQuery()
                (query.grouping, query.tracks) = (grouping, totals.tracks)
                let ledger = try library.countries(query)
                let sum =
                    ledger.lines.reduce(0) { $0 + $1.millimetres } + ledger.seaMillimetres + ledger.unknownMillimetres
                #expect(metres > 0 && abs(sum - metres) * 1_000_000 <= metres, "\(layer) \(person ?? "everybody")")
            }
        }
        var missing = CountriesQuery()
        missing.tracks.layer = "nope"
        #expect(throws: SelectionError.noSuchLayer("nope")) { try library.countries(missing) }
        missing = CountriesQuery()
        missing.tracks.person = "nobody"
        #expect(throws: SelectionError.noSuchPerson("nobody")) { try library.countries(missing) }
    }
}
