import Foundation
import Replay
import Text
import TrackExport
import TrackImport
import Tracks

/// A source with tracks in memory.
struct MemoryTracks: ExportSource {
    var tracks: [(track: ExportTrack, chunks: [PointColumns])]
    /// After this many chunks the source reports that the track has changed.
    var changesAfter = Int.max

    init(_ tracks: [(ExportTrack, [PointColumns])]) {
        self.tracks = tracks.map { (track: $0.0, chunks: $0.1) }
    }

    /// One track of these chunks, with metadata derived from them.
    init(_ chunks: [PointColumns], name: String? = nil, attributes: [String: String] = [:]) {
        self.init([(ExportTrack(1, chunks, name: name, attributes: attributes), chunks)])
    }

    var count: Int { tracks.count }

    func track(at index: Int) -> ExportTrack? { tracks[index].track }

    func points(of track: ExportTrack, at position: ReadingPosition) -> PointReading {
        guard position.chunks < changesAfter else { return .changed }
        let chunks = tracks.first { $0.track.number == track.number }?.chunks ?? []
        return position.chunks < chunks.count ? .points(chunks[position.chunks]) : .end
    }
}

extension ExportTrack {
    init(_ number: Int64, _ chunks: [PointColumns], name: String? = nil, attributes: [String: String] = [:]) {
        let times = chunks.flatMap(\.times).filter { $0 != PointColumns.untimed }
        let points = chunks.reduce(0) { $0 + $1.count }
        var summary = TrackSummary()
        summary.points = points
        summary.untimed = points - times.count
        summary.start = times.min()
        summary.end = times.max()
        self.init(number: number, id: "track\(number)", name: name, summary: summary)
        self.attributes = attributes
    }
}

/// All bytes of an export.
func exported(_ source: some ExportSource, as format: ExportFormat) throws -> [UInt8] {
    var export = Export(source, as: format)
    var bytes: [UInt8] = []
    while let portion = try export.next() { bytes += portion }
    return bytes
}

/// A point with all its fields; numbers are texts without trailing zeros.
struct KnownPoint: Equatable, CustomStringConvertible {
    var longitude: Int64
    var latitude: Int64
    var time: Int64?
    var beginsSegment: Bool
    var fields: [String: String]

    var description: String { "(\(longitude) \(latitude) \(time ?? -1) \(beginsSegment) \(fields))" }
}

/// The points of consecutive chunks.
func points(_ chunks: [PointColumns]) -> [KnownPoint] {
    var result: [KnownPoint] = []
    for chunk in chunks {
        for index in 0..<chunk.count {
            var fields: [String: String] = [:]
            for field in chunk.fields {
                switch field.values {
                case .numbers(let places, let numbers) where numbers[index] != FieldColumn.absent:
                    fields[field.name] = trimmed(
                        FixedDecimal(mantissa: numbers[index], places: places).description)
                case .texts(let texts): fields[field.name] = texts[index].map(trimmed)
                default: break
                }
            }
            result.append(
                KnownPoint(
                    longitude: chunk.unit.nanodegrees(chunk.longitudes[index]),
                    latitude: chunk.unit.nanodegrees(chunk.latitudes[index]),
                    time: chunk.times[index] == PointColumns.untimed ? nil : chunk.times[index],
                    beginsSegment: chunk.segmentStarts.contains(index), fields: fields))
        }
    }
    return result
}

private func trimmed(_ text: String) -> String {
    guard text.contains("."), text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }) else {
        return text
    }
    var digits = text
    while digits.hasSuffix("0") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return digits
}

/// A recording as it was imported.
struct ReadRecording {
    var header: RecordingHeader
    var chunks: [PointColumns]
}

/// Imports bytes as a file of unknown format.
func imported(_ bytes: [UInt8]) -> (receipt: FileReceipt, recordings: [ReadRecording]) {
    let sink = KeepingSink()
    let receipt = FileImport.read(
        MemorySource(bytes), file: "folder/file", name: "file", into: sink,
        options: ImportOptions(libraryZone: .gmt))
    return (receipt, sink.recordings)
}

private final class KeepingSink: RecordingSink {
    private(set) var recordings: [ReadRecording] = []
    private var underWay: [Int: [PointColumns]] = [:]

    func open() -> OpenRecording {
        let number = underWay.count + recordings.count
        underWay[number] = []
        return OpenRecording(number: number)
    }

    func append(_ chunk: PointColumns, to recording: OpenRecording) {
        underWay[recording.number]?.append(chunk)
    }

    func end(_ recording: OpenRecording, header: RecordingHeader) -> (any EndedRecording)? {
        let chunks = underWay[recording.number] ?? []
        underWay[recording.number] = []
        if !chunks.isEmpty { recordings.append(ReadRecording(header: header, chunks: chunks)) }
        return nil
    }

    func abandon(_ recording: OpenRecording) {}
}
