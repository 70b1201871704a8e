import Database
import Files
import Journeys
import SQLite
import TestLibrary
import TestSupport
import Testing
import TileMath
import TrackQuery
import TrackStore

@testable import JourneyFiles
@testable import PrimaryStore

@Suite struct PersonFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func content() throws -> PersonContent {
        let places = try (0..<3).map { index in
            JourneyPlace(
                "Place \(index)", at: try #require(GeoPoint(longitude: Double(index), latitude: 10)),
                description: index == 0 ? nil : "About \(index)", tags: ["a", "b \"c\""], credit: "me",
                seconds: 60 + index)
        }
        let line = try [(0.0, 10.0), (1.5, 10.25), (2, 10)].map {
            try #require(GeoPoint(longitude: $0.0, latitude: $0.1))
        }
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2]
        var content = PersonContent(person: "ada")
        content.displayName = "Ada L."
        content.picture = picture
        content.routes = [
            PersonContent.Route(
                id: "r1", route: try JourneyRoute("R", level: 90, isSingle: true, line: line, places: places),
                placeIDs: ["p-1", "p-2", "p-3"], picture: nil, placePictures: ["p-2": picture])
        ]
        let condition = try TrackCondition(parsing: "activity = swim")
        content.journeys = [
            PersonContent.Journey(
                id: "j1", journey: NewJourney(route: "r1", drive: .focus, until: 9_000, members: ["ada"]), time: 5,
                isActive: true),
            PersonContent.Journey(
                id: "j2",
                journey: NewJourney(
                    route: "r1", drive: .metres(condition, [JourneyFactor(condition, factor: 4.25)]), since: 7,
                    members: ["ada"]), time: 6, isActive: false),
        ]
        content.sessions = [
            PersonContent.Session(
                FocusSession(id: "s1", person: "ada", start: 1_700_000_000_123, seconds: 61), journey: "j1",
                place: "p-3"),
            PersonContent.Session(
                FocusSession(id: "s2", person: "ada", start: 1_700_000_100_000, seconds: 5, isCancelled: true),
                journey: "j1", place: nil),
        ]
        content.rewards = [
            PersonContent.Reward(
                id: "1-hour", reward: FocusReward(hours: 1, name: "First hour"), granted: 1_700_000_000_999,
                isSeen: true)
        ]
        return content
    }

    private func written(_ content: PersonContent) throws -> String {
        let path = folder.path + "/person.sqlite"
        try PersonFile.write(content, visited: [PersonFile.Visit(journey: "j1", place: "p-1", instant: nil)], to: path)
        return path
    }

    @Test("what is written is read again")
    func roundTrip() throws {
        let content = try content()
        let path = try written(content)
        #expect(try PersonFile.read(path) == content)
        // It is one file that any program for SQLite reads.
        #expect(try Folder.entries(of: folder.path).count == 1)
        let connection = try Connection(path: path)
        #expect(try connection.integer("SELECT sum(seconds) FROM session WHERE cancelled = 0") == 61)
        #expect(try connection.integer("SELECT count(*) FROM visited") == 1)
    }

    @Test("importing twice is importing once, and what is there stays")
    func twice() throws {
        let content = try content()
        let database = try Library(in: folder).database
        let first = try database.add(content, to: "bea")
        #expect(first == PersonImport(routes: 1, journeys: 2, sessions: 2, rewards: 1))
        #expect(try database.add(content, to: "bea") == PersonImport())
        var again = try database.read { try $0.content(of: "bea", at: 1_800_000_000_000) }
        #expect(again.journeys.map(\.journey.members) == [["bea"], ["bea"]])
        // The same but for the name of the person, whose rewards were not built in with pictures.
        again.person = "ada"
        for index in again.journeys.indices { again.journeys[index].journey.members = ["ada"] }
        again.sessions = again.sessions.map { session in
            let own = session.session
            return PersonContent.Session(
                FocusSession(
                    id: own.id, person: "ada", start: own.start, seconds: own.seconds, isCancelled: own.isCancelled),
                journey: session.journey, place: session.place)
        }
        #expect(again == content)
    }

    @Test(
        "files that somebody else made are refused with a reason",
        arguments: [
            ("PRAGMA application_id = 1", "not a file"), ("PRAGMA user_version = 9", "version 9"),
            ("UPDATE session SET seconds = 0", "0 seconds"), ("UPDATE session SET start = 'noon'", "'noon'"),
            ("UPDATE session SET id = '../x' WHERE id = 's1'", "an id"),
            ("UPDATE place SET latitude = 91", "not on Earth"),
            ("UPDATE route SET level_seconds = 0", "the route r1"), ("DELETE FROM place", "the route r1"),
            ("UPDATE journey SET condition = 'colour = red' WHERE id = 'j2'", "condition"),
            ("UPDATE reward SET hours = -1", "-1 hours"), ("UPDATE person SET picture = x'3C73'", "JPEG"),
            ("DROP TABLE session", "SQLite"), ("UPDATE person SET name = ''", "name of the person"),
        ])
    func refused(statement: String, word: String) throws {
        let path = try written(content())
        try Connection(path: path).execute(statement)
        let error = try #require(throws: PersonFileError.self) { try PersonFile.read(path) }
        #expect(error.description.contains(word), "\(error)")
    }

    @Test("damaged bytes are refused, and never crash")
    func damaged() throws {
        let path = try written(content())
        let bytes = try #require(try AtomicFile.read(path))
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { changed.removeLast(Int.random(in: 1..<changed.count, using: &random)) }
            try AtomicFile.write(changed, to: path, durability: .cached)
            do { _ = try PersonFile.read(path) } catch is PersonFileError {}
        }
    }
}
