import Replay
import Tracks

/// Writes tracks in one format, in portions.
///
/// Memory does not grow with the number of points: at most one chunk is kept between portions, however slowly they are
/// read.
public struct Export: Sendable {
    private enum Phase {
        case scanning, opening, pins, choosing
        case scanningTrack(ExportTrack)
        case writing(ExportTrack)
        case done
    }

    /// A position within a track's points.
    private struct Cursor: Equatable {
        var position = ReadingPosition()
        /// The number of points of the current chunk that are already written.
        var offset = 0
    }

    /// The number of points that the format cannot represent, and that are skipped.
    public private(set) var skippedPoints = 0
    /// The number of tracks that are skipped because none of their points can be written.
    public private(set) var skippedTracks = 0
    /// The number of tracks written.
    public private(set) var writtenTracks = 0

    private let format: ExportFormat
    private var source: any ExportSource
    private var writer: any TrackFormatWriter
    private var phase = Phase.scanning
    private var statistics: FieldStatistics
    private var trackIndex = 0
    private var cursor = Cursor()
    private var runStart = Cursor()
    private var isFirst = true
    private var pass = 0
    private var cached: (track: Int64, position: ReadingPosition, chunk: PointColumns)?
    private var text = ExportText()

    /// The minimum size of a portion, except the last; one chunk more may follow.
    private static let portionBytes = 32 * 1024

    /// An export of all tracks of a source.
    public init(_ source: any ExportSource, as format: ExportFormat) {
        self.source = source
        self.format = format
        writer = format.writer()
        statistics = FieldStatistics(trackCount: source.count, hasPins: format.supportsPins && source.hasPins)
        switch writer.needs {
        case .ofAll, .ofAllAndEach: phase = .scanning
        case .nothing, .ofTrack: phase = .opening
        }
    }

    /// The next bytes; nil at the end. The result is empty while tracks are only scanned for their fields.
    ///
    /// Throws `ExportError`, and the errors of the source.
    public mutating func next() throws -> [UInt8]? {
        while text.count < Self.portionBytes {
            switch phase {
            case .done: return text.count > 0 ? text.take() : nil
            case .scanning:
                try step()
                return []
            default: try step()
            }
        }
        return text.take()
    }

    private mutating func step() throws {
        switch phase {
        case .scanning:
            guard let track = try nextTrack() else {
                trackIndex = 0
                phase = .opening
                return
            }
            statistics.add(track)
            try scanPoints(of: track)
        case .opening:
            writer.open(statistics, to: &text)
            phase = statistics.hasPins ? .pins : .choosing
        case .pins:
            let pins = try source.nextPins()
            for pin in pins { writer.add(pin, to: &text) }
            if pins.isEmpty { phase = .choosing }
        case .choosing:
            guard let track = try nextTrack() else {
                writer.close(to: &text)
                phase = .done
                return
            }
            choose(track)
        case .scanningTrack(let track):
            statistics = FieldStatistics(trackCount: source.count, hasPins: statistics.hasPins)
            try scanPoints(of: track)
            begin(track)
        case .writing(let track): try write(track)
        case .done: break
        }
    }

    // MARK: Tracks

    private mutating func nextTrack() throws -> ExportTrack? {
        while trackIndex < source.count {
            defer { trackIndex += 1 }
            if let track = try source.track(at: trackIndex) { return track }
        }
        return nil
    }

    private mutating func choose(_ track: ExportTrack) {
        if !format.supportsUntimed {
            skippedPoints += track.untimed
            guard track.untimed < track.points else {
                skippedTracks += 1
                return
            }
        }
        switch writer.needs {
        case .ofTrack, .ofAllAndEach: phase = .scanningTrack(track)
        case .nothing, .ofAll: begin(track)
        }
    }

    private mutating func begin(_ track: ExportTrack) {
        writer.begin(track, statistics, to: &text)
        (cursor, runStart, isFirst, pass) = (Cursor(), Cursor(), true, 0)
        phase = .writing(track)
    }

    private mutating func scanPoints(of track: ExportTrack) throws {
        var cursor = Cursor()
        while let chunk = try chunk(of: track, at: cursor.position) {
            statistics.add(chunk)
            cursor.position.advance(over: chunk)
        }
    }

    // MARK: Points

    private mutating func write(_ track: ExportTrack) throws {
        guard let chunk = try chunk(of: track, at: cursor.position) else { return try endRun(track, isLast: true) }
        if !isFirst, writer.run == .segment, chunk.segmentStarts.contains(cursor.offset) {
            return try endRun(track, isLast: false)
        }
        var end = chunk.count
        if writer.run == .segment, let next = chunk.segmentStarts.first(where: { $0 > cursor.offset }) { end = next }
        if end > cursor.offset {
            let points = PointRange(chunk: chunk, range: cursor.offset..<end)
            writer.add(points, pass: pass, isFirst: isFirst, to: &text)
            isFirst = false
        }
        if end < chunk.count {
            cursor.offset = end
        } else {
            cursor.position.advance(over: chunk)
            cursor.offset = 0
        }
    }

    private mutating func endRun(_ track: ExportTrack, isLast: Bool) throws {
        writer.endRun(pass: pass, to: &text)
        isFirst = true
        pass += 1
        if pass < writer.passes {
            cursor = runStart
        } else if isLast {
            writer.end(track, to: &text)
            writtenTracks += 1
            phase = .choosing
        } else {
            pass = 0
            runStart = cursor
        }
    }

    private mutating func chunk(of track: ExportTrack, at position: ReadingPosition) throws -> PointColumns? {
        if let cached, cached.track == track.number, cached.position == position { return cached.chunk }
        switch try source.points(of: track, at: position) {
        case .points(let chunk):
            cached = (track.number, position, chunk)
            return chunk
        case .end: return nil
        case .changed: throw ExportError.changed(id: track.id)
        }
    }
}
