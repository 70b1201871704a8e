internal import Digest
internal import Tracks

/// The digest and the summary of points, computed as they are added.
final class RecordingMeasures {
    private var digest: RecordingDigest? = RecordingDigest()
    private var summary: TrackSummaryBuilder

    /// Without points of a recording of a file, or of a track of a stream.
    init(gap: GapRule, isStream: Bool = false, outlierRule: OutlierRule) {
        summary = TrackSummaryBuilder(gap: gap, isStream: isStream, outlierRule: outlierRule)
    }

    func add(_ chunk: PointChunk) {
        digest?.add(chunk)
        summary.add(chunk)
    }

    /// To be called once.
    func finish() -> (digest: ContentDigest, summary: TrackSummary) {
        (digest.take()?.finish() ?? ContentDigest(of: []), summary.finish())
    }
}

extension TrackSnapshot {
    /// The summary of a track by a gap rule; reads all of its points.
    func summary(of track: Track, gap: GapRule) throws -> TrackSummary {
        var summary = TrackSummaryBuilder(gap: gap, isStream: track.isStream, outlierRule: track.outlierRule)
        try forEachChunk(ofTrack: track.number, fields: OutlierDetector.wanted) { summary.add($0) }
        return summary.finish()
    }
}
