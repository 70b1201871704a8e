import Database
public import Tracks

extension TrackDatabase {
    /// Sets the rule for outliers and measures every track again. The grid then has to be rebuilt.
    ///
    /// If the process is killed, the work continues when the library is next opened. `report` gets the number of tracks
    /// done and the number of all tracks.
    public func setOutlierRule(_ rule: OutlierRule, report: (_ done: Int, _ tracks: Int) -> Void = { _, _ in }) throws {
        let tracks = try write { writer in
            try writer.flush()
            try writer.session.transaction { try OutlierRuleStore.set(rule, writer.session) }
            return Int(try writer.session.integer("SELECT count(*) FROM track WHERE state = 0") ?? 0)
        }
        var done = 0
        while let measured = try write({ try $0.measureNextBatch() }) {
            done += measured
            report(min(done, tracks), tracks)
        }
    }

    /// Measures the tracks that a killed process left, or those of a library with an older rule.
    func finishMeasuring() throws {
        while try write({ try $0.measureNextBatch() }) != nil {}
    }
}

extension TrackWriter {
    /// Number of points after which the transaction ends, because others want to write, too.
    private static let measuredPoints = 500_000

    /// Measures the next tracks again in one transaction; returns how many, nil if none is left.
    mutating func measureNextBatch() throws -> Int? {
        guard try OutlierRuleStore.measuredTo(session) != nil else { return nil }
        try flush()
        return try session.transaction {
            guard var position = try OutlierRuleStore.measuredTo(session) else { return nil }
            let snapshot = TrackSnapshot(session: session)
            var draft = ChangeLog.Draft()
            var tracks = 0
            var points = 0
            while points < Self.measuredPoints {
                let next = try session.integer(
                    "SELECT min(number) FROM track WHERE state = 0 AND number > $1", [.integer(position)])
                guard let next, let track = try snapshot.track(number: next) else {
                    try OutlierRuleStore.set(measuredTo: nil, session)
                    try ChangeLog.append(draft, time: now(), session)
                    return tracks > 0 ? tracks : nil
                }
                try remeasure(track, snapshot, &draft)
                position = next
                tracks += 1
                points += track.points
            }
            try OutlierRuleStore.set(measuredTo: position, session)
            try ChangeLog.append(draft, time: now(), session)
            return tracks
        }
    }

    /// Measures a track again, and adds it to the draft if the summary changed. A changed length alone does not change
    /// what is drawn.
    private func remeasure(_ track: Track, _ snapshot: TrackSnapshot, _ draft: inout ChangeLog.Draft) throws {
        if track.isStream {
            // Bounces are found in the stream, and may change how it is split.
            if let start = track.start, let end = track.end, let stream = try stream(ofTrack: track.number) {
                try updateTracks(of: stream, from: start, to: end, measuresAll: true, &draft)
            }
            return
        }
        let summary = try snapshot.summary(of: track, gap: track.gap)
        let isDrawnOtherwise =
            summary.outliers != track.outliers || summary.bounds != track.bounds
            || summary.longSegments != track.longSegments || summary.annotations.ofPath != track.annotations.ofPath
            || summary.annotations.rests != track.annotations.rests
        guard isDrawnOtherwise || summary.metres != track.metres else { return }
        try write(summary, of: track.number)
        if isDrawnOtherwise { draft.changed.insert(track.number) } else { draft.metadataChanged.insert(track.number) }
    }
}
