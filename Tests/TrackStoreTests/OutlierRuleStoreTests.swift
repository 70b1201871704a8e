import Database
import Files
import SQLite
import TestLibrary
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct OutlierRuleStoreTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let rules = [
        OutlierRule.standard, OutlierRule(metresPerSecond: 350, jumpMetresPerSecond: nil, accuracyMetres: 30),
        OutlierRule(metresPerSecond: 40, jumpMetresPerSecond: 20, accuracyMetres: 45),
    ]

    /// A recording with jumps of one point and of runs of points, and with accuracies between 5 and 50 m.
    private func outing(start: Int64, accurate: Bool = true) -> PointColumns {
        let count: Int64 = 300
        return PointColumns(
            unit: .decimal(places: 7),
            longitudes: (0..<count).map { 134_000_000 + $0 * 500 + ($0 % 50 == 20 || $0 % 150 / 6 == 5 ? 400_000 : 0) },
            latitudes: (0..<count).map { 525_000_000 + $0 % 9 * 100 },
            times: (0..<count).map { (start + $0 * 10) * 1000 },
            segmentStarts: [0],
            fields: accurate
                ? [
                    FieldColumn(
                        name: FieldName.horizontalAccuracy, values: .numbers(places: 0, (0..<count).map { 5 + $0 % 46 })
                    )
                ] : [])
    }

    private func fill(_ store: TrackDatabase) throws {
        try store.add([outing(start: 1_600_000_000)], source: "a.gpx")
        try store.add([outing(start: 1_600_100_000)], device: "phone")
        try store.add([outing(start: 1_600_200_000, accurate: false)], source: "b.gpx")
    }

    @Test(arguments: rules.indices)
    func `Tracks measured again equal tracks imported under the rule`(index: Int) throws {
        let rule = Self.rules[index]
        let judged = try TrackDatabase.fresh(folder, "judged")
        try fill(judged)
        let before = try judged.content()
        try judged.setOutlierRule(rule)
        let fresh = try TrackDatabase.fresh(folder, "fresh")
        try fresh.setOutlierRule(rule)
        try fill(fresh)
        #expect(try judged.content() == fresh.content())
        #expect(try judged.outlierRule() == rule)
        #expect(try judged.verify().isEmpty)
        // Nothing is deleted: with the old rule, everything is as before.
        try judged.setOutlierRule(.standard)
        #expect(try judged.content() == before)
    }

    @Test func `After a change of the rule the grid equals a grid built with it`() throws {
        let changed = try Library(folder: folder.path + "/changed")
        try fill(changed.database)
        try changed.catchUp()
        let before = try GridDump.lines(changed.grid)
        for rule in Self.rules.dropFirst() {
            try changed.database.setOutlierRule(rule)
            #expect(try changed.gridStatus() == .incompatible)
            try changed.catchUp()
            let fresh = try Library(folder: folder.path + "/\(rule.accuracyMetres ?? 0)")
            try fresh.database.setOutlierRule(rule)
            try fill(fresh.database)
            try fresh.catchUp()
            #expect(try GridDump.lines(changed.grid) == GridDump.lines(fresh.grid))
            #expect(try GridDump.lines(changed.grid) != before)
        }
        try changed.database.setOutlierRule(.standard)
        try changed.catchUp()
        #expect(try GridDump.lines(changed.grid) == before)
    }

    @Test func `Accuracies imported later exclude points that were stored before`() throws {
        let later = try Library(folder: folder.path + "/later")
        for device in [nil, "phone"] {
            try later.database.add([outing(start: 1_600_000_000, accurate: false)], device: device)
        }
        try later.database.setOutlierRule(Self.rules[1])
        try later.catchUp()
        for device in [nil, "phone"] { try later.database.add([outing(start: 1_600_000_000)], device: device) }
        try later.catchUp()
        let tracks = try later.database.allTracks()
        #expect(tracks.count == 2 && tracks.allSatisfy { $0.outliers[.inaccurate] != nil })
        let atOnce = try Library(folder: folder.path + "/once")
        try atOnce.database.setOutlierRule(Self.rules[1])
        for device in [nil, "phone"] { try atOnce.database.add([outing(start: 1_600_000_000)], device: device) }
        try atOnce.catchUp()
        #expect(try later.database.content() == atOnce.database.content())
        #expect(try GridDump.lines(later.grid) == GridDump.lines(atOnce.grid))
    }

    @Test func `Interrupted measuring continues when the library is opened`() throws {
        let store = try TrackDatabase.fresh(folder)
        try fill(store)
        let rule = Self.rules[2]
        let expected = try TrackDatabase.fresh(folder, "expected")
        try fill(expected)
        try expected.setOutlierRule(rule)
        try store.write { writer in try writer.session.transaction { try OutlierRuleStore.set(rule, writer.session) } }
        #expect(try store.content() != expected.content())
        #expect(try TrackDatabase.fresh(folder).content() == expected.content())
    }

    @Test func `The lengths of an earlier version are measured once again, and nothing is drawn anew`() throws {
        let store = try TrackDatabase.fresh(folder)
        try fill(store)
        try store.setOutlierRule(Self.rules[1])
        let expected = try store.content()
        let track = try #require(try store.allTracks().first { $0.metres > 0 })
        let head = try store.head().revision
        try store.write { writer in
            try writer.session.transaction {
                try writer.session.run("UPDATE track SET metres = metres * 0.998", [])
                try writer.session.run("DELETE FROM meta WHERE name = 'measurement'", [])
            }
        }
        let opened = try TrackDatabase.fresh(folder)
        #expect(try opened.content() == expected)
        #expect(try opened.outlierRule() == Self.rules[1])
        let changes = try opened.changes(since: head)
        #expect(changes.flatMap(\.metadataChanged).contains(track.number) && changes.allSatisfy(\.changed.isEmpty))
        let after = try opened.head().revision
        #expect(try TrackDatabase.fresh(folder).head().revision == after)
    }

    @Test func `Each excluded point is listed with its accuracy`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.setOutlierRule(Self.rules[1])
        try fill(store)
        for track in try store.allTracks() {
            var told: [OutlierPoint] = []
            try store.read { try $0.forEachOutlier(of: track) { told.append($0) } }
            let counts = Dictionary(grouping: told, by: \.outlierReason).mapValues(\.count)
            #expect(counts == track.outliers)
            #expect(told.allSatisfy { $0.outlierReason != .inaccurate || $0.accuracy == UInt32(5 + $0.index % 46) })
        }
    }
}
