import Decompression
import Files
import Foundation
import Locking
import Testing
import TrackImport
import Tracks

private let csv = "lat,lon,time\n1,2,1714550400\n3,4,1714550401\n"
private let options = ImportOptions(libraryZone: zone("UTC"), workers: 2)

private func write(_ bytes: [UInt8], _ path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
}

/// Runs an importer with sinks in memory, and collects its events.
private func run(
    _ paths: [String], isStopped: @escaping @Sendable () -> Bool = { false }
) -> (total: ImportReceipt, receipts: [FileReceipt], progress: [ImportProgress]) {
    let events = Locked<[ImportEvent]>([])
    let total = Importer(options: options) { CollectingSink() }.run(paths, isStopped: isStopped) { event in
        events.withLock { $0.append(event) }
    }
    let told = events.withLock { $0 }
    let receipts = told.compactMap { event in
        if case .finished(let receipt) = event { return receipt }
        return nil
    }
    let progress = told.compactMap { event in
        if case .progress(let progress) = event { return progress }
        return nil
    }
    return (total, receipts, progress)
}

/// A sink that accepts everything but cannot make it durable.
private final class ForgetfulSink: RecordingSink {
    struct DiskFull: Error {}

    func open() -> OpenRecording { OpenRecording(number: 1) }
    func append(_ chunk: PointColumns, to recording: OpenRecording) {}
    func end(_ recording: OpenRecording, header: RecordingHeader) -> (any EndedRecording)? { nil }
    func abandon(_ recording: OpenRecording) {}
    func finish() throws { throw DiskFull() }
}

/// A sink that refuses every recording, without an error of its own.
private final class RefusingSink: RecordingSink {
    func open() -> OpenRecording { OpenRecording(number: 1) }
    func append(_ chunk: PointColumns, to recording: OpenRecording) throws { throw RecordingRejected("too\nodd") }
    func end(_ recording: OpenRecording, header: RecordingHeader) -> (any EndedRecording)? { nil }
    func abandon(_ recording: OpenRecording) {}
    func finish() {}
}

@Suite struct ImporterTests {
    @Test func `A refused recording is a failure of the file, not of the library`() {
        let receipt = FileImport.read(
            MemorySource(Array(csv.utf8)), file: "a", name: "a", into: RefusingSink(), options: options)
        #expect(receipt.failure == .refused("too\nodd"))
        #expect(receipt.lines.last == "a: a track was refused: too odd")
    }

    @Test func `Control characters in a file name are replaced`() {
        let receipt = FileImport.read(
            MemorySource(Array(csv.utf8)), file: "a\nb\u{1B}[31m\u{2028}c", name: "a", into: CollectingSink(),
            options: options)
        #expect(receipt.lines.first == "a b [31m c: CSV, 1 track, 2 points")
        #expect(receipt.lines.allSatisfy { !$0.contains { $0.isNewline || $0 == "\u{1B}" } })
    }

    @Test func `Receipts come in file order and a failure does not affect other files`() throws {
        let folder = try TemporaryFolder()
        for number in 0..<20 {
            let text = number == 7 ? "<gpx><trk>" : csv
            write(Array(text.utf8), folder.path + "/f\(10 + number)")
        }
        let (total, receipts, progress) = run([folder.path])
        #expect(receipts.map(\.file) == (0..<20).map { folder.path + "/f\(10 + $0)" })
        #expect(total.files == 20)
        #expect(total.failed == 1)
        #expect(total.outcome.points == 38)
        #expect(progress.last?.files == 20)
        #expect(progress.last?.bytes == progress.last?.totalBytes)
    }

    @Test func `Points that are not durable are not reported as stored`() throws {
        let folder = try TemporaryFolder()
        write(Array(csv.utf8), folder.path + "/a")
        let total = Importer(options: options) { ForgetfulSink() }.run([folder.path])
        #expect(total.failed == 1)
    }

    @Test func `Formats are detected by content and other files of a folder are skipped`() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder.path + "/b")
        write(Array("just words\n".utf8), folder.path + "/README.gpx")
        write(try Gzip.compress(Array(csv.utf8)), folder.path + "/b/tracks.jpg")
        write([0, 1, 2, 0xFF, 0], folder.path + "/c.csv")
        let (total, receipts, _) = run([folder.path])
        #expect(receipts.map(\.format) == [nil, .csv, nil])
        #expect(total.failed == 0)
        #expect(total.unrecognised == 2)
        #expect(run([folder.path + "/c.csv"]).total.failed == 1)
    }

    @Test func `Missing and empty files fail with a reason`() throws {
        let folder = try TemporaryFolder()
        write([], folder.path + "/empty")
        let (total, receipts, _) = run([folder.path + "/none", folder.path + "/empty"])
        #expect(receipts.map(\.failure) == [.missing, .empty])
        #expect(
            receipts.flatMap(\.lines) == [
                "\(folder.path)/none: the file does not exist", "\(folder.path)/empty: the file is empty",
            ])
        #expect(total.failed == 2)
    }

    @Test func `A stopped import leaves no partial recordings`() {
        let isStopped = Locked(0)
        let sink = CollectingSink()
        let rows = String(repeating: "1,2,1714550400\n", count: 100_000)
        let receipt = FileImport.read(
            MemorySource(Array(("lat,lon,time\n" + rows).utf8)), file: "a", name: "a", into: sink, options: options,
            isStopped: {
                isStopped.withLock { calls in
                    calls += 1
                    return calls > 3
                }
            })
        #expect(receipt.failure == .stopped)
        #expect(sink.recordings.isEmpty)
        #expect(sink.openCount == 0)
        #expect(
            run(["/nowhere"], isStopped: { true }).total
                == {
                    var none = ImportReceipt()
                    none.stopped = true
                    return none
                }())
    }

    @Test func `A damaged or truncated gzip stream keeps the points before that`() throws {
        let rows = (0..<40_000).map { "\(Double($0) / 1000),\($0 % 90),\($0 * 7919 % 100_003)\n" }.joined()
        let packed = try Gzip.compress(Array(("lon,lat,note\n" + rows).utf8))
        let whole = imported(packed)
        #expect(whole.receipt.failure == nil)
        #expect(whole.receipt.outcome.points == 40_000)
        let cut = imported(Array(packed.prefix(packed.count / 2)))
        #expect(cut.receipt.failure == .truncatedCompression)
        let kept = cut.recordings.flatMap(\.points)
        #expect(!kept.isEmpty)
        #expect(kept.dropLast() == whole.recordings[0].points.prefix(kept.count - 1))
        #expect(imported(packed + packed).receipt.outcome.points == 80_000)
        var damaged = packed
        damaged[packed.count / 2] ^= 0xFF
        #expect(imported(damaged).receipt.failure != nil)
    }

    @Test func `The block size of compressed data does not change the result`() throws {
        let packed = try Gzip.compress(Array(csv.utf8)) + Gzip.compress(Array("5,6,1714550402\n".utf8)) + [0, 0]
        let whole = imported(packed).recordings
        #expect(whole.first?.points.count == 3)
        for block in 1...40 { #expect(imported(packed, block: block).recordings == whole) }
    }

    @Test func `A gzip decompression bomb is refused`() throws {
        let bomb = try Gzip.compress(Array("lat,lon\n".utf8) + [UInt8](repeating: 0x0A, count: 40_000_000))
        #expect(imported(bomb).receipt.failure == .decompressionBomb(ratio: 200))
    }

    @Test func `Random bytes of any kind are an error`() {
        var state: UInt64 = 1
        for size in [1, 2, 3, 4, 100, 70_000, 300_000] {
            let junk = (0..<size).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            for head in [
                "", "<gpx>", "<?xml version=\"1.0\"?><gpx><trk><trkseg>", "lat,lon\n", "{\"type\":\"Feature\",",
            ] {
                let result = imported(Array(head.utf8) + junk)
                #expect(result.sink.openCount == 0)
                #expect(result.receipt.outcome.points == 0)
            }
        }
        #expect(imported([UInt8](repeating: 0, count: 1000)).receipt.failure != nil)
    }

    @Test func `A receipt names what was skipped in the singular and the plural`() {
        func line(_ count: Int) -> String? {
            var receipt = FileReceipt(file: "a")
            receipt.format = .gpslog
            for thing in SkippedItem.allCases { receipt.skipped[thing] = count }
            return receipt.lines.last { $0.hasSuffix(" skipped: not a recorded track") }
        }
        let records = "1 position copied from a device, 1 record without fix, 1 record without position"
        #expect(line(1)?.contains("1 building part, 1 place, " + records) == true)
        #expect(line(1)?.contains("1 test entry") == true)
        #expect(
            line(2000)?.contains("2,000 building parts, 2,000 places, 2,000 positions copied from a device") == true)
        #expect(line(2)?.contains("2 test entries") == true && line(2)?.contains("2 tracks without points") == true)
    }

    @Test func `The JSON of receipts has the documented members`() throws {
        let receipt = imported("lat,lon\n1,2\n1,812\n\"a\",2\n").receipt
        #expect(
            receipt.json
                == "{\"file\":\"folder/file\",\"format\":\"csv\",\"tracks\":1,\"points\":1,\"duplicates\":0,\"refused\":2,\"marked\":0,\"untimed\":1,\"bytes\":24,\"bbox\":[2,1,2,1],\"refusals\":[{\"line\":3,\"reason\":\"longitude 812 is outside -180 to 180\"},{\"line\":4,\"reason\":\"the latitude 'a' is not a coordinate\"}],\"columns\":[\"coordinates from columns 'lon', 'lat', no time column\"]}"
        )
        var total = ImportReceipt()
        total.add(receipt)
        let object = try JSONSerialization.jsonObject(with: Data(total.json().utf8)) as? [String: Int]
        #expect(
            object == [
                "files": 1, "tracks": 1, "points": 1, "duplicates": 0, "pins": 0, "refused": 2, "marked": 0,
                "untimed": 1, "unrecognised": 0, "failed": 0,
            ])
        #expect(total.line == "1 file, 1 track, 1 point, 2 points refused")
    }
}

@Suite struct RealGPXTests {
    @Test(arguments: [
        ("geo-activity-playground/2025-08-30 09_44_09.737 Cadzand-Bad.gpx", 1, 217), ("gpxpy/Mojstrovka.gpx", 1, 184),
        ("gpxpy/cerknicko-jezero.gpx", 7, 296), ("gpxpy/korita-zbevnica.gpx", 3, 871), ("gpxpy/route.gpx", 0, 0),
        ("gpxpy/track-with-empty-segment.gpx", 1, 9), ("gpxpy/unicode_with_bom.gpx", 0, 0),
        ("graphhopper/test1.gpx", 1, 264), ("movingpandas/304 to UL 2019-02-18 0745.gpx", 1, 2144),
        ("rust-gpx/garmin-activity.gpx", 1, 988), ("togeojson/blue_hills.gpx", 3, 1243),
        ("togeojson/north_core.gpx", 10, 34),
        ("togeojson/osm.gpx", 3, 420), ("togeojson/run.gpx", 1, 206), ("togeojson/empty_trk.gpx", 0, 0),
    ]) func `Real files yield all their points`(path: String, tracks: Int, points: Int) {
        guard let bytes = realFile("gpx/" + path) else { return }
        let result = imported(bytes)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.count == tracks)
        #expect(result.recordings.reduce(0) { $0 + $1.points.count } == points)
    }

    @Test(arguments: [
        ("csv/google_trajectory.csv", 1, 416), ("csv/gpsies_trajectory.csv", 1, 247),
        ("csv/posmo_trajectory.csv", 1, 1327),
        ("csv/route14_outbound.csv", 16, 1533), ("geojson/mftrajectory.json", 1, 5),
        ("geojson/movingfeatures_collection.json", 2, 37),
    ]) func `Real tables and features yield all their points`(path: String, tracks: Int, points: Int) {
        guard let bytes = realFile(path) else { return }
        let result = imported(bytes)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.count == tracks)
        #expect(result.recordings.reduce(0) { $0 + $1.points.count } == points)
        #expect(result.receipt.outcome.untimed == 0)
    }
}
