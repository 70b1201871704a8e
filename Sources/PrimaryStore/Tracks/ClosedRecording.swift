package import Digest
package import Tracks

/// A recording that was read completely.
package struct ClosedRecording: Sendable {
    package var header: RecordingHeader
    package var digest: ContentDigest
    /// Gets the outcome when the recording is durable.
    package var collector = OutcomeCollector()
    /// What contributes it.
    var origin = ImportOrigin.recorded
    /// The number of waypoints.
    var waypoints = 0
    /// Measured with the gap rule of the header, or with the standard one.
    var summary: TrackSummary
    /// The outlier rule it was measured with.
    var outlierRule: OutlierRule
    /// The encoded chunks after the first `provisionalChunkCount`.
    var chunks: [[UInt8]]
    /// The track number of the provisional rows that hold the first chunks.
    var provisionalTrack: Int64?
    var provisionalChunkCount: Int

    var chunkCount: Int { provisionalChunkCount + chunks.count }
    /// A chunk's bytes if they are in memory.
    func bytes(ofChunk ordinal: Int) -> [UInt8]? {
        ordinal >= provisionalChunkCount ? chunks[ordinal - provisionalChunkCount] : nil
    }
    var byteCount: Int { chunks.reduce(0) { $0 + $1.count } }
}
