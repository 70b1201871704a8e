import Files
import Foundation
import Locking
import TrackImport
import Tracks

/// Collects the recordings of several workers.
private final class SharedSink: RecordingSink {
    let all: Locked<[CollectedRecording]>
    private let own = CollectingSink()

    init(_ all: Locked<[CollectedRecording]>) {
        self.all = all
    }

    func open() throws -> OpenRecording { try own.open() }
    func append(_ chunk: PointColumns, to recording: OpenRecording) throws { try own.append(chunk, to: recording) }
    func abandon(_ recording: OpenRecording) { own.abandon(recording) }

    func end(_ recording: OpenRecording, header: RecordingHeader) throws -> (any EndedRecording)? {
        let ended = try own.end(recording, header: header)
        if let last = own.recordings.last, ended != nil { all.withLock { $0.append(last) } }
        return ended
    }
}

/// The result of importing these files, in a folder or in a tar archive: recordings, and times and receipt by file.
func importedTogether(
    _ files: [(name: String, text: String)], archived: Bool = false
) throws -> (
    recordings: [CollectedRecording], times: [String: [Int64]], receipts: [String: FileReceipt], total: ImportReceipt
) {
    let folder = try TemporaryFolder()
    var path = folder.path
    if archived {
        path += "/all.tar"
        let entries = files.map { (path: $0.name, bytes: Array($0.text.utf8)) }
        _ = FileManager.default.createFile(atPath: path, contents: Data(tarred(entries)))
    } else {
        for file in files {
            let path = folder.path + "/" + file.name
            try Folder.make(path.split(separator: "/").dropLast().map { "/" + $0 }.joined())
            _ = FileManager.default.createFile(atPath: path, contents: Data(file.text.utf8))
        }
    }
    let all = Locked<[CollectedRecording]>([])
    let receipts = Locked<[String: FileReceipt]>([:])
    let options = ImportOptions(libraryZone: zone("Asia/Tokyo"), workers: 2)
    let importer = Importer(options: options) { SharedSink(all) }
    let total = importer.run(
        [path],
        report: { event in
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
    return withExtendedLifetime(folder) { (all.withLock { $0 }, times, receipts.withLock { $0 }, total) }
}

/// A tar archive of these files.
func tarred(_ files: [(path: String, bytes: [UInt8])]) -> [UInt8] {
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
