internal import Dispatch
internal import Locking
internal import Tracks

/// The points of a recording that is being read: those in memory, and the number of chunks in provisional rows.
///
/// Points are digested and measured when their chunk is full, or at the end of the recording: most recordings are short, and
/// the points of one that is moved to a spill file before its end would be measured twice.
final class GatheredPoints {
    private(set) var points = 0
    /// The number of waypoints.
    private var waypoints = 0
    /// Bytes of the encoded chunks in memory.
    private(set) var encodedBytes = 0
    /// The session's use count when points were last added.
    var lastUse = 0
    /// The track number of the provisional rows, and the number of chunks in them.
    var provisionalTrack: Int64?
    var provisionalChunkCount = 0

    private var chunks: [[UInt8]] = []
    /// Points that do not fill a chunk yet: as they came, or joined from several chunks, whose unit may be too fine.
    private var first: PointColumns?
    private var carry: PointColumns?
    private var fieldCount = 0
    /// The measures of the full chunks.
    private let measures: RecordingMeasures
    private let outlierRule: OutlierRule

    /// Approximate bytes of an open recording besides its points.
    private static let ownBytes = 2048

    init(outlierRule: OutlierRule) {
        self.outlierRule = outlierRule
        measures = RecordingMeasures(gap: .standard, outlierRule: outlierRule)
    }

    /// Approximate bytes in memory.
    var bytes: Int {
        encodedBytes + (first?.count ?? carry?.count ?? 0) * (24 + 9 * fieldCount) + Self.ownBytes + measures.byteCount
    }

    /// Whether they do not fill a chunk yet.
    var areLessThanAChunk: Bool { chunks.isEmpty && provisionalChunkCount == 0 }

    /// Adds points. Stored chunks are full except the last, so that the same recording is always divided at the same
    /// points.
    ///
    /// Throws if the points of one chunk have more fields than a chunk may have.
    func add(_ chunk: PointColumns) throws(RecordingRejected) {
        try Self.check(fields: chunk.fields.count)
        points += chunk.count
        fieldCount = max(fieldCount, chunk.fields.count)
        waypoints += chunk.waypointIndices.count
        if carry == nil, first == nil, chunk.count <= PointChunk.capacity {
            if chunk.count == PointChunk.capacity { measure(chunk) } else { first = chunk }
            return
        }
        var joined = carry.take() ?? first.take() ?? PointColumns()
        joined.append(chunk)
        try Self.check(fields: joined.fields.count)
        guard joined.count >= PointChunk.capacity else {
            carry = joined
            return
        }
        var start = 0
        while joined.count - start >= PointChunk.capacity {
            measure(joined.gathered(start..<start + PointChunk.capacity))
            start += PointChunk.capacity
        }
        if start < joined.count { carry = joined.gathered(start..<joined.count) }
    }

    static func check(fields count: Int) throws(RecordingRejected) {
        // One more than the limit, for `FieldName.otherFields`.
        guard count > PointChunk.fieldLimit + 1 else { return }
        throw RecordingRejected("more than \(PointChunk.fieldLimit) different fields; remove some")
    }

    private func measure(_ chunk: PointColumns) {
        measures.add(chunk)
        appendChunk(chunk.encoded())
    }

    func takeChunks() -> [[UInt8]] {
        defer {
            chunks = []
            encodedBytes = 0
        }
        return chunks
    }

    /// Ends the recording. One of less than a chunk is measured and encoded by another thread, or by the first that needs it.
    func close(header: RecordingHeader) -> MadeOnce<ClosedRecording> {
        if areLessThanAChunk, let rest = removeRest() {
            let outlierRule = outlierRule
            let closed = MadeOnce {
                let whole = GatheredPoints(outlierRule: outlierRule)
                whole.waypoints = rest.waypointIndices.count
                whole.measure(rest)
                return whole.finished(header: header)
            }
            Self.queue.async { _ = closed.value }
            return closed
        }
        if let rest = removeRest() { measure(rest) }
        let closed = finished(header: header)
        return MadeOnce { closed }
    }

    private static let queue = DispatchQueue(label: "tileserve.import.end", qos: .utility, attributes: .concurrent)

    private func finished(header: RecordingHeader) -> ClosedRecording {
        let (digest, summary) = measures.finish()
        var recording = ClosedRecording(
            header: header, digest: digest, summary: summary, outlierRule: outlierRule, chunks: takeChunks(),
            provisionalTrack: provisionalTrack,
            provisionalChunkCount: provisionalChunkCount)
        recording.waypoints = waypoints
        return recording
    }

    /// Takes the points that do not fill a chunk yet; they may be added again.
    func takeRest() -> PointColumns? {
        guard let rest = removeRest() else { return nil }
        points -= rest.count
        waypoints -= rest.waypointIndices.count
        return rest
    }

    private func removeRest() -> PointColumns? {
        if let known = first.take() { return known }
        guard let joined = carry.take() else { return nil }
        return joined.gathered(0..<joined.count)
    }

    /// Appends an encoded chunk whose points were digested and measured before.
    func appendChunk(_ encoded: [UInt8]) {
        encodedBytes += encoded.count
        chunks.append(encoded)
    }
}
