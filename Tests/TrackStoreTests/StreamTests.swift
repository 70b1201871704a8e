import Database
import Files
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

@Suite(.eachStore) struct StreamTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Seconds of points with pauses of many lengths between them.
    private func seconds(seed: UInt64, count: Int) -> [Int64] {
        var random = SeededRandom(seed: seed)
        var second: Int64 = 1_600_000_000
        return (0..<count).map { _ in
            second += Int64(random.below(12) == 0 ? random.below(5000) : 1 + random.below(60))
            return second
        }
    }

    @Test func `A stream is cut at pauses`() throws {
        let store = try TrackDatabase.fresh(folder)
        let first: [Int64] = [0, 60, 120, 180]
        let second: [Int64] = [180 + 1801, 180 + 1860]
        let outcome = try store.add([trickle(first + second)], device: "phone")
        #expect(outcome.newTracks == 2)
        #expect(outcome.points == 6)
        let tracks = try store.allTracks()
        #expect(tracks.map(\.points) == [2, 4])
        #expect(tracks.allSatisfy { $0.isStream && $0.device == "phone" })
        #expect(try store.verify().isEmpty)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Points added in any order give the same tracks as a batch`(seed: UInt64) throws {
        let seconds = seconds(seed: seed, count: 400)
        let batch = try TrackDatabase.fresh(folder, "batch")
        try batch.add([trickle(seconds)], device: "phone")
        let expected = try batch.content()
        #expect(expected.count > 3)

        var random = SeededRandom(seed: seed + 100)
        let single = try TrackDatabase.fresh(folder, "trickle")
        let shuffled = seconds.shuffled(using: &random)
        var position = 0
        while position < shuffled.count {
            // Some points come twice.
            let start = max(0, position - random.below(4))
            let end = min(shuffled.count, position + 1 + random.below(9))
            let outcome = try single.add([trickle(Array(shuffled[start..<end]))], device: "phone")
            #expect(outcome.points == end - position)
            #expect(outcome.duplicatePoints == position - start)
            position = end
        }
        #expect(try single.content() == expected)
        #expect(try single.verify().isEmpty)
    }

    @Test func `Streams of many chunks are the same in whatever order they grow`() throws {
        let seconds = (0..<30_000).map { 1_600_000_000 + Int64($0) * 3 }
        let batch = try TrackDatabase.fresh(folder, "batch")
        try batch.add(chunks(seconds), device: "phone")
        let blockwise = try TrackDatabase.fresh(folder, "blocks")
        var random = SeededRandom(seed: 3)
        // Every third point first, then the rest in blocks in random order.
        try blockwise.add(chunks(seconds.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)), device: "phone")
        let rest = seconds.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
        let blocks = stride(from: 0, to: rest.count, by: 3000).map { Array(rest[$0..<min($0 + 3000, rest.count)]) }
        for block in blocks.shuffled(using: &random) { try blockwise.add(chunks(block), device: "phone") }
        #expect(try blockwise.content() == batch.content())
        #expect(try blockwise.totals() == (1, 30_000))
        #expect(try blockwise.verify().isEmpty)
    }

    private func chunks(_ seconds: [Int64]) -> [PointColumns] {
        stride(from: 0, to: seconds.count, by: PointChunk.capacity).map {
            trickle(Array(seconds[$0..<min($0 + PointChunk.capacity, seconds.count)]))
        }
    }

    @Test func `A joined track keeps the older id and is found by both`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([trickle([10_000, 10_060])], device: "phone")
        let older = try #require(try store.allTracks().first)
        try store.add([trickle([5000, 5060])], device: "phone")
        let younger = try #require(try store.allTracks().last)
        #expect(younger.number > older.number)
        try store.add([trickle([6500, 8200])], device: "phone")
        #expect(try store.allTracks().map(\.id) == [older.id])
        #expect(try store.track(id: younger.id)?.number == older.number)
        let change = try #require(try store.changes(since: 0).last)
        #expect(change.changed == [older.number])
        #expect(change.removed == [younger.number])
    }

    @Test func `Duplicate points change nothing and are reported`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([trickle([1, 2, 3])], device: "phone")
        let before = try store.head()
        let outcome = try store.add([trickle([1, 2, 3])], device: "phone")
        #expect(outcome.points == 0)
        #expect(outcome.duplicatePoints == 3)
        #expect(outcome.newTracks == 0)
        #expect(try store.head() == before)
    }

    @Test func `The fields of a repeated point are merged`() throws {
        let store = try TrackDatabase.fresh(folder)
        var withHeight = trickle([1, 2, 3])
        withHeight.fields = [FieldColumn(name: "ele", values: .numbers(places: 0, [7, FieldColumn.absent, 9]))]
        try store.add([trickle([1, 2, 3])], device: "phone")
        let number = try store.trackNumbers()
        try store.add([withHeight], device: "phone")
        // Elevations are drawn.
        #expect(try store.changes(since: 1).map(\.changed) == [number])
        #expect(try store.content().first?.points.fields == withHeight.fields)
        var withPulse = trickle([1, 2, 3, 4])
        withPulse.fields = [FieldColumn(name: "hr", values: .numbers(places: 0, [70, 71, 72, 73]))]
        try store.add([trickle([1, 2, 3, 4])], device: "phone")
        try store.add([withPulse], device: "phone")
        #expect(try store.changes(since: 3).map(\.metadataChanged) == [number])
        #expect(try store.changes(since: 3).map(\.changed) == [[]])
    }

    @Test func `Points of a device without time are stored as a file recording`() throws {
        let store = try TrackDatabase.fresh(folder)
        var chunk = trickle([1, 2, 3, 4])
        chunk.times[1] = PointColumns.untimed
        chunk.times[3] = PointColumns.untimed
        let outcome = try store.add([chunk], device: "phone")
        #expect(outcome.newTracks == 2)
        #expect(outcome.points == 4)
        #expect(outcome.untimed == 2)
        #expect(try store.allTracks().map(\.points) == [2, 2])
        let again = try store.add([chunk], device: "phone")
        #expect(again.points == 0)
        #expect(again.duplicatePoints == 4)
    }

    @Test func `Devices and persons have streams of their own`() throws {
        let store = try TrackDatabase.fresh(folder)
        for (person, device) in [(nil, "a"), (nil, "b"), ("ada", "a")] as [(String?, String)] {
            let header = RecordingHeader(person: person, device: device, source: "s")
            #expect(try store.add([([trickle([1, 2])], header)]).newTracks == 1)
        }
        #expect(try store.allTracks().count == 3)
    }

    @Test func `Another gap rule cuts the whole stream again`() throws {
        let seconds: [Int64] = [0, 100, 200, 1200, 1300]
        let store = try TrackDatabase.fresh(folder)
        try store.add([trickle(seconds)], device: "phone")
        #expect(try store.allTracks().count == 1)
        let header = RecordingHeader(device: "phone", source: "a.gpx", gap: .pause(milliseconds: 300_000))
        try store.add([([trickle([0])], header)])
        #expect(try store.allTracks().map(\.points) == [2, 3])

        let other = try TrackDatabase.fresh(folder, "other")
        try other.add([([trickle([0])], header)])
        try other.add([trickle(seconds)], device: "phone")
        #expect(try other.content() == store.content())
    }

    @Test func `Removing a track of a stream removes its points`() throws {
        let store = try TrackDatabase.fresh(folder)
        let first: [Int64] = [0, 60, 120]
        let middle: [Int64] = [3000, 3060]
        let last: [Int64] = [6000, 6060]
        try store.add([trickle(first + middle + last)], device: "phone")
        let doomed = try #require(try store.allTracks().first { $0.start == 3_000_000 })
        try store.markRemoved([doomed.id])
        let never = try TrackDatabase.fresh(folder, "never")
        try never.add([trickle(first + last)], device: "phone")
        #expect(try store.content() == never.content())
        #expect(try store.eraseRemoved() != .prevented)
        #expect(try store.add([trickle(middle)], device: "phone").points == 2)
    }
}
