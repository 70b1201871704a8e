import Digest
import Editions
import Files
import TestLibrary
import Testing
import Text
import TileMath
import TrackQuery
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

/// Rules for old points: exactly what they say is removed, and nothing else changes.
@Suite(.eachStore) struct RetentionTests {
    private let folder: TemporaryFolder
    private let library: Library

    init() throws {
        folder = try TemporaryFolder()
        library = try Library(in: folder)
    }

    /// 2019-06-01, 12:00 UTC.
    private static let noon: Int64 = 1_559_390_400
    private static let day: Int64 = 86_400

    private static func now(_ days: Int64) -> Int64 { (noon + days * day) * 1000 }

    /// The first instant that is kept by a rule of some days.
    private func cutoff(_ days: Int64, at now: Int64) throws -> Int64 {
        let calendar = try library.calendar()
        return calendar.start(ofDay: calendar.day(of: now) - Int32(days))
    }

    private func apply(_ now: Int64) throws -> RetentionOutcome {
        try #require(try library.applyRetention(at: now) { _ in })
    }

    private func content(_ library: Library) throws -> [TrackContent] {
        try library.catchUp()
        #expect(try library.verify() == [])
        return try library.database.content()
    }

    /// All points of tracks that fulfil a condition, as times and places, ordered.
    private func points(where isIncluded: (Track) -> Bool) throws -> [[Int64]] {
        try library.database.allTracks().filter(isIncluded).flatMap { track -> [[Int64]] in
            let table = try library.database.points(of: track)
            let converter = E7Converter(unit: table.unit)
            return table.times.indices.map {
                [
                    table.times[$0], Int64(converter.e7(table.longitudes[$0])),
                    Int64(converter.e7(table.latitudes[$0])),
                ]
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Some days of a phone, a car, and files.
    private func fill(_ library: Library) throws {
        for (device, shift) in [("phone", 0), ("car", 7)] as [(String, Int64)] {
            for day in 0..<6 as Range<Int64> {
                let seconds = (0..<300).map { Self.noon + day * Self.day + $0 * 20 + shift }
                try library.database.add([trickle(seconds)], source: "\(device).json", device: device)
            }
            // Over midnight, in Berlin.
            let night = (0..<200).map { Self.noon + 9 * 3600 + 3 * Self.day + $0 * 60 + shift }
            try library.database.add([trickle(night)], source: "\(device).json", device: device)
        }
        for day in 0..<6 as Range<Int64> {
            try library.database.add(
                outing(
                    start: Self.noon + day * Self.day + 9 * 3600, count: 9000, latitude: 525_000_000 + day * 1_000_000),
                RecordingHeader(
                    name: "Ride \(day)", activity: day % 2 == 0 ? "ride" : "run", person: "ada", source: "\(day).gpx"))
        }
        try library.catchUp()
    }

    @Test(arguments: [RetentionRule.Selection.device("car"), .person("ada"), .layer("ride"), .layer("all")])
    func `what is older is removed, and nothing else`(_ selection: RetentionRule.Selection) throws {
        try fill(library)
        let now = Self.now(7)
        let cutoff = try cutoff(4, at: now)
        let isMeant = { (track: Track) -> Bool in
            switch selection {
            case .device: track.device == "car"
            case .person: track.personName == "ada"
            case .layer(let name): name == "all" || track.activity?.rawValue == name
            }
        }
        let (meant, others) = (try points(where: isMeant), try points { !isMeant($0) })
        let ids = Set(try library.database.allTracks().filter { ($0.end ?? 0) >= cutoff }.map(\.id))
        let rule = RetentionRule(selection, days: 4)
        let expected = meant.filter { $0[0] >= cutoff }
        #expect(!expected.isEmpty && expected.count < meant.count)
        let dry = try library.tryRetention(of: rule, at: now)
        #expect(dry.points == meant.count - expected.count)
        #expect(try points(where: isMeant) == meant)
        _ = try library.database.add(rule)
        let outcome = try apply(now)
        #expect(outcome.removal == library.completeRemoval)
        #expect(outcome.points == dry.points && outcome.receipts.map(\.tracks) == [dry.tracks])
        #expect(outcome.receipts.map(\.removedTracks) == [dry.removedTracks] && dry.removedTracks > 0)
        #expect(try points(where: isMeant) == expected)
        #expect(try points { !isMeant($0) } == others)
        // Tracks of which something is left are still found by their ids, whatever has been cut off.
        for id in ids { #expect(try library.database.track(id: id) != nil, "\(id)") }
        #expect(try library.verify() == [])
        #expect(try apply(now).points == 0)
        #expect(try library.database.retentionRules().map(\.points) == [dry.points])
        // Nothing is due until the next day of the library.
        let calendar = try library.calendar()
        let midnight = calendar.start(ofDay: calendar.day(of: now) + 1)
        #expect(try !library.isRetentionDue(at: midnight - 1) && library.isRetentionDue(at: midnight))
        #expect(try apply(midnight).points > 0)
        let nextCutoff = try self.cutoff(4, at: midnight)
        #expect(try points(where: isMeant) == meant.filter { $0[0] >= nextCutoff })
    }

    @Test func `old points are thinned, and a second time changes nothing`() throws {
        try fill(library)
        let now = Self.now(7)
        let cutoff = try cutoff(3, at: now)
        let isMeant = { (track: Track) -> Bool in track.device == "phone" || track.personName == "ada" }
        let (meant, others) = (try points(where: isMeant), try points { !isMeant($0) })
        let before = try library.database.allTracks()
        _ = try library.database.add(RetentionRule(.device("phone"), days: 3, thinning: 60_000))
        _ = try library.database.add(RetentionRule(.person("ada"), days: 3, thinning: 60_000))
        let outcome = try apply(now)
        #expect(outcome.points > 30_000 && outcome.receipts.allSatisfy { $0.removedTracks == 0 })
        let left = try points(where: isMeant)
        #expect(left.filter { $0[0] >= cutoff } == meant.filter { $0[0] >= cutoff })
        #expect(Set(left).isSubset(of: meant))
        #expect(try points { !isMeant($0) } == others)
        let after = try library.database.allTracks()
        // The same tracks, with the same beginnings and ends.
        #expect(before.map(\.id) == after.map(\.id))
        #expect(before.map(\.start) == after.map(\.start) && before.map(\.end) == after.map(\.end))
        for track in after where isMeant(track) {
            let times = try library.database.points(of: track).times.filter { $0 < cutoff }
            for (one, next) in zip(times, times.dropFirst()) { #expect(next - one < 120_000, "\(track.id)") }
            let intervals = Set(times.map { $0.floorDivided(by: 60_000) })
            #expect(times.count <= intervals.count + 1)
        }
        let content = try content(library)
        #expect(try apply(now).points == 0)
        #expect(try self.content(library) == content)
        // Importing the same again brings back points, and the rules remove them again.
        try fill(library)
        #expect(try self.content(library) != content)
        #expect(try apply(now).points > 0)
        #expect(try self.content(library) == content)
    }

    @Test func `rules and imports in any order give the same`() throws {
        let rules = [
            RetentionRule(.layer("all"), days: 4), RetentionRule(.device("phone"), days: 2, thinning: 30_000),
        ]
        try fill(library)
        for rule in rules { _ = try library.database.add(rule) }
        _ = try apply(Self.now(7))
        let content = try content(library)
        let other = try Library(in: folder, "other")
        for rule in rules { _ = try other.database.add(rule) }
        for days in [3, 4, 7] as [Int64] {
            try fill(other)
            _ = try other.applyRetention(at: Self.now(days)) { _ in }
        }
        #expect(try self.content(other).map(\.points) == content.map(\.points))
    }

    @Test(arguments: [nil, 30_000] as [Int64?])
    func `what each import added is removed, too, so that one can be undone`(_ thinning: Int64?) throws {
        // A recording with other fields, the beginning of it, and the same points of a device in two files.
        let whole = outing(start: Self.noon, count: 6000)
        let fields = outing(start: Self.noon, count: 6000, elevation: (0..<6000).map { Int64($0) })
        let beginning = outing(start: Self.noon, count: 5000)
        let imports: [[([PointColumns], RecordingHeader)]] = [
            [(beginning, RecordingHeader(source: "a.gpx"))], [(whole, RecordingHeader(source: "b.gpx"))],
            [(fields, RecordingHeader(source: "c.gpx"))],
            [
                (
                    [trickle((0..<400).map { Self.noon + $0 * 20 })],
                    RecordingHeader(device: "phone", source: "d.json")
                )
            ],
            [
                (
                    [trickle((0..<400).map { Self.noon + $0 * 20 + 10 * ($0 % 2) })],
                    RecordingHeader(device: "phone", source: "e.json")
                )
            ],
        ]
        // Within the recordings.
        let limit = AgeLimit(cutoff: (Self.noon + 4500) * 1000, thinning: thinning)
        var numbers: [Int64] = []
        for recordings in imports { numbers.append(try add(recordings, to: library)) }
        for track in try library.database.allTracks() {
            #expect(try library.database.forget(limit, ofTrack: track.number) > 0)
        }
        _ = try library.database.eraseRemoved()
        _ = try content(library)
        for undone in numbers.indices.reversed() {
            _ = try library.undoImport(importNumber: numbers[undone]) { _ in }
            let left = try content(library)
            #expect(left.flatMap(\.points.times).allSatisfy { thinning != nil || $0 >= limit.cutoff })
            if undone == 3 {
                // The recordings are those that three imports alone give.
                let other = try Library(in: folder, "other")
                for recordings in imports.prefix(3) { _ = try add(recordings, to: other) }
                for track in try other.database.allTracks() {
                    _ = try other.database.forget(limit, ofTrack: track.number)
                }
                let expected = try content(other)
                #expect(left.map(\.points) == expected.map(\.points))
            }
        }
        #expect(try library.database.allTracks().isEmpty)
    }

    private func add(_ recordings: [([PointColumns], RecordingHeader)], to library: Library) throws -> Int64 {
        let number = try library.database.beginImportRun(["x"])
        let session = try library.database.beginImport(of: number)
        for (chunks, header) in recordings {
            let recording = try session.open()
            for chunk in chunks { try session.append(chunk, to: recording) }
            _ = try session.close(recording, header: header)
        }
        try session.finish()
        return number
    }

    @Test func `points without times stay with the others, and tracks without times altogether`() throws {
        var mixed = outing(start: Self.noon, count: 100)[0]
        for index in 40..<60 { mixed.times[index] = PointColumns.untimed }
        var untimed = outing(start: Self.noon, count: 100, latitude: 526_000_000)[0]
        untimed.times = untimed.times.map { _ in PointColumns.untimed }
        try library.database.add([mixed], source: "mixed.gpx")
        try library.database.add([untimed], source: "untimed.gpx")
        let track = try #require(try library.database.allTracks().first { $0.source == "mixed.gpx" })
        let half = AgeLimit(cutoff: (Self.noon + 50) * 1000, thinning: nil)
        #expect(try library.database.forget(half, ofTrack: track.number) == 40)
        _ = try library.database.add(RetentionRule(.layer("all"), days: 1))
        #expect(try apply(Self.now(7)).points == 60)
        #expect(try library.database.allTracks().map(\.source) == ["untimed.gpx"])
        #expect(try content(library).count == 1)
    }

    @Test func `what is removed by a rule is gone from editions`() throws {
        try fill(library)
        var published = EditionRule()
        published.delayDays = 0
        let edition = try library.database.addEdition(name: "public", rule: published, zones: [])
        let made = try library.currentLibrary(of: edition)
        let before = try made.database.totals().points
        _ = try library.database.add(RetentionRule(.device("car"), days: 4))
        let removed = try apply(Self.now(7)).points
        let left = try made.database.totals().points
        #expect(removed > 0 && left == before - removed)
        #expect(try made.database.eraseRemoved() == nil)
    }

    @Test func `a rule for a layer that is gone removes nothing, and one process applies rules at a time`() throws {
        try fill(library)
        _ = try library.database.addLayer(name: "old", condition: TrackCondition(parsing: "device = car"))
        let number = try library.database.add(RetentionRule(.layer("old"), days: 1))
        _ = try library.database.removeLayer(name: "old")
        #expect(try apply(Self.now(7)).points == 0)
        let lock = try #require(try library.database.lockForRetention())
        #expect(try library.applyRetention(at: Self.now(7)) { _ in } == nil)
        withExtendedLifetime(lock) {}
        #expect(try library.database.removeRetentionRule(number)?.rule.days == 1)
        #expect(try library.database.removeRetentionRule(number) == nil)
        #expect(try !library.isRetentionDue(at: Self.now(9)))
    }

    @Test func `an interrupted run is continued`() throws {
        try fill(library)
        _ = try library.database.add(RetentionRule(.layer("all"), days: 3))
        let now = Self.now(7)
        var left = 6
        _ = try library.applyRetention(
            at: now,
            isStopped: {
                left -= 1
                return left < 0
            }
        ) { _ in }
        let cutoff = try cutoff(3, at: now)
        #expect(try points { _ in true }.contains { $0[0] < cutoff })
        #expect(try library.isRetentionDue(at: now))
        _ = try apply(now)
        #expect(try !points { _ in true }.contains { $0[0] < cutoff })
        #expect(try library.verify() == [])
    }
}
