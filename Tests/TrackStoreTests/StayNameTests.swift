import Database
import Files
import SQLite
import Stays
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct StayNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func morning(_ day: Int64, person: String?) -> (chunk: PointColumns, header: RecordingHeader) {
        var journey = TestJourney(8.68, 50.11, at: TestJourney.morning + day * 86_400_000)
        journey.stay(minutes: 40)
        journey.go(to: 8.70, 50.11, speed: 6)
        return (journey.chunk, RecordingHeader(activity: "ride", person: person, source: "\(person ?? "me")\(day)"))
    }

    private func add(_ library: Library, _ days: [Int64], person: String? = nil) throws {
        for day in days {
            let (chunk, header) = Self.morning(day, person: person)
            try library.database.add([chunk], header)
        }
        try library.catchUp()
    }

    private func named(_ library: Library, _ person: String? = nil) throws -> [String?] {
        var query = StaysQuery()
        query.person = person ?? ""
        return try library.selected(try library.stays(), query).flatMap { one in
            one.stays.map { one.name(of: $0) }
        }
    }

    private static let home = StayName(longitude: 86_800_000, latitude: 501_100_000, name: "Home")

    private func remove(_ library: Library, _ isWanted: (Track) -> Bool) throws {
        let tracks = try library.database.tracks(limit: 99)?.tracks ?? []
        _ = try library.remove(tracks.filter(isWanted).map(\.id), drop: { _ in })
    }

    @Test func `names stay when the map is rebuilt, and when tracks are imported again, in any order`() throws {
        let path = folder.path + "/library"
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            try add(library, [0, 1])
            #expect(try library.database.nameStays(at: Self.home, of: nil) == Self.home)
            #expect(try named(library) == ["Home", "Home"])
            try library.rebuild()
            #expect(try named(library) == ["Home", "Home"])
            try remove(library) { $0.source == "me0" }
            try add(library, [2, 0])
            #expect(try named(library) == ["Home", "Home", "Home"])
        }
        // The same in another order, in a library that is opened again.
        let other = try Library(folder: folder.path + "/other", zoneIfNew: "UTC")
        try add(other, [2])
        _ = try other.database.nameStays(at: Self.home, of: nil)
        try add(other, [0, 1])
        let library = try Library(folder: path)
        #expect(try library.stays() == other.stays())
        #expect(try named(library) == named(other))
        #expect(try library.database.verify() == [])
    }

    @Test func `naming twice is naming once, and the last name counts within 50 m`() throws {
        let library = try Library(folder: folder.path + "/twice", zoneIfNew: "UTC")
        try add(library, [0])
        var near = Self.home
        (near.latitude, near.name) = (near.latitude + 3000, "Flat")
        for name in [Self.home, Self.home, near] { _ = try library.database.nameStays(at: name, of: nil) }
        var expected = Self.home
        expected.name = "Flat"
        #expect(try library.database.stayNames(of: nil) == [expected])
        #expect(try library.database.removeStayName(longitude: near.longitude, latitude: near.latitude, of: nil))
        #expect(try !library.database.removeStayName(longitude: near.longitude, latitude: near.latitude, of: nil))
        #expect(try library.database.stayNames(of: nil).isEmpty && named(library) == [nil])
        #expect(throws: SelectionError.noSuchPerson("ada")) { try library.database.nameStays(at: near, of: "ada") }
        #expect(try library.database.verify() == [])
    }

    @Test func `who is forgotten leaves no name behind, and others keep theirs`() throws {
        let path = folder.path + "/forgotten"
        let library = try Library(folder: path, zoneIfNew: "UTC")
        try add(library, [0, 1])
        try add(library, [0, 1], person: "ada")
        var secret = Self.home
        secret.name = "Hideaway of Ada"
        _ = try library.database.nameStays(at: Self.home, of: nil)
        _ = try library.database.nameStays(at: secret, of: "ada")
        #expect(
            try named(library, "ada") == ["Hideaway of Ada", "Hideaway of Ada"] && named(library) == ["Home", "Home"])
        try remove(library) { $0.source == "ada0" }
        #expect(try named(library, "ada") == ["Hideaway of Ada"])
        try remove(library) { $0.source == "ada1" }
        #expect(try library.database.persons().allSatisfy { $0.name != "ada" })
        #expect(try library.database.read { try $0.stayNames().count } == 1)
        #expect(try named(library) == ["Home", "Home"])
        // The person who comes later is another one.
        try add(library, [3], person: "ada")
        #expect(try named(library, "ada") == [nil])
        #expect(try library.database.verify() == [])
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `a library of the version before names is upgraded, and takes names`() throws {
        let path = folder.path + "/old"
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            try add(library, [0])
        }
        do {
            let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute("DROP TABLE stay_name; PRAGMA user_version = 10")
        }
        let library = try Library(folder: path)
        #expect(try named(library) == [nil])
        _ = try library.database.nameStays(at: Self.home, of: nil)
        #expect(try named(library) == ["Home"])
        #expect(try library.database.verify() == [])
    }
}
