import Database
internal import Tracks

/// Recordings that continue a stored one, or that a stored one continues: a file that was imported while it grew, and
/// then whole. Person and device have to be the same, and all points of the shorter one have to be the first points of
/// the longer one.
extension TrackWriter {
    /// The maximum number of tracks with the same start that are compared.
    package static let continuationLimit = 100

    /// The track that a recording continues, or that continues it: the one with most points. nil if there is none.
    ///
    /// Candidates are found by person, device and time of the earliest point; recordings without times have none.
    func continuedTrack(_ recording: ClosedRecording, person: Int64) throws -> Track? {
        guard let start = recording.summary.start, let bounds = recording.summary.bounds,
            let query = continuationQuery(recording, person: person)
        else { return nil }
        try comparedLibrary?.copyTracks(startingAt: start, person: person, into: session)
        let candidates = try session.rows(query.sql, query.values) {
            (number: $0.integer(0), points: Int($0.integer(1)), bounds: E7Bounds(row: $0, from: 2))
        }
        for candidate in candidates.sorted(by: { ($1.points, $0.number) < ($0.points, $1.number) })
        where candidate.bounds.intersects(bounds) {
            if try isContinuation(recording, candidate.number, candidate.points) {
                return try TrackSnapshot(session: session).track(number: candidate.number)
            }
        }
        return nil
    }

    /// The statement that finds the candidates; nil for a recording without times.
    func continuationQuery(_ recording: ClosedRecording, person: Int64) -> Query? {
        guard let start = recording.summary.start else { return nil }
        return Query(
            """
            SELECT number, points, west, south, east, north FROM track
            WHERE start = $1 AND state = 0 AND person + 0 = $2 AND stream IS NULL AND coalesce(device, '') = $3
            ORDER BY number DESC LIMIT $4
            """,
            [
                .integer(start), .integer(person), .text(recording.header.device ?? ""),
                .integer(Self.continuationLimit),
            ])
    }

    /// Whether the points of the shorter one are the first points of the other.
    private func isContinuation(_ recording: ClosedRecording, _ number: Int64, _ points: Int) throws -> Bool {
        let common = min(points, recording.summary.points)
        for ordinal in 0..<(common + PointChunk.capacity - 1) / PointChunk.capacity {
            guard let mine = try FileChunks.read(session, of: number, ordinal: ordinal, fields: .none),
                let theirs = try chunk(ordinal, of: recording), mine.agreesInTimesAndPlaces(with: theirs)
            else { return false }
        }
        return true
    }
}

extension RecordingOutcome {
    /// All points are stored already.
    static func duplicate(of summary: TrackSummary, waypoints: Int) -> RecordingOutcome {
        var outcome = RecordingOutcome()
        outcome.duplicateTracks = 1
        outcome.duplicatePoints = summary.points
        outcome.duplicatePins = waypoints
        return outcome
    }

    /// A recording was merged with a track, which had some of its points, or all and possibly more.
    static func merged(_ recording: ClosedRecording, newWaypoints: Int, with track: Track) -> RecordingOutcome {
        let summary = recording.summary
        guard summary.points > track.points else { return duplicate(of: summary, waypoints: recording.waypoints) }
        var outcome = RecordingOutcome()
        outcome.pins = newWaypoints
        outcome.duplicatePins = recording.waypoints - newWaypoints
        outcome.continuedTracks = 1
        outcome.points = summary.points - track.points
        outcome.duplicatePoints = track.points
        outcome.untimed = summary.untimed - track.untimed
        outcome.outliers = summary.outliers.merging(track.outliers.mapValues { -$0 }, uniquingKeysWith: +)
            .filter { $0.value > 0 }
        return outcome
    }
}
