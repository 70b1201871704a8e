import FoundationEssentials
import TrackImport
import Tracks

/// What became of made-up bytes that were read as a file.
struct FuzzedReading: Equatable, CustomStringConvertible {
    /// Larger files are read in one way only, so that most time goes to new inputs.
    static let greatestCutFile = 16 * 1024

    private let points: Int
    private let digest: UInt64
    private let failed: Bool
    private let refused: Int
    private let tracks: [FuzzedTrack]

    /// Reads bytes as a file. Small files are also read in small pieces: where a file is cut is nobody's business.
    static func readFile(_ bytes: [UInt8]) {
        let whole = FuzzedReading(bytes, block: blockSize)
        whole.use()
        guard bytes.count <= greatestCutFile else { return }
        let block = 1 + bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 61
        let cut = FuzzedReading(bytes, block: block)
        guard cut == whole else {
            preconditionFailure("blocks of \(block) bytes give something else than the whole file: \(cut) / \(whole)")
        }
    }

    /// Reads bytes that come in blocks of this many; stops the program where a point is no place, a chunk is not what its
    /// own encoding gives back, or a recording is left open.
    init(_ bytes: [UInt8], block: Int) {
        let sink = CheckingSink()
        let options = ImportOptions(libraryZone: .gmt, workers: 1)
        let receipt = FileImport.read(
            MemorySource(bytes, block: block), file: "folder/file", name: "file", into: sink, options: options)
        precondition(sink.isClosed, "a recording was left open")
        points = sink.points
        digest = sink.digest
        failed = receipt.failure != nil
        refused = receipt.refused.count
        tracks = sink.tracks
        let lines = receipt.lines
        precondition(lines.allSatisfy { !$0.contains("\n") }, "a line of a receipt that is several")
        precondition(!receipt.json.contains("\n"), "a receipt of JSON that is several lines")
    }

    static func == (left: Self, right: Self) -> Bool {
        (left.points, left.digest, left.failed, left.refused) == (
            right.points, right.digest, right.failed, right.refused
        )
    }

    /// Does with the tracks what a library does.
    private func use() {
        for track in tracks { track.use() }
    }

    var description: String { "\(points) points (\(digest)), \(refused) refused, failed: \(failed)" }
}

/// Takes recordings as a library would, and looks at each point of them.
private final class CheckingSink: RecordingSink {
    private(set) var points = 0
    /// Of all that was kept; the same for the same points in the same order, however they were cut into chunks.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The first tracks, as far as they are small.
    private(set) var tracks: [FuzzedTrack] = []
    private var underWay: [Int: (points: Int, digest: UInt64, chunks: [PointChunk])] = [:]
    private var next = 0

    var isClosed: Bool { underWay.isEmpty }

    func open() -> OpenRecording {
        next += 1
        underWay[next] = (0, 0xCBF2_9CE4_8422_2325, [])
        return OpenRecording(number: next)
    }

    func append(_ chunk: PointChunk, to recording: OpenRecording) throws {
        guard var state = underWay[recording.number] else { preconditionFailure("a recording that is not open") }
        precondition(chunk.count <= PointChunk.capacity, "a chunk that is too long")
        for index in 0..<chunk.count {
            let longitude = chunk.unit.nanodegrees(chunk.longitudes[index])
            let latitude = chunk.unit.nanodegrees(chunk.latitudes[index])
            precondition(abs(longitude) <= 180_000_000_000 && abs(latitude) <= 90_000_000_000, "no place on Earth")
            for value in [longitude, latitude, chunk.times[index]] { Self.add(value, to: &state.digest) }
        }
        for column in chunk.fields { precondition(column.count == chunk.count, "a column of another length") }
        do {
            let decoded = try PointChunk(decoding: chunk.encoded())
            precondition(decoded == chunk, "a chunk that its encoding does not give back")
        } catch {
            preconditionFailure("a chunk that cannot be decoded: \(error)")
        }
        state.points += chunk.count
        if tracks.count < FuzzedTrack.most, state.points <= FuzzedTrack.mostPoints { state.chunks.append(chunk) }
        underWay[recording.number] = state
    }

    func close(_ recording: OpenRecording, header: RecordingHeader) -> RecordingOutcome {
        guard let state = underWay.removeValue(forKey: recording.number) else {
            preconditionFailure("a recording that is not open")
        }
        points += state.points
        // Added, so that files whose recordings are closed in any order give the same.
        digest &+= state.digest
        if state.points > 0, state.points <= FuzzedTrack.mostPoints, tracks.count < FuzzedTrack.most {
            tracks.append(FuzzedTrack(chunks: state.chunks, header: header))
        }
        var outcome = RecordingOutcome()
        outcome.points = state.points
        outcome.newTracks = state.points > 0 ? 1 : 0
        return outcome
    }

    func abandon(_ recording: OpenRecording) {
        underWay[recording.number] = nil
    }

    /// FNV-1a, a word at a time.
    private static func add(_ value: Int64, to digest: inout UInt64) {
        digest = (digest ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3
    }
}
