import Database
internal import Digest
internal import Tracks

/// The digest and the summary of points, computed as they are added.
final class RecordingMeasures {
    private var digest: RecordingDigest? = RecordingDigest()
    private var summary: TrackSummaryBuilder

    /// Creates the measures of the recording of a file, or of a track of a stream, without points.
    ///
    /// `outliers` are nil if an `OutlierSearch` may still be needed.
    init(
        gap: GapRule, isStream: Bool = false, outlierRule: OutlierRule, outliers: [PointAnnotations.Outliers]? = nil
    ) {
        summary = TrackSummaryBuilder(gap: gap, isStream: isStream, outlierRule: outlierRule, outliers: outliers)
    }

    /// Approximate bytes in memory besides the measures themselves.
    var byteCount: Int { summary.byteCount }

    func add(_ chunk: PointColumns, outliers: [PointAnnotations.Outliers] = []) {
        digest?.add(chunk)
        summary.add(chunk, outliers: outliers)
    }

    /// The digest and the summary; to be called once, after the last chunk.
    func finish() -> (digest: ContentDigest, summary: TrackSummary) {
        (digest.take()?.finish() ?? ContentDigest(of: []), summary.finish())
    }
}

extension TrackSnapshot {
    /// The summary of a track of a file by a gap rule; reads all of its points. Tracks of streams are measured with their
    /// stream, because bouncing positions are found there.
    func summary(of track: Track, gap: GapRule) throws -> TrackSummary {
        try TrackSummary(ofFileWith: gap, track.outlierRule) { body in
            try forEachChunk(ofTrack: track.number, fields: TrackSummaryBuilder.wanted) { body($0) }
        }
    }
}

extension TrackSummary {
    /// Measures the recording of a file, of which `read` gives the chunks: once more if there may be outliers that only a
    /// view of all points shows. With `searching`, this is known to be so.
    init(
        ofFileWith gap: GapRule, _ outlierRule: OutlierRule, searching: Bool = false,
        _ read: ((PointColumns) -> Void) throws -> Void
    ) throws {
        if !searching {
            var builder = TrackSummaryBuilder(gap: gap, isStream: false, outlierRule: outlierRule)
            try read { builder.add($0) }
            self = builder.finish()
            guard needsOutlierSearch else { return }
        }
        var search = OutlierSearch(outlierRule: outlierRule, isStream: false)
        try read { search.add($0) }
        var builder = TrackSummaryBuilder(
            gap: gap, isStream: false, outlierRule: outlierRule, outliers: search.finish())
        try read { builder.add($0) }
        self = builder.finish()
    }
}

extension TrackWriter {
    /// Writes what was found out about the points of a track.
    func write(_ annotations: PointAnnotations, of number: Int64) throws {
        guard !annotations.isEmpty else { return try deleteAnnotations(of: number) }
        try session.run(
            """
            INSERT INTO track_annotation (track, bytes) VALUES ($1, $2)
            ON CONFLICT (track) DO UPDATE SET bytes = excluded.bytes
            """, [.integer(number), .blob(annotations.encoded)])
    }

    func deleteAnnotations(of number: Int64) throws {
        try session.run("DELETE FROM track_annotation WHERE track = $1", [.integer(number)])
    }
}
