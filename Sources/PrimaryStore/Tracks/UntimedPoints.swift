internal import Database
import Text
package import Tracks

/// The points of a device that have no time, which are stored as a file recording instead of in its stream.
package struct UntimedPoints {
    private var table = PointTable()

    /// No points.
    package init() {}

    package mutating func add(_ chunk: PointChunk) {
        let indices = chunk.times.indices.filter { chunk.times[$0] == PointChunk.untimed }
        guard !indices.isEmpty else { return }
        table.append(PointTable(chunk).chunk(indices, segmentStarts: table.count == 0 ? [0] : []))
    }

    /// The recording of these points; nil if there are none.
    package func recording(
        header: RecordingHeader, outlierRule: OutlierRule, importNumber: Int64
    ) -> ClosedRecording? {
        guard table.count > 0 else { return nil }
        var table = table
        table.limitFields(to: PointChunk.fieldLimit, after: nil)
        let measures = RecordingMeasures(gap: header.gap, outlierRule: outlierRule)
        var chunks: [[UInt8]] = []
        for start in stride(from: 0, to: table.count, by: PointChunk.capacity) {
            let chunk = table.chunk(start..<min(start + PointChunk.capacity, table.count))
            measures.add(chunk)
            chunks.append(chunk.encoded())
        }
        let (digest, summary) = measures.finish()
        var recording = ClosedRecording(
            header: header, digest: digest, summary: summary, outlierRule: outlierRule, chunks: chunks,
            provisionalTrack: nil, provisionalChunkCount: 0)
        recording.importNumber = importNumber
        return recording
    }
}
