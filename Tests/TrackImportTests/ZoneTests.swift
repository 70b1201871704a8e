import Files
import Foundation
import Locking
import Testing
import TrackImport
import Tracks

/// Takes the recordings of several workers.
private final class SharedSink: RecordingSink {
    let all: Locked<[CollectedRecording]>
    private let own = CollectingSink()

    init(_ all: Locked<[CollectedRecording]>) {
        self.all = all
    }

    func open() throws -> OpenRecording { try own.open() }
    func append(_ chunk: PointChunk, to recording: OpenRecording) throws { try own.append(chunk, to: recording) }
    func abandon(_ recording: OpenRecording) { own.abandon(recording) }

    func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome {
        let outcome = try own.close(recording, header: header)
        if let last = own.recordings.last, outcome.points > 0 { all.withLock { $0.append(last) } }
        return outcome
    }
}

/// The times of each file's points, and its receipt.
private func run(
    _ files: [(name: String, text: String)], archived: Bool = false, workers: Int = 2
) throws -> (times: [String: [Int64]], receipts: [String: FileReceipt], total: ImportReceipt) {
    let folder = try TemporaryFolder()
    for file in files {
        _ = FileManager.default.createFile(atPath: folder.path + "/" + file.name, contents: Data(file.text.utf8))
    }
    var path = folder.path
    if archived {
        let entries = files.map { (path: $0.name, bytes: Array($0.text.utf8)) }
        path += "/all.tar"
        _ = FileManager.default.createFile(atPath: path, contents: Data(tarred(entries)))
    }
    let all = Locked<[CollectedRecording]>([])
    let receipts = Locked<[String: FileReceipt]>([:])
    let options = ImportOptions(libraryZone: zone("Asia/Tokyo"), workers: workers)
    let total = Importer(options: options) { SharedSink(all) }.run(
        [path],
        tell: { event in
            guard case .finished(let receipt) = event, let name = receipt.file.split(separator: "/").last else {
                return
            }
            receipts.withLock { $0[String(name)] = receipt }
        })
    var times: [String: [Int64]] = [:]
    for recording in all.withLock({ $0 }) {
        guard let name = recording.header.source.split(separator: "/").last else { continue }
        times[String(name), default: []] += recording.points.map(\.time)
    }
    return (times, receipts.withLock { $0 }, total)
}

/// A tar archive of these files.
private func tarred(_ files: [(path: String, bytes: [UInt8])]) -> [UInt8] {
    files.flatMap { file -> [UInt8] in
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<file.path.utf8.count, with: Array(file.path.utf8))
        let digits = String(file.bytes.count, radix: 8)
        header.replaceSubrange(124..<(124 + digits.utf8.count), with: Array(digits.utf8))
        header.replaceSubrange(148..<156, with: Array(repeating: 0x20, count: 8))
        header[156] = UInt8(ascii: "0")
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(
            148..<156, with: Array((sum + "\0").utf8) + Array(repeating: 0x20, count: 7 - sum.utf8.count))
        return header + file.bytes + Array(repeating: 0, count: (512 - file.bytes.count % 512) % 512)
    } + Array(repeating: 0, count: 1024)
}

@Suite struct ZoneTests {
    private let local = "lat,lon,time\n1,2,2024-05-01 10:00:00\n"
    private let told = "lat,lon,time\n1,2,2024-05-01T12:00:00-05:00\n"
    private let ten: Int64 = 1_714_557_600_000

    @Test(arguments: [false, true]) func the_offset_that_other_points_tell_is_taken_in_any_order(archived: Bool) throws
    {
        let hour: Int64 = 3_600_000
        for names in [("a", "b"), ("b", "a")] {
            let result = try run([(names.0, local), (names.1, told)], archived: archived)
            #expect(result.times[names.0] == [ten + 5 * hour])
            #expect(result.receipts[names.0]?.zones == [.told(minutes: -300)])
            #expect(result.receipts[names.1]?.zones == [])
            #expect(result.total.outcome.points == 2)
            #expect(result.total.failed == 0)
        }
    }

    @Test func an_offset_holds_for_its_day_and_elsewhere_the_librarys_zone_is_taken_and_told() throws {
        let hour: Int64 = 3_600_000
        let later = local.replacingOccurrences(of: "05-01", with: "05-03")
        let result = try run([("a", later), ("b", told)])
        #expect(result.times["a"] == [ten - 9 * hour + 48 * hour])
        #expect(result.receipts["a"]?.zones == [.library("Asia/Tokyo")])
        #expect(
            result.receipts["a"]?.lines.contains {
                $0.hasSuffix("taken as Asia/Tokyo, the library's zone; say --zone if they are of another")
            } == true)
    }

    @Test func other_rows_of_the_same_file_tell_the_offset_too() throws {
        let result = try run([("a", local + "1,2,2024-05-01T10:00:01+02:00\n")])
        #expect(result.times["a"] == [ten - 7_200_000, ten - 7_199_000])
        #expect(result.receipts["a"]?.lines.contains { $0.contains("UTC+02:00") } == true)
    }

    @Test func a_zone_that_is_said_wins() {
        let options = ImportOptions(zone: zone("UTC"), libraryZone: zone("Asia/Tokyo"), workers: 1)
        let result = imported(local + "1,2,2024-05-01T10:00:01+02:00\n", options: options)
        #expect(result.recordings[0].points.map(\.time) == [ten, ten - 7_199_000])
        #expect(result.receipt.zones == [.said("GMT")])
    }

    @Test func gpx_without_a_zone_is_utc_and_says_so() {
        let text =
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>2024-05-01T10:00:00</time></trkpt></trkseg></trk></gpx>"
        let result = imported(text, options: ImportOptions(libraryZone: zone("Asia/Tokyo"), workers: 1))
        #expect(result.recordings[0].points.map(\.time) == [ten])
        #expect(result.receipt.zones == [.utc])
    }
}
