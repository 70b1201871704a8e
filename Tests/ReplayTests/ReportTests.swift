import Foundation
import TestSupport
import Testing
import Text
import Tracks

@testable import Replay

@Suite("Replay manifests, recorded days and positions")
struct ReportTests {
    private let noon = SyntheticLibrary.noon

    private func object(_ json: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    @Test("A manifest has the same gaps and playing time as the replay", arguments: 0..<6)
    func manifest(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        let query = ReplayQuery(ReplayQuery.everything, pace: try ReplayQuery.steady(600_000))
        let manifest = try object(ReplayManifest(query, source: library).json)
        let all = try events(query, library)
        #expect(manifest["playMs"] as? Int64 == all[0].number("playMs"))
        let tracks = try #require(manifest["tracks"] as? [[String: Any]])
        #expect(tracks.compactMap { $0["track"] as? String } == all.filter { $0.name == .track }.compactMap(\.trackID))
        let gaps = tracks.flatMap { $0["gaps"] as? [[Int64]] ?? [] }
        #expect(gaps == all.filter { $0.name == .gap }.map { [$0.number("from") ?? 0, $0.number("to") ?? 0] })
        let frames = try events(ReplayQuery(ReplayQuery.everything), library).filter(\.isFrame).count
        let density = try #require((manifest["density"] as? [String: Any])?["points"] as? [Int])
        #expect(manifest["points"] as? Int == frames && density.reduce(0, +) == frames && density.count == 240)
    }

    @Test("A cancelled manifest stops between tracks and within a track")
    func cancelled() throws {
        let library = SyntheticLibrary.random(seed: 2)
        let query = ReplayQuery(ReplayQuery.everything)
        var checks = 0
        #expect(throws: CancellationError.self) {
            try ReplayManifest(query, source: library) {
                checks += 1
                return checks == 3
            }
        }
        #expect(checks == 3)
    }

    @Test("A manifest of an unknown track or of too many points is an error")
    func refusal() throws {
        let library = SyntheticLibrary.random(seed: 1, tracks: 1)
        #expect(throws: ReplayManifest.Fault.noSuchTrack) {
            try ReplayManifest(ReplayQuery(.track(id: "nope")), source: library)
        }
        var many = library
        many.entries[0].track.summary.points = ReplayManifest.maxPoints + 1
        #expect(throws: ReplayManifest.Fault.tooMuch(tracks: 1, points: ReplayManifest.maxPoints + 1)) {
            try ReplayManifest(ReplayQuery(ReplayQuery.everything), source: many)
        }
    }

    /// A track to the east with a point every minute, about 68 m apart.
    private func walk(from start: Int64, minutes: Int64) -> [PointColumns] {
        (0..<minutes).map {
            TestPoint(longitude: 134_000_000 + $0 * 10_000, latitude: 525_000_000, time: start + $0 * 60_000)
        }
        .chunks(of: 100)
    }

    @Test("Days have the totals of their points, with midnight in the calendar's time zone")
    func days() throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        let midnight = calendar.start(ofDay: try #require(CivilDay(year: 2024, month: 2, day: 29)).daysSince1970)
        var library = SyntheticLibrary()
        library.add(walk(from: midnight - 5 * 60_000, minutes: 10))
        library.add(walk(from: midnight + 3_600_000, minutes: 3))
        let json = try RecordedDays(year: 2024, in: calendar, source: library).json(year: 2024)
        let days = try #require(try object(json)["days"] as? [[String: Any]])
        #expect(days.compactMap { $0["day"] as? String } == ["2024-02-28", "2024-02-29"])
        #expect(days.compactMap { $0["tracks"] as? Int } == [1, 2])
        #expect(days.compactMap { $0["points"] as? Int } == [5, 8])
        #expect(days.compactMap { $0["seconds"] as? Double } == [300, 240 + 120])
        #expect(try RecordedDays(year: 2023, in: calendar, source: library).totals.isEmpty)
    }

    @Test("The days of a year contain all of its points", arguments: 0..<6)
    func daySums(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        let calendar = try #require(DayCalendar(zone: "UTC"))
        let totals = try RecordedDays(year: 2023, in: calendar, source: library).totals.values
        let tracks = library.entries.map(\.track)
        #expect(totals.reduce(0) { $0 + $1.points } == tracks.reduce(0) { $0 + $1.playablePoints })
    }

    @Test("A track over New Year's Eve counts in both years, each with its own points")
    func newYear() throws {
        let calendar = try #require(DayCalendar(zone: "UTC"))
        let midnight = calendar.start(ofDay: try #require(CivilDay(year: 2025, month: 1, day: 1)).daysSince1970)
        var library = SyntheticLibrary()
        library.add(walk(from: midnight - 4 * 60_000, minutes: 10))
        let parts = try [2024, 2025].map { try RecordedDays(year: $0, in: calendar, source: library).totals }
        #expect(parts.map { $0.values.map(\.points) } == [[4], [6]])
    }

    @Test("The links to the previous and next year visit exactly the years with tracks")
    func neighbouringYears() throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        var library = SyntheticLibrary()
        for year in [1999, 2012, 2013, 2024] {
            let first = try #require(CivilDay(year: year, month: 1, day: 1)).daysSince1970
            library.add(walk(from: calendar.start(ofDay: first), minutes: 3))
        }
        // A track that continues into a year in which no track begins.
        let eve = try #require(CivilDay(year: 2020, month: 1, day: 1)).daysSince1970
        library.add(walk(from: calendar.start(ofDay: eve) - 60_000, minutes: 3))
        let wanted = [1999, 2012, 2013, 2019, 2020, 2024]
        var year = 1970
        for expected in wanted {
            year = try #require(try RecordedDays(year: year, in: calendar, source: library).neighbours.next).year
            #expect(year == expected)
            #expect(try !RecordedDays(year: year, in: calendar, source: library).totals.isEmpty)
        }
        #expect(try RecordedDays(year: year, in: calendar, source: library).neighbours.next == nil)
        for expected in wanted.reversed().dropFirst() {
            year = try #require(try RecordedDays(year: year, in: calendar, source: library).neighbours.previous).year
            #expect(year == expected)
        }
        #expect(try RecordedDays(year: year, in: calendar, source: library).neighbours.previous == nil)
    }

    @Test("A position is recorded, interpolated or held, and its uncertainty grows with the time to its points")
    func places() throws {
        var library = SyntheticLibrary()
        library.add(walk(from: noon, minutes: 3))
        #expect(try PositionAtInstant(at: noon - 1, source: library) == nil)
        let recorded = try #require(try PositionAtInstant(at: noon + 60_000, source: library))
        #expect(recorded.method == .recorded && recorded.milliseconds == 0 && recorded.longitude == 134_010_000)
        let between = try #require(try PositionAtInstant(at: noon + 90_000, source: library))
        #expect(between.method == .interpolated && between.milliseconds == 30_000 && between.longitude == 134_015_000)
        let later = try #require(try PositionAtInstant(at: noon + 3_720_000, source: library))
        #expect(later.method == .held && later.milliseconds == 3_600_000 && later.longitude == 134_020_000)
        let sureness = [recorded, between, later].map(\.uncertaintyMetres)
        #expect(sureness == sureness.sorted() && sureness[0] < sureness[1] && sureness[1] < sureness[2])
    }

    @Test("Of concurrent tracks a recorded position is preferred to an interpolated one, and that to a held one")
    func ranks() throws {
        var library = SyntheticLibrary()
        let pausing = [0, 1, 90, 91].map {
            TestPoint(longitude: 1_000_000, latitude: Int64($0), time: noon + Int64($0) * 60_000)
        }
        library.add(pausing.chunks(of: 100), id: "held", isStream: true)
        let instant = noon + 40 * 60_000
        #expect(try PositionAtInstant(at: instant, source: library)?.track == "held")
        let slow = [0, 80].map { TestPoint(longitude: 2_000_000, latitude: Int64($0), time: noon + Int64($0) * 60_000) }
        library.add(slow.chunks(of: 100), id: "between")
        #expect(try PositionAtInstant(at: instant, source: library)?.track == "between")
        library.add([TestPoint(longitude: 3_000_000, latitude: 0, time: instant)].chunks(of: 100), id: "recorded")
        #expect(try PositionAtInstant(at: instant, source: library)?.track == "recorded")
    }

    @Test(
        arguments: [Int64.max, Int64.max / 1000, Int64.max / 1000 + 1, 0, 1, 3_786_480_000_000] as [Int64],
        [100, 101, 100_000_000])
    func `The playing time does not overflow`(milliseconds: Int64, speed: Int) throws {
        let rate = try #require(FrameRate(speedThousandths: speed))
        let played = PlayingTime.milliseconds(of: milliseconds, at: rate)
        #expect(played >= 0)
        #expect(abs(Double(played) - min(Double(milliseconds) * 1000 / Double(speed), 9.223372036854775807e18)) <= 1e4)
    }
}
