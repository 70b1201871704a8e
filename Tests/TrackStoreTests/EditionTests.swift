import Database
import Digest
import Editions
import Files
import Foundation
import Locking
import SampleTracks
import TestLibrary
import Testing
import Text
import TileMath
import TrackQuery
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

/// Editions: what they contain, and what they do not tell.
@Suite(.eachStore) struct EditionTests {
    private let folder: TemporaryFolder
    private let library: Library

    init() throws {
        folder = try TemporaryFolder()
        library = try Library(folder: folder.path + "/library", zoneIfNew: "Europe/Berlin")
    }

    /// Where `outing` begins.
    private static let home = RequestedZone(longitude: 134_000_000, latitude: 525_000_000, radiusMetres: 600)

    private func edition(_ rule: EditionRule = EditionRule(), zones: [RequestedZone] = [Self.home]) throws -> Edition {
        var rule = rule
        rule.delayDays = 0
        return try library.database.addEdition(name: "public", rule: rule, zones: zones)
    }

    /// Everything that readers of an edition can see, without its ids, which depend on its key.
    private func content(_ edition: Edition) throws -> (tracks: [TrackContent], grid: [String]) {
        let made = try library.currentLibrary(of: edition)
        #expect(try made.verify() == [])
        // Numbers of tracks, which are no part of the digests of tiles, depend on the order of changes.
        let tiles = try made.grid.read { reader in
            try [3, 9, 16].flatMap { zoom in
                try reader.occupiedTiles(zoom: ZoomLevel(zoom) ?? .deepestGrid, after: nil, limit: 100_000).map {
                    "\($0.packed) \(try reader.contentDigest(of: $0))"
                }
            }
        }
        let tracks = try made.database.content().map { content in
            var content = content
            content.track.personName = content.track.personName.map { _ in "somebody" }
            return content
        }
        return (tracks, tiles)
    }

    /// A ride from home eastwards and back, 300 points of 70 m, with fields that tell too much.
    private func ride(start: Int64 = 1_559_390_400, home: (Int64, Int64) = (134_000_000, 525_000_000)) -> [PointColumns]
    {
        let count = 300
        let way = (0..<count).map { min($0, count - 1 - $0) }
        let table = PointColumns(
            unit: .decimal(places: 7),
            longitudes: way.map { $0 == 0 ? home.0 : 134_000_000 + Int64($0) * 10_010 },
            latitudes: way.map { $0 == 0 ? home.1 : 525_000_000 + Int64($0 % 3) * 100 },
            times: (0..<Int64(count)).map { (start + $0 * 5) * 1000 }, segmentStarts: [0],
            fields: [
                FieldColumn(name: FieldName.distance, values: .numbers(places: 0, (0..<Int64(count)).map { $0 * 70 })),
                FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, way.map { 400 + Int64($0) })),
                FieldColumn(name: FieldName.heartRate, values: .numbers(places: 0, way.map { 90 + Int64($0 % 50) })),
            ])
        return [table]
    }

    @Test func `an edition has no point within a zone, and no line through it`() throws {
        try library.database.add(ride(), source: "home.gpx")
        let edition = try edition()
        let made = try library.currentLibrary(of: edition)
        let track = try #require(try made.database.allTracks().first)
        let points = try made.database.points(of: track)
        let zone = try #require(edition.rule.zones.first)
        #expect(points.count > 100 && points.count < 300)
        for index in 0..<points.count {
            let metres = Geodesy.metres(
                zone.centreLongitude, zone.centreLatitude, Int32(points.longitudes[index] * 1),
                Int32(points.latitudes[index]))
            #expect(metres > 600 * 0.99)
        }
        // Only what belongs to a point alone is published, and nothing of the file.
        #expect(points.fields.map(\.name) == [FieldName.elevation])
        #expect(track.source == "" && track.name == nil && track.attributes.isEmpty)
        #expect(try made.database.track(id: library.database.allTracks()[0].id) == nil)
    }

    @Test func `moving what is hidden changes nothing`() throws {
        let edition = try edition()
        try library.database.add(ride(home: (134_000_000, 525_000_000)), source: "a.gpx")
        try library.database.add(ride(start: 1_559_800_000, home: (134_003_333, 525_001_111)), source: "b.gpx")
        let first = try content(edition)
        let revision = try library.currentLibrary(of: edition).database.head()
        let tracks = try library.database.allTracks()
        _ = try library.remove(tracks.map(\.id)) { _ in }
        try library.database.add(ride(home: (134_000_099, 525_000_777)), source: "c.gpx")
        try library.database.add(ride(start: 1_559_800_000, home: (133_998_888, 524_999_123)), source: "d.gpx")
        let second = try content(edition)
        #expect(first.tracks == second.tracks && !first.tracks.isEmpty)
        #expect(first.grid == second.grid)
        // Without a removal in between, not even the revision changes.
        let other = try Library(folder: folder.path + "/other", zoneIfNew: "Europe/Berlin")
        try other.database.add(ride(home: (134_000_001, 525_000_000)), source: "a.gpx")
        #expect(try library.currentLibrary(of: edition).database.head() != revision)
    }

    @Test func `an edition that follows the library equals a new one`() throws {
        for track in SampleTracks(SampleSpec(size: .tracks(12), seed: 3)) {
            let session = try library.database.beginImport()
            _ = try track.write(to: session)
            try session.finish()
        }
        let edition = try edition()
        _ = try content(edition)
        try library.database.add(ride(), source: "a.gpx")
        try library.database.add(
            [trickle((0..<400).map { 1_559_400_000 + $0 * 20 })], source: "r.json", device: "phone")
        _ = try content(edition)
        let tracks = try library.database.allTracks()
        var edit = TrackEdit()
        edit.activity = "run"
        _ = try library.database.edit([tracks[0].id, tracks[3].id], edit)
        _ = try library.remove([tracks[1].id, tracks[5].id]) { _ in }
        let followed = try content(edition)
        try library.removeEdition(named: "public")
        #expect(!library.hasLibrary(edition) || !library.database.storage.isReadOnly)
        let new = try self.edition()
        // The names of persons are made of it.
        try library.database.write { writer in
            try writer.session.run("UPDATE edition SET key = $1 WHERE id = $2", [.blob(edition.key), .text(new.id)])
        }
        let anew = try content(try #require(try library.database.editions().first))
        #expect(followed.tracks == anew.tracks && followed.tracks.count > 10)
        #expect(followed.grid == anew.grid)
    }

    @Test func `what two tracks show alike stays until both are removed`() throws {
        // Whole, and as a program exported it that had cut off what the zone hides.
        let whole = ride()[0]
        try library.database.add([whole], source: "a.gpx")
        let edition = try edition()
        let shown = try content(edition).tracks
        let zone = try #require(edition.rule.zones.first)
        var cutter = PointCutter(zones: [zone], times: Int64.min + 1..<Int64.max, showsUntimed: true)
        let visible = cutter.cut(whole)
        let cut = try #require(visible)
        try library.database.add([cut], source: "b.gpx")
        #expect(try content(edition).tracks == shown)
        let tracks = try library.database.allTracks()
        #expect(tracks.count == 2)
        _ = try library.remove([try #require(tracks.first { $0.source == "a.gpx" }).id]) { _ in }
        #expect(try content(edition).tracks == shown)
        _ = try library.remove([try #require(tracks.first { $0.source == "b.gpx" }).id]) { _ in }
        #expect(try content(edition).tracks.isEmpty)
    }

    @Test func `points are released at midnight after whole days`() throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        let day = calendar.day(of: 1_559_390_400_000)
        var rule = EditionRule()
        rule.delayDays = 2
        try library.database.add(ride(start: calendar.start(ofDay: day + 1) / 1000 - 700), source: "midnight.gpx")
        let edition = try library.database.addEdition(name: "late", rule: rule, zones: [])
        let made = try library.library(of: edition)
        let update = EditionUpdate(of: made, edition: edition, from: library)
        func points(_ instant: Int64) throws -> Int {
            try update.run(at: instant)
            #expect(try update.isCurrent(at: instant))
            return try made.database.totals().points
        }
        let release = calendar.start(ofDay: day + 3)
        #expect(try points(release - 1) == 0)
        #expect(try points(release) == 140)
        #expect(try points(calendar.start(ofDay: day + 4) - 1) == 140)
        #expect(try points(calendar.start(ofDay: day + 4)) == 300)
        // A clock that was wrong takes back what it has released.
        #expect(try points(release) == 140)
        try made.catchUp()
        #expect(try made.verify() == [])
    }

    @Test func `conditions test what is visible`() throws {
        try library.database.add(ride(), source: "a.gpx")
        let whole = try #require(try library.database.allTracks().first)
        var rule = EditionRule()
        rule.condition = try TrackCondition(parsing: "metres > \(Int(whole.metres) - 300)")
        #expect(try content(edition(rule)).tracks.isEmpty)
    }

    @Test func `persons have other names, and the owner none`() throws {
        for (person, start) in [(nil, 0), ("ada", 10_000), ("bea", 20_000), ("ada", 30_000)] as [(String?, Int64)] {
            try library.database.add(
                ride(start: 1_559_390_400 + start),
                RecordingHeader(name: "Home to work", activity: "ride", person: person, source: "x.gpx"))
        }
        let edition = try edition(zones: [])
        let tracks = try library.currentLibrary(of: edition).database.content().map(\.track)
        #expect(tracks.map(\.activityWord) == ["ride", "ride", "ride", "ride"])
        #expect(tracks.allSatisfy { $0.name == nil })
        let names = tracks.map { $0.personName ?? "" }
        #expect(Set(names).count == 3 && names[0].isEmpty && names[1] == names[3])
        #expect(names.allSatisfy { !$0.contains("ada") && !$0.contains("bea") })
    }

    @Test func `zones around one place share a centre`() throws {
        let rule = EditionRule()
        let database = library.database
        let first = try database.addEdition(name: "a", rule: rule, zones: [Self.home])
        var near = Self.home
        near.longitude += 2000
        near.radiusMetres = 1500
        let second = try database.addEdition(name: "b", rule: rule, zones: [near])
        let zones = [first, second].compactMap { $0.rule.zones.first }
        #expect(zones.count == 2 && zones[0].centreLongitude == zones[1].centreLongitude)
        #expect(zones[0].centreLatitude == zones[1].centreLatitude && zones[1].radiusMetres == 1500)
        // Also after it was removed.
        _ = try database.removeEdition(name: "a")
        let third = try database.addEdition(name: "a", rule: rule, zones: [Self.home])
        #expect(third.rule.zones == first.rule.zones)
        // A disc that does not contain its place would point to it.
        let offset = Geodesy.metres(
            zones[0].centreLongitude, zones[0].centreLatitude, Self.home.longitude, Self.home.latitude)
        var small = Self.home
        small.radiusMetres = Int(offset / PrivacyZone.offsetShare)
        if PrivacyZone.radii.contains(small.radiusMetres) {
            #expect(throws: EditionError.self) { try database.addEdition(name: "c", rule: rule, zones: [small]) }
        }
        // Links hide the greatest radius that was ever asked for, and every place once.
        let hidden = try database.addLinkEdition(rule: rule, zones: [Self.home]).rule.zones
        #expect(Set(hidden.map(\.radiusMetres)) == [600, 1500])
        #expect(Set(hidden.map(\.centreLongitude)) == [zones[0].centreLongitude])
        #expect(try database.read { try $0.hiddenPlaceCount() } == 1)
        #expect(throws: EditionError.exists("a")) { try database.addEdition(name: "a", rule: rule, zones: []) }
        #expect(throws: EditionError.badName("-")) { try database.addEdition(name: "-", rule: rule, zones: []) }
        #expect(try database.editions().filter { !$0.isOfLink }.map(\.name) == ["a", "b"])
    }

    @Test func `what has no time is shown only where all times are`() throws {
        var untimed = ride()[0]
        untimed.times = untimed.times.map { _ in PointColumns.untimed }
        try library.database.add([untimed], source: "drawn.gpx")
        let day = CivilDay(year: 2000, month: 1, day: 1)
        let restrictions: [(inout EditionRule) -> Void] = [
            { $0.from = day }, { $0.to = day }, { $0.since = 1_000_000_000_000 },
        ]
        for (index, restrict) in restrictions.enumerated() {
            var rule = EditionRule()
            rule.delayDays = 0
            restrict(&rule)
            let edition = try library.database.addEdition(name: "\(index)", rule: rule, zones: [])
            #expect(try library.currentLibrary(of: edition).database.totals().points == 0, "\(rule)")
        }
        #expect(try library.currentLibrary(of: edition(zones: [])).database.totals().points == 300)
    }

    @Test func `an edition that cannot be updated does not keep others from a removal`() throws {
        try library.database.add(ride(), source: "a.gpx")
        try library.database.add(ride(start: 1_559_800_000), source: "b.gpx")
        let editions = try ["a", "b", "c"].map { try library.database.addEdition(name: $0, rule: .atOnce, zones: []) }
        for edition in editions { #expect(try content(edition).tracks.count == 2) }
        let damaged = try library.library(of: editions[1])
        try damaged.database.write { try $0.session.run("DROP TABLE edition_source") }
        let track = try library.database.allTracks()[0]
        #expect(throws: (any Error).self) { try library.remove([track.id]) { _ in } }
        // It is gone everywhere else, and overwritten.
        #expect(try library.database.allTracks().count == 1)
        #expect(try library.database.eraseRemoved() == nil)
        for edition in [editions[0], editions[2]] {
            let made = try library.library(of: edition)
            #expect(try made.database.allTracks().count == 1 && made.database.eraseRemoved() == nil)
        }
    }

    @Test func `an edition that is removed while it is made leaves nothing`() throws {
        for index in 0..<20 {
            try library.database.add(ride(start: 1_559_390_400 + Int64(index) * 9000), source: "\(index)")
        }
        let edition = try edition()
        let made = try library.library(of: edition)
        let database = library.database
        let left = Countdown(7)
        #expect(throws: CancellationError.self) {
            try EditionUpdate(of: made, edition: edition, from: library).run(at: TrackDatabase.systemClock()) {
                if left.isOver {
                    _ = try? database.removeEdition(name: "public")
                    Thread.sleep(forTimeInterval: 0.3)
                }
                return false
            }
        }
        // Nor does another begin.
        #expect(throws: CancellationError.self) { try library.currentLibrary(of: edition) }
        guard !library.isShared else { return }
        let others = folder.path + "/library/editions/mine"
        try Folder.make(others)
        #expect(library.hasLibrary(edition))
        try library.deleteUnknownEditions()
        #expect(!library.hasLibrary(edition) && FileStatus.ifExists(of: others) != nil)
        // What exists stays.
        let other = try self.edition()
        _ = try content(other)
        try library.deleteUnknownEditions()
        #expect(library.hasLibrary(other))
    }

    @Test func `activities that are words of the owner are not published`() throws {
        for (activity, start) in [("Dr. Weber", 0), ("run", 10_000)] as [(String, Int64)] {
            try library.database.add(
                ride(start: 1_559_390_400 + start), RecordingHeader(activity: activity, source: "x.gpx"))
        }
        let tracks = try library.currentLibrary(of: edition(zones: [])).database.allTracks()
        #expect(Set(tracks.map(\.activityWord)) == ["other", "run"])
    }

    @Test func `an update that was stopped is completed by the next one`() throws {
        for index in 0..<20 {
            try library.database.add(ride(start: 1_559_390_400 + Int64(index) * 9000), source: "\(index)")
        }
        let edition = try edition()
        let made = try library.library(of: edition)
        let update = EditionUpdate(of: made, edition: edition, from: library)
        let left = Countdown(7)
        #expect(throws: CancellationError.self) {
            try update.run(at: TrackDatabase.systemClock(), isStopped: { left.isOver })
        }
        #expect(try !update.isCurrent(at: TrackDatabase.systemClock()))
        #expect(try content(edition).tracks.count == 20)
    }
}

extension EditionRule {
    /// Publishes all tracks, as a whole, without delay.
    fileprivate static var atOnce: EditionRule {
        var rule = EditionRule()
        rule.delayDays = 0
        return rule
    }
}

/// Becomes true at the nth question.
private final class Countdown: Sendable {
    private let left: Locked<Int>

    init(_ count: Int) { left = Locked(count) }

    var isOver: Bool {
        left.withLock { left in
            left -= 1
            return left < 0
        }
    }
}
