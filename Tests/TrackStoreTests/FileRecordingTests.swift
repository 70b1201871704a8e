import Database
import Files
import SQLite
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

@Suite(.eachStore) struct FileRecordingTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `Imported points are read unchanged`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunks = outing(start: 1_600_000_000, count: 9000, elevation: (0..<9000).map { $0 % 50 })
        let header = RecordingHeader(
            name: "Ride", activity: "ride", person: "ada", source: "a.gpx", attributes: ["creator": "x"])
        let outcome = try store.add([(chunks, header)])
        #expect(outcome.newTracks == 1)
        #expect(outcome.points == 9000)
        let track = try #require(try store.allTracks().first)
        #expect(track.name == "Ride")
        #expect(track.activity == .ride)
        #expect(track.personName == "ada")
        #expect(track.attributes == ["creator": "x"])
        #expect(track.start == 1_600_000_000_000)
        #expect(track.seconds == 8999)
        #expect(track.metres > 50_000)
        var read: [PointColumns] = []
        try store.forEachChunk(ofTrack: track.number) { read.append($0) }
        #expect(read == chunks)
        #expect(try store.track(id: track.id) == track)
        #expect(try store.persons() == [Person(number: 1, name: nil), Person(number: track.person, name: "ada")])
        #expect(try store.activities() == [.ride])
        #expect(try store.verify().isEmpty)
    }

    @Test func `Importing a file twice equals importing it once`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunks = outing(start: 1_600_000_000, count: 5000)
        try store.add(chunks)
        let before = try (store.head(), store.content())
        let outcome = try store.add(chunks)
        #expect(outcome.newTracks == 0)
        #expect(outcome.duplicateTracks == 1)
        #expect(outcome.duplicatePoints == 5000)
        #expect(try store.head() == before.0)
        #expect(try store.content() == before.1)
    }

    @Test func `A duplicate in the same session is reported`() throws {
        let store = try TrackDatabase.fresh(folder)
        let one = (outing(start: 1_600_000_000, count: 50), RecordingHeader(source: "a"))
        let outcome = try store.add([one, one])
        #expect(outcome.newTracks == 1)
        #expect(outcome.duplicateTracks == 1)
        #expect(try store.allTracks().count == 1)
    }

    @Test func `The chunk sizes of a reader do not change the stored chunks`() throws {
        let whole = outing(start: 1_600_000_000, count: 9000, elevation: (0..<9000).map { $0 % 50 })
        var table = PointColumns()
        for chunk in whole { table.append(chunk) }
        let store = try TrackDatabase.fresh(folder)
        let parts = [0..<1, 1..<3000, 3000..<7096, 7096..<9000].map { table.gathered($0) }
        try store.add(parts)
        let track = try #require(try store.allTracks().first)
        var read: [PointColumns] = []
        try store.forEachChunk(ofTrack: track.number) { read.append($0) }
        #expect(read.map(\.count) == whole.map(\.count))
        #expect(read == whole)
    }

    /// Four versions of the same recording, each with a value that the others lack.
    private static func readings() -> [([PointColumns], RecordingHeader)] {
        let bare = outing(start: 1_600_000_000, count: 300)
        let high = outing(
            start: 1_600_000_000, count: 300, elevation: (0..<300).map { $0 % 3 == 0 ? FieldColumn.absent : $0 })
        let higher = outing(
            start: 1_600_000_000, count: 300, elevation: (0..<300).map { $0 % 3 == 1 ? FieldColumn.absent : $0 + 5 },
            segments: [0, 150])
        var fine = outing(start: 1_600_000_000, count: 300, segments: [0, 20])
        fine[0].unit = .decimal(places: 9)
        fine[0].longitudes = fine[0].longitudes.map { $0 * 100 + 7 }
        fine[0].latitudes = fine[0].latitudes.map { $0 * 100 }
        fine[0].fields = [FieldColumn(name: "ele", values: .texts((0..<300).map { $0 == 4 ? "high" : nil }))]
        return [
            (bare, RecordingHeader(name: "b", activity: "ride", source: "b.gpx")),
            (high, RecordingHeader(name: "a", source: "a.gpx", attributes: ["k": "1"])),
            (higher, RecordingHeader(activity: "hike", source: "c.gpx", gap: .none, attributes: ["k": "0", "l": "2"])),
            (fine, RecordingHeader(source: "d.gpx", gap: .pause(milliseconds: 60_000))),
        ]
    }

    @Test func `Four versions of the same recording give the same result in every order`() throws {
        let readings = Self.readings()
        var expected: [TrackContent]?
        for (index, order) in permutations([0, 1, 2, 3]).enumerated() {
            let store = try TrackDatabase.fresh(folder, "order\(index)")
            for reading in order { try store.add([readings[reading]]) }
            let content = try store.content()
            #expect(content.count == 1)
            #expect(content == expected ?? content, "order \(order)")
            expected = content
            #expect(try store.verify().isEmpty)
        }
        let track = try #require(expected?.first)
        #expect(track.track.name == "a")
        #expect(track.track.activity == .hike)
        #expect(track.track.source == "a.gpx")
        #expect(track.track.gap == .pause(milliseconds: 60_000))
        #expect(track.track.attributes == ["k": "0", "l": "2"])
        #expect(track.points.segmentStarts == [0, 20, 150])
        #expect(track.points.unit == .decimal(places: 9))
    }

    private func permutations(_ items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func `A duplicate with a new name changes no tile, one with a new activity does`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunks = outing(start: 1_600_000_000, count: 100)
        try store.add([(chunks, RecordingHeader(source: "a"))])
        let number = try #require(try store.trackNumbers().first)
        try store.add([(chunks, RecordingHeader(name: "n", source: "a"))])
        try store.add([(chunks, RecordingHeader(activity: "ride", source: "a"))])
        let changes = try store.changes(since: 0)
        #expect(changes.map(\.added) == [[number], [], []])
        #expect(changes.map(\.metadataChanged) == [[], [number], []])
        #expect(changes.map(\.changed) == [[], [], [number]])
    }

    @Test(arguments: [("ele", true), ("mark", true), ("hr", false)])
    func `A duplicate with new fields that pictures show changes tiles`(field: String, isDrawn: Bool) throws {
        let store = try TrackDatabase.fresh(folder)
        var chunks = outing(start: 1_600_000_000, count: PointChunk.capacity + 10)
        try store.add(chunks)
        let number = try store.trackNumbers()
        let values = FieldColumn.Values.numbers(places: 0, Array(repeating: 1, count: 10))
        chunks[1].fields = [FieldColumn(name: field, values: values)]
        try store.add(chunks)
        #expect(try store.changes(since: 1).map(\.changed) == [isDrawn ? number : []])
        #expect(try store.changes(since: 1).map(\.metadataChanged) == [isDrawn ? [] : number])
    }

    @Test func `The same points of two persons are two tracks`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunks = outing(start: 1_600_000_000, count: 100)
        let outcome = try store.add([
            (chunks, RecordingHeader(source: "a")), (chunks, RecordingHeader(person: "ada", source: "a")),
        ])
        #expect(outcome.newTracks == 2)
        #expect(Set(try store.allTracks().map(\.id)).count == 2)
    }

    @Test func `Another recording of the same outing is reported and stored`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add(outing(start: 1_600_000_000, count: 100))
        let first = try #require(try store.allTracks().first)
        let near = try store.add(outing(start: 1_600_000_050, count: 3000, latitude: 525_000_001))
        #expect(near.similarTracks == [first.id])
        #expect(near.newTracks == 1)
        let later = try store.add(outing(start: 1_700_000_000, count: 100))
        let elsewhere = try store.add(outing(start: 1_600_000_000, count: 100, longitude: 0, latitude: 0))
        #expect(later.similarTracks.isEmpty)
        #expect(elsewhere.similarTracks.isEmpty)
    }

    /// Blocks of 4,000 points without any order, which take 20 bytes each.
    private func noise(blocks: Int) -> [PointColumns] {
        var random = SeededRandom(seed: 4)
        return (0..<blocks).map { block in
            PointColumns(
                unit: .decimal(places: 9),
                longitudes: (0..<4000).map { _ in Int64(random.below(360_000_000_000)) - 180_000_000_000 },
                latitudes: (0..<4000).map { _ in Int64(random.below(180_000_000_000)) - 90_000_000_000 },
                times: (0..<4000).map { _ in Int64(random.below(1_000_000_000_000)) },
                segmentStarts: block == 0 ? [0] : [])
        }
    }

    @Test(.onlySQLite("a trigger of SQLite makes it fail"))
    func `An import is stored although its provisional rows cannot be deleted`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunks = noise(blocks: 10)
        func run(leftBefore: Int = 0) throws -> RecordingOutcome {
            let session = try ImportSession(store: store, importNumber: ImportRecord.none, memoryBytes: 100_000)
            let recording = try session.open()
            for chunk in chunks { try session.append(chunk, to: recording) }
            #expect(try store.asideCount() == leftBefore + 1)
            let outcome = try session.close(recording, header: RecordingHeader(source: "long"))
            try session.finish()
            return outcome.outcome
        }
        #expect(try run().newTracks == 1)
        try store.write {
            try $0.session.run("CREATE TRIGGER kept BEFORE DELETE ON chunk BEGIN SELECT RAISE(ABORT, 'kept'); END")
        }
        #expect(try run().duplicateTracks == 1)
        #expect(try store.asideCount() == 1)
        try store.write { try $0.session.run("DROP TRIGGER kept") }
        #expect(try run(leftBefore: 1).duplicateTracks == 1)
        // The rows of the second run are deleted when the library is opened after the end of this process.
        #expect(try store.asideCount() == 1 && store.content().first?.points.count == 40_000)
    }

    @Test func `A long recording is written to provisional rows while it is read`() throws {
        let store = try TrackDatabase.fresh(folder)
        // 240,000 points are more than a session holds in memory.
        let chunks = noise(blocks: 60)
        let session = try store.beginImport()
        let abandoned = try session.open()
        let kept = try session.open()
        for chunk in chunks {
            try session.append(chunk, to: kept)
            try session.append(chunk, to: abandoned)
        }
        #expect(try store.allTracks().isEmpty)
        session.abandon(abandoned)
        let outcome = try session.close(kept, header: RecordingHeader(source: "long"))
        try session.finish()
        #expect(outcome.outcome.points == 240_000)
        #expect(try store.verify().isEmpty)
        let again = try store.add([(chunks, RecordingHeader(source: "long"))])
        #expect(again.duplicateTracks == 1)
        #expect(try store.content().first?.points.count == 240_000)
        #expect(try store.asideCount() == 0)
    }

    @Test func `A killed import leaves the database intact and no provisional rows`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add(outing(start: 1_600_000_000, count: 100))
        let before = try store.head()
        let number = try store.write { writer in
            try writer.writeProvisional([outing(start: 1, count: 10)[0].encoded()], number: nil, firstOrdinal: 0)
        }
        // A process counts as killed if nobody holds its lock.
        try store.write { writer in
            try writer.session.run("UPDATE track SET session = 'dead' WHERE number = $1", [.integer(number)])
        }
        let reopened = try TrackDatabase(folder: store.folder)
        #expect(try reopened.head() == before)
        #expect(try reopened.asideCount() == 0)
        #expect(try reopened.verify().isEmpty)
    }

    @Test func `An unfinished import leaves nothing`() throws {
        let folder = folder.path + "/killed"
        var killed: TrackDatabase? = try TrackDatabase(folder: folder)
        let before = try killed?.head()
        var session: ImportSession? = try killed?.beginImport()
        for index in 0..<3 {
            let recording = try #require(try session?.open())
            for chunk in outing(start: Int64(index * 10_000), count: 50) {
                try session?.append(chunk, to: recording)
            }
            if index < 2 { _ = try session?.close(recording, header: RecordingHeader(source: "a")) }
        }
        session = nil
        killed = nil
        let reopened = try TrackDatabase(folder: folder)
        #expect(try reopened.head() == before)
        #expect(try reopened.totals() == (0, 0))
        #expect(try reopened.add(outing(start: 0, count: 50)).newTracks == 1)
        #expect(try reopened.verify().isEmpty)
    }

    @Test func `The imports of two concurrent processes are merged`() throws {
        let one = try TrackDatabase.fresh(folder)
        let other = try TrackDatabase(folder: one.folder)
        let first = try one.beginImport()
        let second = try other.beginImport()
        for session in [first, second] {
            let recording = try session.open()
            for chunk in outing(start: 1_600_000_000, count: 50) { try session.append(chunk, to: recording) }
            _ = try session.close(recording, header: RecordingHeader(source: "a"))
        }
        try first.finish()
        try second.finish()
        #expect(try one.totals() == (1, 50))
        #expect(try other.changes(since: 0).count == 1)
    }

    @Test func `The provisional rows of a running import are not deleted`() throws {
        let store = try TrackDatabase.fresh(folder)
        _ = try store.write { writer in
            try writer.writeProvisional([outing(start: 1, count: 10)[0].encoded()], number: nil, firstOrdinal: 0)
        }
        #expect(try TrackDatabase(folder: store.folder).asideCount() == 1)
    }

    @Test func `An empty recording stores nothing`() throws {
        let store = try TrackDatabase.fresh(folder)
        #expect(try store.add([]) == RecordingOutcome())
        #expect(try store.head().revision == 0)
    }

    @Test func `Several threads import at once`() async throws {
        let store = try TrackDatabase.fresh(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for index in 0..<20 {
                        try store.add(outing(start: Int64(1_600_000_000 + worker * 5 + index * 1000), count: 200))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.totals() == (80, 16_000))
        #expect(try store.verify().isEmpty)
    }
}

extension TrackDatabase {
    /// The number of recordings with provisional rows.
    func asideCount() throws -> Int {
        try write { try Int($0.session.integer("SELECT count(*) FROM track WHERE state = 2") ?? 0) }
    }
}
