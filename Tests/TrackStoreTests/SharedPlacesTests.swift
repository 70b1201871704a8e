import Digest
import Editions
import Files
import HeatGrid
import TestLibrary
import Testing
import Text
import TileLog
import TileMath
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

/// Editions that show places where several persons were.
@Suite(.eachStore) struct SharedPlacesTests {
    private let folder: TemporaryFolder
    private let library: Library

    init() throws {
        folder = try TemporaryFolder()
        library = try Library(in: folder)
    }

    private static let noon: Int64 = 1_559_390_400
    private static let day: Int64 = 86_400

    /// Outings of a person on some days, a kilometre and more along a line of latitude.
    private func add(_ person: String, latitude: Int64, days: Range<Int64>, longitude: Int64 = 134_000_000) throws {
        for day in days {
            try library.database.add(
                outing(
                    start: Self.noon + day * Self.day, count: 400, longitude: longitude, latitude: latitude),
                RecordingHeader(name: "Secret", activity: "ride", person: person, source: "\(person).gpx"))
        }
    }

    private func edition(persons: Int) throws -> Edition {
        var rule = EditionRule()
        rule.delayDays = 0
        rule.persons = persons
        return try library.database.addEdition(name: "city", rule: rule, zones: [])
    }

    /// The person-days of each cell of zoom level 12 and month, and the persons.
    private func cells(_ library: Library) throws -> [String: (days: Int, persons: Int)] {
        try library.catchUp()
        var cells: [String: (days: Set<String>, persons: Set<Int64>)] = [:]
        try library.grid.read { reader in
            let tiles = try reader.occupiedTiles(zoom: #require(ZoomLevel(12)), after: nil, limit: 10_000)
            for tile in tiles {
                var fragments = FragmentReader(bytes: try #require(try reader.log(of: tile.packed)))
                while let order = fragments.order {
                    let month = StoredPeriod.month(ofDay: order.day)
                    for cell in CellDeltas.decoded(fragments.bytes.span, fragments.content) {
                        let name = "\(tile.packed) \(cell) \(month)"
                        cells[name, default: ([], [])].days.insert("\(order.day) \(order.person)")
                        cells[name]?.persons.insert(order.person)
                    }
                    fragments.advance()
                }
            }
        }
        return cells.mapValues { ($0.days.count, $0.persons.count) }
    }

    @Test func `a place is shown with all its days where enough persons were in a month, and nowhere else`() throws {
        // Three persons share a way in June, two another; one is there for two months.
        for person in ["ada", "bea", "cem"] { try add(person, latitude: 525_000_000, days: 0..<12) }
        for person in ["ada", "bea"] { try add(person, latitude: 525_300_000, days: 0..<20) }
        try add("ada", latitude: 525_000_000, days: 40..<50)
        try add("dan", latitude: 525_000_000, days: 3..<5, longitude: 134_200_000)
        let all = try cells(library)
        let edition = try edition(persons: 3)
        let made = try library.currentLibrary(of: edition)
        #expect(try made.verify() == [])
        let shown = try cells(made)
        let expected = all.filter { $0.value.persons >= 3 }
        #expect(!expected.isEmpty && expected.count < all.count / 2)
        #expect(shown.mapValues(\.days) == expected.mapValues(\.days))
        // Nothing of tracks is in it, and nothing can be told from its points but the cells.
        let tracks = try made.database.allTracks()
        #expect(tracks.allSatisfy { $0.metres == 0 && $0.name == nil && $0.personName?.hasPrefix("group-") == true })
        #expect(tracks.count == 2)
        for track in tracks {
            let points = try made.database.points(of: track)
            #expect(points.segmentStarts.count == points.count && points.fields.isEmpty)
        }
        // The cut tracks are in a library of their own, which goes with the edition.
        let cut = try #require(edition.cutTracks)
        #expect(library.hasLibrary(cut) && library.hasLibrary(edition))
        try library.removeEdition(named: "city")
        guard !library.isShared else { return }
        #expect(!library.hasLibrary(cut) && !library.hasLibrary(edition))
    }

    @Test func `the month that is not over is not shown`() throws {
        let calendar = try library.calendar()
        let today = calendar.start(ofDay: calendar.day(of: TrackDatabase.systemClock())) / 1000
        for person in ["ada", "bea", "cem"] {
            try library.database.add(
                outing(start: today, count: 400), RecordingHeader(person: person, source: "\(person).gpx"))
        }
        let made = try library.currentLibrary(of: edition(persons: 3))
        #expect(try cells(made).isEmpty && !cells(library).isEmpty)
    }

    @Test func `a place vanishes with the person who made it public`() throws {
        for person in ["ada", "bea", "cem"] { try add(person, latitude: 525_000_000, days: 0..<2) }
        for person in ["ada", "bea", "dan"] { try add(person, latitude: 525_300_000, days: 0..<2) }
        let edition = try edition(persons: 3)
        let made = try library.currentLibrary(of: edition)
        let before = try cells(made)
        let cem = try library.database.allTracks().filter { $0.personName == "cem" }
        let head = try made.database.head()
        // A track that changes nothing of what is shown leaves the edition as it is.
        try add("eve", latitude: 526_000_000, days: 0..<1)
        #expect(try library.currentLibrary(of: edition).database.head() == head)
        _ = try library.remove(cem.map(\.id)) { _ in }
        let after = try cells(try library.currentLibrary(of: edition))
        #expect(!after.isEmpty && after.count < before.count)
        #expect(try after.mapValues(\.days) == cells(library).filter { $0.value.persons >= 3 }.mapValues(\.days))
        #expect(try made.database.eraseRemoved() == nil)
        // As if it had never been there.
        let other = try Library(in: folder, "other")
        for track in try library.database.content() where track.track.personName != "eve" {
            try other.database.add(
                [track.points], RecordingHeader(person: track.track.personName, source: track.track.source))
        }
        let anew = try other.currentLibrary(
            of: other.database.addEdition(name: "city", rule: edition.rule, zones: []))
        #expect(try cells(anew).mapValues(\.days) == after.mapValues(\.days))
        #expect(try anew.database.content().map(\.points) == made.database.content().map(\.points))
    }
}
