import Database
import Digest
import Dispatch
import Files
import Foundation
import Locking
import Replay
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

@Suite("Recorded points", .eachStore)
struct RecordingTests {
    typealias Point = SyntheticRecording.Point
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func library(_ name: String) throws -> Library {
        try Library(folder: folder.path + "/" + name, zoneIfNew: "Europe/Berlin")
    }

    /// The content from which tiles are drawn, without the numbers of tracks.
    private func grid(_ library: Library) throws -> [String] {
        try [
            "SELECT key, digest, visits, cells, dense FROM tiles ORDER BY 1", "SELECT * FROM sums ORDER BY 1",
            "SELECT * FROM histograms ORDER BY 1", "SELECT key, digest, bytes FROM lines ORDER BY 1",
            // Without the checksums at the end, which include the numbers.
            """
            SELECT seed, activity, start, first_day, last_day, substr(tiles, 1, length(tiles) - 8),
            substr(months, 1, length(months) - 8) FROM tracks ORDER BY 1
            """,
        ].flatMap { sql in
            try library.grid.database.snapshot { session in
                try session.rows(sql) { row in
                    (0..<row.columnCount).map { ContentDigest(of: row.blob($0)).description }.joined(separator: " ")
                }
            }
        }
    }

    /// Every event of a replay of all tracks, with the tracks' ids replaced by their order.
    private func frames(_ library: Library) throws -> [String] {
        let source = try #require(try TrackReplaySource(library, layer: "all"))
        var sequence = try ReplaySequence(
            ReplayQuery(.window(from: nil, to: nil, layer: ReplayQuery.everyTrack)), source: source)
        var ids: [String: Int] = [:]
        for track in try library.database.allTracks() { ids[track.id] = ids.count }
        var events: [String] = []
        while let event = try sequence.next() {
            var text = "\(event.name) " + String(decoding: event.data, as: UTF8.self)
            for (id, number) in ids { text = text.replacing("\"\(id)\"", with: "\(number)") }
            guard event.name != .start else { continue }
            events.append(text)
        }
        return events
    }

    private func plain(_ content: [TrackContent]) -> [TrackContent] {
        content.map { content in
            var content = content
            content.track.source = ""
            content.points.fields.removeAll { $0.name == FieldName.repeats }
            return content
        }
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `Points recorded in any order and grouping equal a batch and an import`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let distinct = SyntheticRecording(seed: seed, count: 110).points
        // Some points come again, once or several times.
        let points = distinct + (0..<40).map { _ in distinct[random.below(distinct.count)] }

        let batch = try library("batch")
        let whole = RecordingBuffer(database: batch.database)
        try whole.add([SyntheticRecording.recorded(points)])
        try whole.stop()
        try batch.catchUp()

        let trickle = try library("trickle")
        let buffer = RecordingBuffer(database: trickle.database)
        var rest = points.shuffled(using: &random)[...]
        while !rest.isEmpty {
            let taken = rest.prefix(random.below(3) == 0 ? 1 + random.below(40) : 1)
            rest = rest.dropFirst(taken.count)
            try buffer.add([SyntheticRecording.recorded(Array(taken))])
            if random.below(12) == 0 { try buffer.flush() }
            if random.below(30) == 0 { try trickle.catchUp() }
        }
        try buffer.stop()
        try trickle.catchUp()

        let imported = try library("imported")
        try imported.database.add([SyntheticRecording.chunk(points)], source: "a.gpx", device: "phone")
        try imported.catchUp()

        let expected = try batch.database.content()
        #expect(expected.count > 2)
        #expect(try batch.database.allTracks().contains { $0.outliers[.jump] ?? 0 > 1 })
        #expect(try trickle.database.content() == expected)
        #expect(try plain(imported.database.content()) == plain(expected))
        #expect(try grid(trickle) == grid(batch))
        #expect(try grid(imported) == grid(batch))
        let played = try frames(batch)
        #expect(played.count > 100)
        #expect(try frames(trickle) == played)
        #expect(try frames(imported) == played)
        let fed = try GridDump.lines(trickle.grid)
        try trickle.rebuild()
        #expect(try GridDump.lines(trickle.grid) == fed)
        #expect(try trickle.database.verify().isEmpty)
    }

    @Test func `The repeat count of a location does not depend on the order`() throws {
        let point = Point(second: 100, longitude: 1, latitude: 1)
        let other = Point(second: 101, longitude: 2, latitude: 1)
        for grouping in [
            [[point, point, point, other]], [[point], [other], [point], [point]], [[other, point], [point, point]],
        ] {
            let database = try TrackDatabase.fresh(folder, "repeats\(grouping.count)")
            let buffer = RecordingBuffer(database: database)
            for part in grouping {
                try buffer.add([SyntheticRecording.recorded(part)])
                try buffer.flush()
            }
            let fields = try database.content().first?.points.fields
            #expect(
                fields == [FieldColumn(name: "repeats", values: .numbers(places: 0, [3, FieldColumn.absent]))])
        }
    }

    @Test func `Repeats are added to a count given by the device`() throws {
        var chunk = SyntheticRecording.chunk([Point(second: 100, longitude: 1, latitude: 1)])
        chunk.fields = [FieldColumn(name: "repeats", values: .numbers(places: 0, [4]))]
        let database = try TrackDatabase.fresh(folder)
        let buffer = RecordingBuffer(database: database)
        for _ in 0..<2 {
            try buffer.add([RecordedPoints(person: nil, device: "d", source: "t", points: chunk)])
        }
        try buffer.stop()
        #expect(try database.content().first?.points.fields.map(\.values) == [.numbers(places: 0, [8])])
    }

    @Test func `Points buffered by a killed process are moved once, by the next process`() throws {
        let database = try TrackDatabase.fresh(folder)
        let points = SyntheticRecording(seed: 9, count: 50).points
        do {
            // Released without being stopped, like a killed process.
            let killed = RecordingBuffer(database: database)
            try killed.add([SyntheticRecording.recorded(points)])
            #expect(killed.counts.buffered == 50)
            #expect(try database.totals().points == 0)
        }
        var next = RecordingBuffer(database: database)
        let isMoved = try eventually {
            if try database.totals().points == 0 { next = RecordingBuffer(database: database) }
            return try database.totals().points == Set(points).count
        }
        #expect(isMoved)
        let content = try database.content()
        try next.stop()
        _ = RecordingBuffer(database: database)
        #expect(try database.content() == content)
    }

    @Test(arguments: 0...3)
    func `A flush interrupted between devices continues from there`(done: Int) throws {
        let database = try TrackDatabase.fresh(folder)
        let devices = ["a", "b", "c"]
        // Each location comes twice, so that moving it again would change the counts.
        let points = [Point(second: 5, longitude: 1, latitude: 1), Point(second: 5, longitude: 1, latitude: 1)]
        let recorded = devices.map { SyntheticRecording.recorded(points, device: $0) }
        for _ in 0..<2 {
            _ = try database.moveRecorded(
                RecordedLog(recorded.prefix(done)), ofLog: "s-1.points", samplingMilliseconds: nil)
            let late = try database.moveRecorded(
                RecordedLog(recorded), ofLog: "s-1.points", samplingMilliseconds: nil, isPastDeadline: { true })
            #expect(late == nil || done == devices.count)
        }
        _ = try database.moveRecorded(RecordedLog(recorded), ofLog: "s-1.points", samplingMilliseconds: nil)
        let counts = try database.content().flatMap { $0.points.fields.map(\.values) }
        #expect(counts == [.numbers(places: 0, [2]), .numbers(places: 0, [2]), .numbers(places: 0, [2])])
        #expect(try database.recordedLogs() == ["s-1.points"])
        try database.deleteProgress(log: "s-1.points")
        #expect(try database.recordedLogs().isEmpty)
    }

    @Test func `An incomplete entry of a log does not affect other entries`() throws {
        let entries = (0..<20).map { index in [UInt8](repeating: UInt8(index), count: index * 7) }
        let log = entries.flatMap { LogFrame.framed($0) }
        #expect(LogFrame.entries(of: log) == entries)
        for end in stride(from: 0, to: log.count, by: 13) {
            let whole = LogFrame.entries(of: Array(log[..<end]))
            #expect(whole.count <= entries.count && whole == Array(entries.prefix(whole.count)))
        }
        // An entry after a damaged one is found.
        let incomplete = Array(LogFrame.framed([1, 2, 3]).dropLast()) + LogFrame.framed([4, 5])
        #expect(LogFrame.entries(of: incomplete) == [[4, 5]])
    }

    @Test func `The earliest point of each period and every waypoint are kept`() throws {
        func seconds(_ list: [Int64], waypoints: Set<Int64> = []) -> [Point] {
            list.map { Point(second: $0, longitude: $0, latitude: 1, isWaypoint: waypoints.contains($0)) }
        }
        let points = seconds([9, 10, 12, 19, 20, 21, 35, 36, -1, -10, -11], waypoints: [12, 36])
        var random = SeededRandom(seed: 4)
        for round in 0..<4 {
            let database = try TrackDatabase.fresh(folder, "sampled\(round)")
            let buffer = RecordingBuffer(database: database, samplingMilliseconds: 10_000)
            for point in points.shuffled(using: &random) { try buffer.add([SyntheticRecording.recorded([point])]) }
            try buffer.flush()
            let times = try database.content().flatMap(\.points.times).map { $0 / 1000 - SyntheticRecording.epoch }
            #expect(times == [-11, -10, 9, 10, 12, 20, 35, 36])
            // A period that has a point in the library keeps it, whatever comes later.
            try buffer.add([SyntheticRecording.recorded(seconds([0, 11, 22, 40, 30]))])
            try buffer.flush()
            let later = try database.content().flatMap(\.points.times).map { $0 / 1000 - SyntheticRecording.epoch }
            #expect(later == [-11, -10, 9, 10, 12, 20, 35, 36, 40])
        }
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `Points sampled in order of time do not depend on the time of a flush`(seed: UInt64) throws {
        let points = SyntheticRecording(seed: seed, count: 150).points.sorted { $0.second < $1.second }
        let batch = try TrackDatabase.fresh(folder, "batch")
        let whole = RecordingBuffer(database: batch, samplingMilliseconds: 30_000)
        try whole.add([SyntheticRecording.recorded(points)])
        try whole.flush()
        let trickle = try TrackDatabase.fresh(folder, "trickle")
        let buffer = RecordingBuffer(database: trickle, samplingMilliseconds: 30_000)
        var random = SeededRandom(seed: seed)
        for point in points {
            try buffer.add([SyntheticRecording.recorded([point])])
            if random.below(6) == 0 { try buffer.flush() }
        }
        try buffer.flush()
        // If two places have the same time, a flush between them decides which one is kept; so only times are compared.
        let times = try batch.content().flatMap(\.points.times)
        #expect(times.count < points.count * 3 / 4)
        #expect(try trickle.content().flatMap(\.points.times) == times)
    }

    @Test func `Logs of a killed process are sampled with their own period`() throws {
        let database = try TrackDatabase.fresh(folder)
        do {
            let killed = RecordingBuffer(database: database, samplingMilliseconds: 10_000)
            try killed.add([
                SyntheticRecording.recorded([3, 4, 5].map { Point(second: $0, longitude: 1, latitude: 1) })
            ])
        }
        let isMoved = try eventually {
            _ = RecordingBuffer(database: database)
            return try database.totals().points > 0
        }
        #expect(try isMoved && database.totals().points == 1)
    }

    @Test func `A stream with an unlimited number of different fields stays readable`() throws {
        let database = try TrackDatabase.fresh(folder)
        let buffer = RecordingBuffer(database: database)
        for round in 0..<20 as Range<Int64> {
            var chunk = SyntheticRecording.chunk([Point(second: round, longitude: 1, latitude: 1)])
            chunk.fields = (0..<250).map {
                FieldColumn(name: "f\(1000 + round * 250 + $0)", values: .numbers(places: 0, [$0]))
            }
            try buffer.add([RecordedPoints(person: nil, device: "d", source: "t", points: chunk)])
            if round % 9 == 0 { try buffer.flush() }
        }
        try buffer.stop()
        let content = try database.content()
        #expect(content.first?.points.count == 20)
        #expect(content.first?.points.fields.count == PointChunk.fieldLimit)
        #expect(content.first?.points.fields.first?.name == "f1000")
        // Fields without a column of their own are joined in one.
        let others = content.first?.points.fields.first { $0.name == FieldName.otherFields }
        guard case .texts(let texts)? = others?.values else {
            Issue.record("no other fields")
            return
        }
        #expect(
            texts.compactMap(\.self).flatMap { $0.split(separator: "; ") }.count == 5000 - PointChunk.fieldLimit + 1)
    }

    @Test func `A removal includes buffered points`() throws {
        let library = try library("removed")
        let buffer = RecordingBuffer(database: library.database)
        try buffer.add([SyntheticRecording.recorded([Point(second: 100, longitude: 1, latitude: 1)])])
        try buffer.flush()
        let id = try #require(try library.database.allTracks().first?.id)
        try buffer.add([SyntheticRecording.recorded([Point(second: 130, longitude: 1, latitude: 1)])])
        let backgroundLoop = BackgroundLoop { buffer.flushIfRequested() }
        #expect(try library.remove([id]) { _ in } == library.completeRemoval)
        backgroundLoop.stop()
        try buffer.stop()
        #expect(try library.database.totals() == (0, 0))
    }

    @Test func `A removal flushes the buffer of its own process without the files that others poll`() throws {
        let library = try library("removed")
        let buffer = RecordingBuffer(database: library.database, log: library.coordination.recordingLog)
        try buffer.add([SyntheticRecording.recorded([Point(second: 100, longitude: 1, latitude: 1)])])
        try buffer.flush()
        let id = try #require(try library.database.allTracks().first?.id)
        try buffer.add([SyntheticRecording.recorded([Point(second: 130, longitude: 1, latitude: 1)])])
        // Nobody calls `flushIfRequested`.
        #expect(try library.remove([id]) { _ in } == library.completeRemoval)
        #expect(buffer.counts.buffered == 0)
        #expect(try library.database.totals() == (0, 0))
        try buffer.stop()
        #expect(try library.coordination.recordingLog.flushSessions(timeoutMilliseconds: 0))
    }

    @Test(.onlySQLite("it damages the log")) func `A removal is incomplete if recorded points cannot be moved`() throws
    {
        let library = try library("stuck")
        let buffer = RecordingBuffer(database: library.database, log: library.coordination.recordingLog)
        try buffer.add([SyntheticRecording.recorded([Point(second: 100, longitude: 1, latitude: 1)])])
        try buffer.flush()
        let id = try #require(try library.database.allTracks().first?.id)
        try buffer.add([SyntheticRecording.recorded([Point(second: 130, longitude: 1, latitude: 1)])])
        let recording = library.folder + "/recording"
        let segment = try #require(try Folder.entries(of: recording).map(\.path).first { $0.hasSuffix(".points") })
        // An entry of a version that does not exist yet.
        let bytes = try #require(try AtomicFile.read(segment))
        try AtomicFile.write(LogFrame.framed([99]) + bytes, to: segment)
        #expect(try library.remove([id]) { _ in } == .serverUnconfirmed)
        #expect(buffer.counts.buffered == 1)
        try AtomicFile.write(bytes, to: segment)
        try buffer.stop()
        #expect(try library.database.totals().points == 1)
        #expect(try Folder.entries(of: recording).isEmpty)
    }

    @Test func `Two processes record to one library, and one moves the logs that the other left`() throws {
        let database = try TrackDatabase.fresh(folder)
        let other = try TrackDatabase.fresh(folder)
        let buffer = RecordingBuffer(database: database)
        func record(_ buffer: RecordingBuffer, _ seconds: Range<Int64>) throws {
            try buffer.add([
                SyntheticRecording.recorded(seconds.map { Point(second: $0, longitude: $0, latitude: 1) })
            ])
        }
        do {
            let killed = RecordingBuffer(database: other)
            try record(buffer, 0..<10)
            try record(killed, 5..<15)
            try buffer.flush()
            #expect(try database.totals().points == 10)
        }
        let isTakenOver = try eventually {
            try buffer.flush()
            return try database.totals().points == 15
        }
        #expect(isTakenOver)
        try buffer.stop()
        #expect(try database.hasMovedEverything())
    }

    @Test func `Points added during a flush are stored`() throws {
        let database = try TrackDatabase.fresh(folder)
        let buffer = RecordingBuffer(database: database)
        let backgroundLoop = BackgroundLoop { _ = try? buffer.flush() }
        for second in 0..<300 as Range<Int64> {
            try buffer.add([SyntheticRecording.recorded([Point(second: second, longitude: second, latitude: 1)])])
        }
        backgroundLoop.stop()
        try buffer.stop()
        #expect(try database.totals().points == 300)
        #expect(buffer.counts.buffered == 0)
        #expect(buffer.counts.recorded == 300)
        #expect(throws: RecordingStopped.self) {
            try buffer.add([SyntheticRecording.recorded([Point(second: 1, longitude: 1, latitude: 1)])])
        }
    }
}
