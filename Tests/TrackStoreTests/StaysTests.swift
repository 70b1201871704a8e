import Database
import Files
import GridStorage
import Stays
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct StaysTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Days of two persons; nothing is recorded in the nights at home.
    private static let journeys: [(person: String?, journey: TestJourney)] = {
        var journeys: [(person: String?, journey: TestJourney)] = []
        for day in 0..<6 {
            var journey = TestJourney(8.50, 47.40, at: TestJourney.morning + Int64(day) * 86_400_000)
            journey.go(to: 8.55, 47.40, speed: 6)
            journey.stay(minutes: 90)
            journey.go(to: 8.50, 47.40, speed: 6)
            journeys.append((day % 2 == 0 ? nil : "ada", journey))
        }
        return journeys
    }()

    private func library(_ name: String, _ order: [Int], stepwise: Bool = false) throws -> Library {
        let library = try Library(in: folder, name)
        for number in order {
            let (person, journey) = Self.journeys[number]
            try library.database.add(
                [journey.chunk], RecordingHeader(activity: "ride", person: person, source: "\(number).gpx"))
            if stepwise { try library.catchUp() }
        }
        try library.catchUp()
        return library
    }

    private func json(_ library: Library) throws -> String {
        String(decoding: PersonStays.json(try library.stays()), as: UTF8.self)
    }

    @Test func `stays are those of each person, with nights without points`() throws {
        let persons = try library("all", Array(0..<6)).stays()
        #expect(persons.map(\.person) == [nil, "ada"])
        for one in persons {
            // At work on three days, and at home between them.
            #expect(one.stays.count == 5)
            #expect(one.stays.map { $0.bridgedMilliseconds > 0 } == [false, true, false, true, false])
        }
    }

    @Test func `the order of imports and steps does not matter, and a rebuild changes nothing`() throws {
        let expected = try json(library("first", [0, 1, 2, 3, 4, 5]))
        for (number, order) in [[5, 4, 3, 2, 1, 0], [2, 0, 4, 1, 5, 3]].enumerated() {
            let other = try library("other\(number)", order, stepwise: true)
            #expect(try json(other) == expected)
            try other.rebuild()
            #expect(try json(other) == expected)
            #expect(try other.verify() == [])
        }
        #expect(try json(library("twice", [0, 1, 2, 3, 4, 5, 3, 0])) == expected)
    }

    @Test func `a day in several files has the stays that it has in one`() throws {
        let points = Self.journeys[0].journey.points
        let whole = try Library(in: folder, "day")
        let header = RecordingHeader(activity: "ride", person: nil, source: "day.gpx")
        try whole.database.add([PointColumns.degrees(points)], header)
        try whole.catchUp()
        let expected = try json(whole)
        #expect(expected.contains("arrive"))
        for (number, indices) in [
            (0..<20).map { part in Array(points.indices.filter { $0 * 20 / points.count == part }) },
            (0..<3).map { part in Array(points.indices.filter { $0 % 3 == part }) },
        ].enumerated() {
            let library = try Library(in: folder, "parts\(number)")
            for part in indices.reversed() {
                try library.database.add([PointColumns.degrees(part.map { points[$0] })], header)
                try library.catchUp()
            }
            #expect(try json(library) == expected)
        }
    }

    @Test func `a removed track never was`() throws {
        let library = try library("whole", [0, 1, 2, 3, 4, 5])
        let page = try #require(try library.database.tracks(limit: 10))
        let removed = page.tracks.filter { ["2.gpx", "5.gpx"].contains($0.source) }.map(\.id)
        #expect(removed.count == 2)
        _ = try library.remove(removed, drop: { _ in })
        #expect(try json(library) == json(self.library("never", [0, 1, 3, 4])))
        let count = try library.grid.read { try $0.session.integer("SELECT count(*) FROM stays") }
        #expect(count == 4)
    }

    @Test func `windows and persons select whole stays`() throws {
        let library = try library("some", Array(0..<6))
        let all = try library.stays()
        let night = try #require(all[0].stays.first { $0.bridgedMilliseconds > 0 })
        var query = StaysQuery()
        (query.from, query.to, query.person) = (night.arrive + 1, night.arrive + 2, "")
        #expect(try library.selected(all, query).flatMap(\.stays) == [night])
        query.person = "ada"
        #expect(try library.selected(all, query).count == 1)
        query.person = "nobody"
        #expect(throws: SelectionError.noSuchPerson("nobody")) { try library.selected(all, query) }
    }
}
