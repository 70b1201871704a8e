import Files
import TestLibrary
import TestSupport
import Testing
import TileMath
import TrackQuery
import Tracks

@testable import PrimaryStore

/// Compares the bounds that a database computes with those of a list of its tracks.
@Suite(.eachStore) struct TrackBoundsTests {
    private let folder: TemporaryFolder
    private let store: TrackDatabase

    init() throws {
        folder = try TemporaryFolder()
        store = try TrackDatabase.fresh(folder)
    }

    private func listed(_ filter: TrackFilter) throws -> [E7Bounds] {
        try store.allTracks().filter { filter.admits($0) }.compactMap(\.bounds)
    }

    private func enclosing(_ bounds: [E7Bounds]) -> BoundingBox? {
        .enclosing(bounds.compactMap { BoundingBox($0) })
    }

    private static let activities = [nil, "ride", "walk", "ski"]
    private static let persons = [nil, "Ada"]

    /// Tracks in a few regions, some across 180° and some without times; some activities are edited.
    private func fill(_ random: inout SeededRandom) throws {
        let regions: [Int64] = (0..<1 + random.below(3)).map { _ in random.below(3600) * 1_000_000 - 1_800_000_000 }
        for number in 0..<30 {
            let region = regions[random.below(regions.count)]
            let places = (0..<3).map { _ in region + random.below(50_000_000) }.map { place in
                place >= 1_800_000_000 ? place - 3_600_000_000 : place
            }
            let start: Int64 = (1_600_000_000 + random.below(40) * 86_400) * 1000
            let hasTimes = !random.once(in: 5)
            let chunk = PointColumns(
                unit: .decimal(places: 7), longitudes: places,
                latitudes: places.map { _ in random.below(1_600_000_000) - 800_000_000 },
                times: (0..<3).map { hasTimes ? start + $0 * 40_000_000 : PointColumns.untimed }, segmentStarts: [0])
            let outcome = RecordingHeader(
                activity: Self.activities[random.below(4)], person: Self.persons[random.below(2)],
                source: "\(number).gpx")
            _ = try store.add([([chunk], outcome)])
        }
        let tracks = try store.allTracks()
        var edit = TrackEdit()
        edit.activity = "ski"
        _ = try store.edit(tracks.prefix(5).map(\.id), edit)
    }

    @Test(arguments: UInt64(1)...12)
    func `The boxes of a filter enclose what the boxes of its tracks enclose`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try fill(&random)
        let persons = try store.read { try $0.persons() }.map(\.number)
        var found = 0
        for _ in 0..<60 {
            var filter = TrackFilter()
            if random.once(in: 2) { filter.from = (1_600_000_000 + random.below(40) * 86_400) * 1000 }
            if random.once(in: 2) { filter.to = (1_600_000_000 + random.below(45) * 86_400) * 1000 }
            if random.once(in: 2) { filter.limit(toActivity: ["ride", "walk", "ski", "swim"][random.below(4)]) }
            if random.once(in: 3) { filter.person = persons[random.below(persons.count)] }
            if random.once(in: 5) {
                filter.condition = try TrackCondition(parsing: "activity = ski")
                filter.calendar = DayCalendar(zone: "UTC")
            }
            let expected = try listed(filter)
            let boxes = try store.bounds(filter)
            #expect(enclosing(boxes) == enclosing(expected), "\(filter)")
            if !expected.isEmpty { found += 1 }
        }
        #expect(found > 10)
    }

    @Test func `Nothing but one box for each degree is read, however many tracks there are`() throws {
        for number in 0..<40 {
            try store.add(
                outing(
                    start: 1_600_000_000 + Int64(number) * 100_000, count: 3, longitude: 134_000_000 + Int64(number) * 9
                ),
                source: "\(number).gpx")
        }
        #expect(try store.allTracks().count == 40)
        #expect(try store.bounds(TrackFilter()).count == 1)
    }

    @Test func `A filter that nobody needs any more stops with an error`() throws {
        try store.add(outing(start: 1_600_000_000, count: 3))
        for condition in [nil, try TrackCondition(parsing: "activity = ski")] {
            var filter = TrackFilter()
            filter.condition = condition
            filter.calendar = DayCalendar(zone: "UTC")
            filter.isCancelled = { true }
            #expect(throws: CancellationError.self) { try store.bounds(filter) }
        }
    }
}
