internal import Database
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

/// The outlier rule in `meta`, and the progress of measuring tracks by it.
enum OutlierRuleStore {
    private static let rule = "cleaning"
    /// The number of the last track that was measured again; present only while some tracks are not measured yet.
    private static let measured = "measured"

    /// How tracks are measured: lengths on the ellipsoid without rests, and runs of jumps, bouncing positions and repeated
    /// points are outliers. Versions before 2 measured lengths on a sphere, or wrote a row `lengths`; version 2 knew
    /// neither rests, bounces, repetitions nor estimated times.
    private static let measurement = "measurement"
    private static let version: Int64 = 3

    /// Whether the library has a rule, and its tracks are measured, or are going to be, as this version does it.
    static func isPrepared(_ session: any Session) throws -> Bool {
        try Meta.text(rule, session) != nil && Meta.integer(measurement, session) == version
    }

    /// Sets the standard rule in a library without one, and has the tracks of an earlier version measured again.
    static func prepare(_ session: any Session) throws {
        if try Meta.text(rule, session) == nil { try set(.standard, session) }
        guard try Meta.integer(measurement, session) != version else { return }
        try set(measuredTo: 0, session)
        try Meta.set(measurement, to: .integer(version), session)
        try session.run("DELETE FROM meta WHERE name = 'lengths'")
    }

    static func rule(_ session: any Session) throws -> OutlierRule {
        RowCoding.outlierRule(try Meta.text(rule, session))
    }

    static func set(_ new: OutlierRule, _ session: any Session) throws {
        try Meta.set(rule, to: .text(new.text), session)
        try set(measuredTo: 0, session)
    }

    static func measuredTo(_ session: any Session) throws -> Int64? {
        try Meta.integer(measured, session)
    }

    /// nil means that all tracks are measured.
    static func set(measuredTo number: Int64?, _ session: any Session) throws {
        if let number { return try Meta.set(measured, to: .integer(number), session) }
        try session.run("DELETE FROM meta WHERE name = $1", [.text(measured)])
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

/// A point that takes no part in heat, lines and replay, with the reason.
public struct OutlierPoint: Sendable, Equatable {
    /// The index of the point in the track, from 0.
    public var index: Int
    /// Milliseconds since 1970; nil if the point has no time.
    public var time: Int64?
    /// 1e-7° east.
    public var longitude: Int32
    /// 1e-7° north.
    public var latitude: Int32
    /// Why it is an outlier.
    public var outlierReason: OutlierReason
    /// The horizontal accuracy that the point gives, in metres rounded up.
    public var accuracy: UInt32?
}

extension TrackSnapshot {
    /// Calls `body` with the excluded points of a track in order; reads the whole track.
    public func forEachOutlier(of track: Track, _ body: (OutlierPoint) throws -> Void) throws {
        var detector = track.detector
        var classified: [ClassifiedPoint] = []
        var fields = ClassifiedFields()
        func give() throws {
            for point in classified {
                guard let outlierReason = point.outlierReason else { continue }
                try body(
                    OutlierPoint(
                        index: point.index, time: point.time == PointChunk.untimed ? nil : point.time,
                        longitude: point.longitude, latitude: point.latitude, outlierReason: outlierReason,
                        accuracy: fields.accuracy(at: point.index)))
            }
            classified.removeAll(keepingCapacity: true)
        }
        try forEachChunk(ofTrack: track.number, fields: OutlierDetector.wanted) { chunk in
            fields.take(DrawnFields(chunk))
            detector.add(chunk, into: &classified)
            try give()
        }
        detector.finish(into: &classified)
        try give()
    }
}
