import Foundation
import Text
import TrackImport
import Tracks

/// A recording as a sink receives it.
struct CollectedRecording: Equatable {
    var header: RecordingHeader
    var chunks: [PointColumns]

    struct Point: Hashable {
        var longitude: Int64
        var latitude: Int64
        var time: Int64
    }

    /// All points, in 1e-9°.
    var points: [Point] {
        chunks.flatMap { chunk in
            (0..<chunk.count).map {
                Point(
                    longitude: chunk.unit.nanodegrees(chunk.longitudes[$0]),
                    latitude: chunk.unit.nanodegrees(chunk.latitudes[$0]), time: chunk.times[$0])
            }
        }
    }

    /// The indices of points that begin a segment.
    var segmentStarts: [Int] {
        var before = 0
        return chunks.flatMap { chunk in
            defer { before += chunk.count }
            return chunk.segmentStarts.map { $0 + before }
        }
    }

    /// The values of a field, as texts.
    func field(_ name: String) -> [String?] {
        chunks.flatMap { chunk -> [String?] in
            guard let column = chunk.fields.first(where: { $0.name == name }) else {
                return Array(repeating: nil, count: chunk.count)
            }
            switch column.values {
            case .texts(let texts): return texts
            case .numbers(let places, let numbers):
                return numbers.map {
                    $0 == FieldColumn.absent ? nil : FixedDecimal(mantissa: $0, places: places).description
                }
            }
        }
    }

    var fieldNames: Set<String> { Set(chunks.flatMap { $0.fields.map(\.name) }) }
}

/// Keeps recordings in memory.
final class CollectingSink: RecordingSink {
    private(set) var recordings: [CollectedRecording] = []
    private(set) var abandoned = 0
    private var openRecordings: [Int: [PointColumns]] = [:]
    private var next = 0
    /// The number of chunks after which appending fails.
    var failsAfter = Int.max

    struct Full: Error {}

    var openCount: Int { openRecordings.count }

    func open() throws -> OpenRecording {
        next += 1
        openRecordings[next] = []
        return OpenRecording(number: next)
    }

    func append(_ chunk: PointColumns, to recording: OpenRecording) throws {
        failsAfter -= 1
        if failsAfter < 0 { throw Full() }
        openRecordings[recording.number]?.append(chunk)
    }

    func end(_ recording: OpenRecording, header: RecordingHeader) throws -> (any EndedRecording)? {
        let chunks = openRecordings.removeValue(forKey: recording.number) ?? []
        var outcome = RecordingOutcome()
        let points = chunks.reduce(0) { $0 + $1.count }
        guard points > 0 else { return nil }
        recordings.append(CollectedRecording(header: header, chunks: chunks))
        outcome.newTracks = 1
        outcome.points = points
        outcome.untimed = chunks.reduce(0) { $0 + $1.times.count { $0 == PointColumns.untimed } }
        return CountedRecording(outcome)
    }

    func abandon(_ recording: OpenRecording) {
        if openRecordings.removeValue(forKey: recording.number) != nil { abandoned += 1 }
    }
}

/// Imports a text, or bytes, as a file.
func imported(
    _ bytes: [UInt8], options: ImportOptions = ImportOptions(libraryZone: zone("UTC")), block: Int = blockSize
) -> (receipt: FileReceipt, recordings: [CollectedRecording], sink: CollectingSink) {
    let sink = CollectingSink()
    let receipt = FileImport.read(
        MemorySource(bytes, block: block), file: "folder/file", name: "file", into: sink, options: options)
    return (receipt, sink.recordings, sink)
}

func imported(
    _ text: String, options: ImportOptions = ImportOptions(libraryZone: zone("UTC")), block: Int = blockSize
) -> (receipt: FileReceipt, recordings: [CollectedRecording], sink: CollectingSink) {
    imported(Array(text.utf8), options: options, block: block)
}

func zone(_ name: String) -> TimeZone {
    TimeZone(identifier: name) ?? .current
}

/// The folder of real files, if there is one.
let sharedData: String? = {
    let given = ProcessInfo.processInfo.environment["TILESERVE_SHARED_DATA"]
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL.path()
    return [given, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0) }
}()

/// The bytes of a real file; nil if it is missing.
func realFile(_ path: String) -> [UInt8]? {
    sharedData.flatMap { FileManager.default.contents(atPath: $0 + "/" + path) }.map { Array($0) }
}
