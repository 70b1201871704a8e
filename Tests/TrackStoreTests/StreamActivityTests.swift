import Database
import Files
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

/// The activity of a track of a stream, from the points that name one.
@Suite(.eachStore) struct StreamActivityTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A point each minute, 0.001° (111 m) further north, with a word for some.
    private func points(_ field: String, _ words: [String?], from minute: Int64 = 0) -> PointColumns {
        var points = PointColumns(
            unit: .decimal(places: 6), longitudes: words.map { _ in 13_400_000 },
            latitudes: words.indices.map { 52_500_000 + 1000 * (minute + Int64($0)) },
            times: words.indices.map { 1_600_000_020_000 + 60_000 * (minute + Int64($0)) }, segmentStarts: [])
        points.fields = [FieldColumn(name: field, values: .texts(words))]
        return points
    }

    private func activities(_ points: [PointColumns]) throws -> [String?] {
        let store = try TrackDatabase.fresh(folder)
        for points in points { try store.add([points], device: "phone") }
        #expect(try store.verify().isEmpty)
        return try store.allTracks().sorted { ($0.start ?? 0) < ($1.start ?? 0) }.map(\.activityWord)
    }

    private static let none = String?.none

    @Test(arguments: [
        ("activity", ["CYCLING", none, none, none, "CYCLING"], "ride"),
        ("motion", ["driving", "driving,stationary", "stationary", "driving", "driving"], "drive"),
        ("motionactivities", ["automotive", "automotive", "automotive", "stationary", "automotive"], "drive"),
        ("activity.type", ["walking", "walking", "walking", "walking", "walking"], "walk"),
        // Nothing that all agree on.
        ("motion", ["walking", "walking", "walking", "cycling", "cycling"], none),
        ("motion", ["stationary", "unknown", "stationary", none, none], none),
        // Only one way of four is named.
        ("activity", ["CYCLING", "CYCLING", none, none, none], none),
        ("activity", ["something", "something", "something", "something", "something"], none),
        ("comment", ["cycling", "cycling", "cycling", "cycling", "cycling"], none),
    ])
    func `a track does what its points name for most of its way`(
        field: String, words: [String?], activity: String?
    ) throws {
        #expect(try activities([points(field, words)]) == [activity])
    }

    @Test func `each track of a stream has its own activity`() throws {
        let morning = points("motion", ["walking", "walking", "walking"])
        let noon = points("motion", ["driving", "driving", "driving"], from: 300)
        #expect(try activities([noon, morning]) == ["walk", "drive"])
    }

    @Test func `fields that come later give the activity, and its grid is drawn again`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([points("speed", [nil, nil, nil])], device: "phone")
        let before = try #require(try store.allTracks().first)
        let revision = try store.head().revision
        try store.add([points("motion", ["cycling", "cycling", "cycling"])], device: "phone")
        let after = try #require(try store.allTracks().first)
        #expect(before.activityWord == nil && after.activityWord == "ride")
        #expect(after.id == before.id && after.number == before.number)
        #expect(try store.changes(since: revision).contains { $0.changed.contains(after.number) })
    }

    @Test func `removing a track keeps the activities of the others`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([points("motion", ["walking", "walking", "walking"])], device: "phone")
        try store.add([points("motion", ["driving", "driving", "driving"], from: 300)], device: "phone")
        let first = try #require(try store.allTracks().min { ($0.start ?? 0) < ($1.start ?? 0) })
        try store.markRemoved([first.id])
        #expect(try store.eraseRemoved() != .prevented)
        #expect(try store.allTracks().map(\.activityWord) == ["drive"])
        try store.add([points("motion", ["cycling", "cycling", "cycling"], from: 600)], device: "phone")
        #expect(try store.allTracks().compactMap(\.activityWord).sorted() == ["drive", "ride"])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the order of points makes no difference`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var words: [String?] = []
        while words.count < 300 {
            let word = [nil, "walking", "driving", "cycling", "stationary"][random.below(5)]
            words += [String?](repeating: word, count: 1 + random.below(60))
        }
        let whole = try TrackDatabase.fresh(folder, "whole")
        try whole.add([points("motion", words)], device: "phone")
        let parts = try TrackDatabase.fresh(folder, "parts")
        for start in stride(from: 0, to: words.count, by: 20).shuffled(using: &random) {
            let part = Array(words[start..<min(start + 20, words.count)])
            // Some points come without their words first.
            if random.below(2) == 0 {
                try parts.add([points("motion", part.map { _ in nil }, from: Int64(start))], device: "phone")
            }
            try parts.add([points("motion", part, from: Int64(start))], device: "phone")
        }
        #expect(try parts.content() == whole.content())
    }
}
