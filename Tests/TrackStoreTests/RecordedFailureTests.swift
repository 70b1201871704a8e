import Database
import Files
import TestLibrary
import Testing
import Tracks

@testable import PrimaryStore
@testable import RecordingStore

/// Recording while the points of one device cannot be stored.
@Suite(.eachStore) struct RecordedFailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The same location several times.
    private func recorded(_ device: String, times: Int = 1) -> RecordedPoints {
        let point = SyntheticRecording.Point(second: 5, longitude: 1, latitude: 1)
        return SyntheticRecording.recorded(Array(repeating: point, count: times), device: device)
    }

    /// Replaces the stored points of a device, and returns them.
    private func replacePoints(of device: String, with bytes: [UInt8] = [0], _ database: TrackDatabase) throws
        -> [UInt8]
    {
        try database.write { writer in
            let query = "stream = (SELECT number FROM stream WHERE device = $1)"
            let old = try writer.session.first("SELECT bytes FROM stream_chunk WHERE \(query)", [.text(device)]) {
                $0.blob(0)
            }
            try writer.session.run(
                "UPDATE stream_chunk SET bytes = $1 WHERE stream = (SELECT number FROM stream WHERE device = $2)",
                [.blob(bytes), .text(device)])
            return try #require(old)
        }
    }

    private func points(of device: String, _ database: TrackDatabase) throws -> Int {
        try database.read { try $0.points(ofDevice: device) } ?? 0
    }

    @Test func `A damaged stream of one device does not keep the points of others from the library`() throws {
        let database = try TrackDatabase.fresh(folder)
        func move(_ log: String, _ recorded: [RecordedPoints]) throws -> RecordingOutcome? {
            try database.moveRecorded(RecordedLog(recorded), ofLog: log, samplingMilliseconds: nil)
        }
        _ = try move("s-1.points", [recorded("b")])
        let bytes = try replacePoints(of: "b", database)
        let all = ["a", "b", "c"].map { recorded($0, times: 2) }
        // Each time from where it was interrupted: what is moved again would be counted again.
        for _ in 0..<3 { #expect(throws: LibraryError.self) { try move("s-2.points", all) } }
        #expect(try points(of: "a", database) == 1 && points(of: "c", database) == 1)
        _ = try replacePoints(of: "b", with: bytes, database)
        #expect(try move("s-2.points", all) != nil)
        let repeats = try database.content().flatMap { $0.points.fields.map(\.values) }
        #expect(repeats.filter { $0 == .numbers(places: 0, [2]) }.count == 2)
        #expect(repeats.filter { $0 == .numbers(places: 0, [3]) }.count == 1)
        #expect(try database.recordedLogs().sorted() == ["s-1.points", "s-2.points"])
    }

    @Test func `A segment that cannot be moved does not keep later segments from the library`() throws {
        let database = try TrackDatabase.fresh(folder)
        let buffer = RecordingBuffer(database: database)
        try buffer.add([recorded("a")])
        try buffer.flush()
        let bytes = try replacePoints(of: "a", database)
        try buffer.add([recorded("a")])
        #expect(throws: LibraryError.self) { try buffer.flush() }
        try buffer.add([recorded("b")])
        #expect(throws: LibraryError.self) { try buffer.flush() }
        #expect(try points(of: "b", database) == 1 && buffer.counts.buffered == 1)
        _ = try replacePoints(of: "a", with: bytes, database)
        try buffer.stop()
        #expect(buffer.counts.buffered == 0)
        #expect(try database.hasMovedEverything())
    }

    @Test func `A segment of a killed process that cannot be moved does not keep its later segments from the library`()
        throws
    {
        let database = try TrackDatabase.fresh(folder)
        do {
            let killed = RecordingBuffer(database: database)
            try killed.add([recorded("a")])
            try killed.flush()
            _ = try replacePoints(of: "a", database)
            try killed.add([recorded("a")])
            #expect(throws: LibraryError.self) { try killed.flush() }
            try killed.add([recorded("b")])
        }
        let isMoved = try eventually {
            _ = RecordingBuffer(database: database)
            return try points(of: "b", database) == 1
        }
        #expect(isMoved)
    }

    @Test func `Steps that were left out are not done, also after the progress was stored`() throws {
        let database = try TrackDatabase.fresh(folder)
        func stored(_ progress: RecordedProgress) throws -> RecordedProgress {
            try database.write { writer in
                try progress.store(ofLog: "log", writer.session)
                return try RecordedProgress(ofLog: "log", writer.session)
            }
        }
        var progress = RecordedProgress()
        var done: Set<Int> = []
        for step in [5, 7, 6, 1, 2, 10, 3, 4, 8, 9, 11] {
            progress = progress.with(step)
            done.insert(step)
            #expect((0...12).filter { progress.contains($0) } == done.sorted(), "\(step)")
            #expect(try stored(progress) == progress)
        }
        // As an earlier version stored it: the last of the steps that are done.
        try database.write { try Meta.set("recorded:earlier", to: .integer(3), $0.session) }
        let earlier = try database.read { try RecordedProgress(ofLog: "earlier", $0.session) }
        #expect((0...5).filter { earlier.contains($0) } == [1, 2, 3])
        #expect(try database.recordedLogs().sorted() == ["earlier", "log"])
        for log in ["earlier", "log"] { try database.deleteProgress(log: log) }
        #expect(
            try database.read { try $0.session.integer("SELECT count(*) FROM meta WHERE name LIKE 'recorded%'") } == 0)
    }
}
