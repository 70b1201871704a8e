import Countries
import Files
import PrimaryStore
import Replay
import Statistics
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import TrackStore

/// Tracks of one person that overlap in time: their minutes count once, in totals and countries alike.
@Suite(.eachStore) struct OverlapTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Recording {
        var name: String
        var person: String?
        var activity: String
        var device: String?
        var points: [TestPoint]
    }

    /// Random rides round a border, many of them at the same time.
    private func recordings(seed: UInt64) -> [Recording] {
        var random = SeededRandom(seed: seed)
        return (0..<14).map { number in
            var points: [TestPoint] = []
            var time = 1_717_360_000_000 + Int64(random.below(40)) * 900_000
            var (east, north) = (Int64(random.below(400_000)), Int64(random.below(100_000)))
            for _ in 0..<60 + random.below(400) {
                time += Int64(1 + random.below(40)) * 1000
                east += Int64(random.below(4000)) - 1000
                north += Int64(random.below(3000)) - 1500
                points.append(
                    TestPoint(
                        longitude: 60_000_000 + east, latitude: 507_500_000 + north, time: time,
                        elevation: Int64(1000 + random.below(300))))
            }
            return Recording(
                name: "\(number).gpx", person: number % 5 == 4 ? "ada" : nil,
                activity: number % 2 == 0 ? "ride" : "run",
                device: number % 4 == 3 ? "phone" : nil, points: points)
        }
    }

    private func library(_ name: String, _ recordings: [Recording], stepwise: Bool) throws -> Library {
        let library = try Library(in: folder, name)
        for recording in recordings {
            try library.database.add(
                recording.points.chunks(),
                RecordingHeader(
                    activity: recording.activity, person: recording.person, device: recording.device,
                    source: recording.name))
            if stepwise { try library.catchUp() }
        }
        try library.catchUp()
        return library
    }

    private func report(_ library: Library, _ change: (inout TotalsQuery) -> Void = { _ in }) throws -> TotalsReport {
        var query = TotalsQuery()
        query.length = .day
        change(&query)
        return try library.totals(query, now: 0)
    }

    private func ledger(_ library: Library, _ change: (inout CountriesQuery) -> Void = { _ in }) throws -> CountryLedger
    {
        var query = CountriesQuery()
        change(&query)
        return try library.countries(query)
    }

    private func replayed(_ library: Library) throws -> (calendar: DayCalendar, source: TrackReplaySource) {
        (try library.calendar(), try #require(try TrackReplaySource(library)))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `totals do not depend on the order of imports, and equal those of countries`(seed: UInt64) throws {
        let recordings = recordings(seed: seed)
        let first = try library("first", recordings, stepwise: false)
        let expected = try report(first)
        var random = SeededRandom(seed: seed)
        let other = try library("other", recordings.shuffled(using: &random), stepwise: true)
        #expect(try report(other) == expected)
        try other.rebuild()
        #expect(try report(other) == expected)
        #expect(try other.verify() == [])

        for person in [nil, "", "ada"] as [String?] {
            let totals = try report(first) { $0.tracks.person = person }
            let ledger = try ledger(first) { $0.tracks.person = person }
            let metres =
                ledger.lines.reduce(0) { $0 + $1.millimetres } + ledger.seaMillimetres + ledger.unknownMillimetres
            #expect(totals.total.millimetres + totals.untimed.millimetres == metres)
            #expect(totals.activities.reduce(0) { $0 + $1.totals.millimetres } == totals.total.millimetres)
            #expect(totals.activities.reduce(0) { $0 + $1.totals.milliseconds } == totals.total.milliseconds)
        }
        let year = try RecordedDays(
            year: 2024, in: replayed(first).calendar, source: replayed(first).source)
        #expect(
            year.totals.map { "\($0.key) \(Int(($0.value.metres * 1000).rounded())) \($0.value.seconds)" }.sorted()
                == expected.rows.map {
                    "\($0.period.firstDay) \($0.totals.millimetres) \(Double($0.totals.milliseconds) / 1000)"
                }.sorted())
        // The sum of days is the same in any other zone.
        let other2 = try RecordedDays(
            year: 2024, in: #require(DayCalendar(zone: "Pacific/Auckland")), source: replayed(first).source)
        let metres = other2.totals.values.reduce(0) { $0 + $1.metres }
        #expect(abs(metres * 1000 - Double(expected.total.millimetres)) < 100)
        // Less than what lists show, and the sum over persons.
        let all = try first.database.allTracks().reduce(0) { $0 + $1.metres }
        #expect(Double(expected.total.millimetres) < all * 990)
        let persons = try [report(first) { $0.tracks.person = "" }, report(first) { $0.tracks.person = "ada" }]
        #expect(persons.reduce(0) { $0 + $1.total.millimetres } == expected.total.millimetres)
        #expect(expected.total.movingMilliseconds <= expected.total.milliseconds)
    }

    @Test func `a removed track leaves the totals that it was never part of`() throws {
        let recordings = recordings(seed: 9).filter { $0.device == nil }
        let without = try library("without", Array(recordings.dropFirst(3)), stepwise: false)
        let with = try library("with", recordings, stepwise: true)
        #expect(try report(with) != report(without))
        let ids = try with.database.allTracks().filter { ["0.gpx", "1.gpx", "2.gpx"].contains($0.source) }.map(\.id)
        #expect(ids.count == 3)
        _ = try with.remove(ids) { _ in }
        #expect(try report(with) == report(without))
    }
}
