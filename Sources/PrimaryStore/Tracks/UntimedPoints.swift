package import Tracks

/// The points of a device that have no time, which are stored as a file recording instead of in its stream.
package struct UntimedPoints {
    private var points = PointColumns()

    /// Creates an empty collection.
    package init() {}

    package mutating func add(_ chunk: PointColumns) {
        let indices = chunk.times.indices.filter { chunk.times[$0] == PointColumns.untimed }
        guard !indices.isEmpty else { return }
        points.append(chunk.gathered(indices, segmentStarts: points.count == 0 ? [0] : []))
    }

    /// The recording of these points; nil if there are none.
    package func recording(
        header: RecordingHeader, outlierRule: OutlierRule, origin: ImportOrigin
    ) -> ClosedRecording? {
        guard points.count > 0 else { return nil }
        var points = points
        points.limitFields(to: PointChunk.fieldLimit, after: nil)
        let measures = RecordingMeasures(gap: header.gap, outlierRule: outlierRule)
        var chunks: [[UInt8]] = []
        for start in stride(from: 0, to: points.count, by: PointChunk.capacity) {
            let chunk = points.gathered(start..<min(start + PointChunk.capacity, points.count))
            measures.add(chunk)
            chunks.append(chunk.encoded())
        }
        let (digest, summary) = measures.finish()
        var recording = ClosedRecording(
            header: header, digest: digest, summary: summary, outlierRule: outlierRule, chunks: chunks,
            provisionalTrack: nil, provisionalChunkCount: 0)
        recording.origin = origin
        return recording
    }
}
