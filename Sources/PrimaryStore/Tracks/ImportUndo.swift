internal import Database
import Digest
import Text
internal import Tracks

/// The progress of undoing what origins contributed, passed from one step to the next.
struct ImportUndo {
    /// The origins, which are one range: of an import, or one file.
    let origins: ClosedRange<Int64>
    /// The origin that contributed the same files, read anew; nil if nothing replaces what is removed.
    var replacement: ImportOrigin?
    /// A step starts nothing more after this time.
    let stepTime: Duration
    /// The current track.
    private(set) var track: Int64?
    /// The number of its chunks that have been merged again from the contents of the other imports.
    var chunks = 0
    /// Whether all its chunks have been merged again.
    var isRewritten = false
    /// The gap rule with which the track has to be measured before the next step; nil if it need not be measured.
    var gapToMeasure: GapRule?
    /// The result of that measurement.
    var measured: Measured?
    /// The live tracks and points that the steps have removed, counted in the transactions that removed them.
    var tracks = 0
    var points = 0
    /// The numbers of the pins that may have been removed with them.
    var pins: Set<Int64> = []

    struct Measured: Sendable {
        var track: Int64
        var revision: Int64
        var gap: GapRule
        var outlierRule: OutlierRule
        var summary: TrackSummary
    }

    init(origins: ClosedRange<Int64>, replacement: ImportOrigin? = nil, stepTime: Duration) {
        self.origins = origins
        self.replacement = replacement
        self.stepTime = stepTime
    }

    /// Counts what a step has removed, from the live tracks and points before and after it.
    mutating func count(_ before: (tracks: Int, points: Int), _ after: (tracks: Int, points: Int)) {
        tracks += before.tracks - after.tracks
        points += before.points - after.points
    }

    func contains(_ origin: ImportOrigin) -> Bool { origins.contains(origin.rawValue) }

    /// The values of a condition `BETWEEN`.
    var bounds: [Value] { [.integer(origins.lowerBound), .integer(origins.upperBound)] }

    mutating func begin(_ next: Int64) {
        guard track != next else { return }
        track = next
        (chunks, isRewritten, gapToMeasure, measured) = (0, false, nil, nil)
    }
}

/// The points of a source.
private enum SourcePart: Hashable, Comparable {
    /// A content of its own.
    case content(Int64)
    /// The first of the stored points.
    case beginning(Int)

    init(_ source: RecordingSource) {
        self = source.content.map { .content($0) } ?? .beginning(source.beginning ?? 0)
    }
}

extension TrackDatabase {
    /// Measures the current track, if it is long, outside of a transaction, so that others may write.
    func measure(_ undo: inout ImportUndo) throws {
        guard let gap = undo.gapToMeasure, let number = undo.track else { return }
        undo.gapToMeasure = nil
        undo.measured = try read { snapshot in
            guard let track = try snapshot.track(number: number) else { return nil }
            return ImportUndo.Measured(
                track: number, revision: try snapshot.head().revision, gap: gap, outlierRule: track.outlierRule,
                summary: try snapshot.summary(of: track, gap: gap))
        }
    }
}

extension TrackWriter {
    /// The maximum number of points that are measured within a transaction, which takes some milliseconds.
    private static let maxMeasuredPoints = 100_000

    /// Undoes a part in one transaction; returns false if nothing is left.
    func undoStep(_ undo: inout ImportUndo) throws -> Bool {
        let isMore = try session.transaction {
            let end = ContinuousClock.now + undo.stepTime
            var draft = ChangeLog.Draft()
            var isMore = false
            repeat {
                let next = try session.integer(
                    "SELECT track FROM source WHERE import BETWEEN $1 AND $2 ORDER BY import, track LIMIT 1",
                    undo.bounds)
                guard let next else { break }
                isMore = true
                undo.begin(next)
                let before = try counts(ofTrack: next)
                undo.pins.formUnion(try pins(ofTracks: [next]))
                let isFinished = try undoStep(from: next, &undo, until: end, &draft)
                undo.count(before, try counts(ofTrack: next))
                guard isFinished else { break }
            } while ContinuousClock.now < end
            // Another process may have erased what earlier steps removed, and recorded that this is all.
            if isMore { try requestErasure() }
            try ChangeLog.append(draft, time: now(), session)
            return isMore
        }
        if isMore { return true }
        let stream = try session.first(
            "SELECT stream, import FROM stream_source WHERE import BETWEEN $1 AND $2 ORDER BY stream, import LIMIT 1",
            undo.bounds
        ) { (number: $0.integer(0), origin: ImportOrigin(rawValue: $0.integer(1))) }
        if let stream {
            try undoStep(stream.origin, fromStream: stream.number, &undo)
            return true
        }
        return try removeSomePins(of: &undo) || deleteSomeUnusedContent()
    }

    /// A live track and its points; zeros for another number.
    private func counts(ofTrack number: Int64) throws -> (tracks: Int, points: Int) {
        try session.first("SELECT points FROM track WHERE number = $1 AND state = 0", [.integer(number)]) {
            (1, Int($0.integer(0)))
        } ?? (0, 0)
    }

    /// The live tracks of a stream, and their points.
    func counts(ofStream number: Int64) throws -> (tracks: Int, points: Int) {
        // The cast is for PostgreSQL, where the sum of BIGINT is NUMERIC.
        try session.first(
            """
            SELECT count(*), CAST(coalesce(sum(points), 0) AS BIGINT) FROM track WHERE stream = $1 AND state = 0
            """, [.integer(number)]
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    /// The numbers of the pins of tracks.
    func pins(ofTracks numbers: [Int64]) throws -> [Int64] {
        try numbers.flatMap { number in
            try session.rows(
                "SELECT pin FROM pin_origin WHERE origin = $1", [.integer(PinOrigin.track(number))]
            ) { $0.integer(0) }
        }
    }

    /// Removes what the origins added to a track; what others added stays. Returns false if the track needs another step.
    ///
    /// They stay sources of the track until the last step, so that an interrupted undo is continued.
    private func undoStep(
        from number: Int64, _ undo: inout ImportUndo, until end: ContinuousClock.Instant,
        _ draft: inout ChangeLog.Draft
    ) throws -> Bool {
        let rest = try sources(of: number).filter { !undo.contains($0.origin) }
        guard let first = rest.first, let track = try TrackSnapshot(session: session).track(number: number) else {
            let kept = try undo.replacement == nil ? nil : keptEdits(of: number)
            try markRemoved(number, &draft)
            if let kept, let replacement = undo.replacement { try give(kept, toTracksOf: replacement, &draft) }
            return true
        }
        let header = rest.dropFirst().reduce(first.header) { $0.merged(with: $1.header) }
        // If a source has all the stored points, nothing is removed.
        let parts = rest.contains(where: \.isWhole) ? [] : Set(rest.map(SourcePart.init)).sorted()
        let points = try parts.map { try pointCount(of: $0) }.max() ?? track.points
        guard
            try parts.isEmpty || mergeRemainingChunks(number, from: parts, points: points, &undo, until: end, &draft)
        else { return false }
        var summary: TrackSummary?
        if points < track.points {
            guard try shorten(track, to: points, header: header, &draft) else { return true }
        } else if !parts.isEmpty || undo.chunks > 0 || header.gap != track.gap {
            // An interrupted step may have changed chunks, too.
            guard let found = try summarise(track, gap: header.gap, &undo) else { return false }
            summary = found
        }
        let mine = [.integer(number)] + undo.bounds
        try session.run("DELETE FROM source WHERE track = $1 AND import BETWEEN $2 AND $3", mine)
        try session.run("DELETE FROM source_beginning WHERE track = $1 AND import BETWEEN $2 AND $3", mine)
        if parts.count == 1 {
            try session.run("UPDATE source SET content = NULL WHERE track = $1", [.integer(number)])
        }
        // A source with as many points as are left has all of them.
        try session.run(
            "DELETE FROM source_beginning WHERE track = $1 AND points >= $2", [.integer(number), .integer(points)])
        try describe(track, as: header, MergedFields(), measured: summary, &draft)
        if draft.changed.contains(number) { draft.metadataChanged.remove(number) }
        return true
    }

    private func pointCount(of part: SourcePart) throws -> Int {
        switch part {
        case .content(let number): try FileChunks.pointCount(session, of: -number)
        case .beginning(let points): points
        }
    }

    /// Merges chunks again from what the other imports added, up to a number of points; returns false if time ran out
    /// before the last chunk. A chunk that becomes shorter is the last one, and is written in the transaction that also
    /// removes what follows.
    private func mergeRemainingChunks(
        _ number: Int64, from parts: [SourcePart], points: Int, _ undo: inout ImportUndo,
        until end: ContinuousClock.Instant, _ draft: inout ChangeLog.Draft
    ) throws -> Bool {
        let lastChunk = (points - 1) / PointChunk.capacity
        while !undo.isRewritten {
            guard undo.chunks <= lastChunk,
                let stored = try FileChunks.read(session, of: number, ordinal: undo.chunks)
            else {
                undo.isRewritten = true
                return true
            }
            var merged: PointColumns?
            for part in parts {
                merged = PointColumns.merged(merged, try chunk(undo.chunks, of: part, stored))
            }
            if let merged, merged != stored {
                try FileChunks.write(session, of: number, ordinal: undo.chunks, merged.encoded())
                let change = MergedFields(
                    from: merged.count < stored.count ? stored.beginning(merged.count) : stored, to: merged)
                if change.contains(.segments) || change.contains(.drawn) {
                    draft.changed.insert(number)
                } else {
                    draft.metadataChanged.insert(number)
                }
            }
            undo.chunks += 1
            if undo.chunks <= lastChunk, ContinuousClock.now >= end { return false }
        }
        return true
    }

    /// A chunk of a source; nil if it ends before. `stored` is the chunk of the track.
    private func chunk(_ ordinal: Int, of part: SourcePart, _ stored: PointColumns) throws -> PointColumns? {
        switch part {
        case .content(let number): return try FileChunks.read(session, of: -number, ordinal: ordinal)
        case .beginning(let points):
            let left = points - ordinal * PointChunk.capacity
            guard left > 0 else { return nil }
            return left < stored.count ? stored.beginning(left) : stored
        }
    }

    /// Removes the points of a track after the first `points`; returns false if this made it the same as another track,
    /// with which it was united.
    private func shorten(
        _ track: Track, to points: Int, header: RecordingHeader, _ draft: inout ChangeLog.Draft
    ) throws -> Bool {
        let number = track.number
        try FileChunks.delete(session, of: number, from: (points - 1) / PointChunk.capacity + 1)
        let measures = RecordingMeasures(gap: header.gap, outlierRule: track.outlierRule)
        try FileChunks.forEach(session, of: number, fields: TrackSummaryBuilder.wanted) { measures.add($0) }
        return try store(measures, gap: header.gap, of: track, &draft)
    }

    /// Stores the digest and the summary of a file's recording whose points have changed; returns false if another
    /// track has the same points now, with which it was united.
    func store(
        _ measures: RecordingMeasures, gap: GapRule, of track: Track, _ draft: inout ChangeLog.Draft
    ) throws -> Bool {
        let (digest, measured) = measures.finish()
        if let other = try liveFile(person: track.person, digest: digest), other != track.number {
            try unite(track, with: other, &draft)
            return false
        }
        try session.run(
            "UPDATE track SET digest = $1 WHERE number = $2", [.blob(digest.bytes), .integer(track.number)])
        let isComplete = !measured.needsOutlierSearch
        try write(
            isComplete ? measured : TrackSnapshot(session: session).summary(of: track, gap: gap), of: track.number)
        draft.changed.insert(track.number)
        return true
    }

    /// Makes a track an alias of another one, which has the same points.
    private func unite(_ track: Track, with other: Int64, _ draft: inout ChangeLog.Draft) throws {
        let numbers: [Value] = [.integer(other), .integer(track.number)]
        // Before the sources are moved, because they tell which imports are.
        try session.run(
            """
            UPDATE source_beginning SET track = $1 WHERE track = $2
            AND import NOT IN (SELECT import FROM source WHERE track = $1)
            """, numbers)
        try session.run(
            """
            UPDATE source SET track = $1 WHERE track = $2
            AND import NOT IN (SELECT import FROM source WHERE track = $1)
            """, numbers)
        try session.run("DELETE FROM source_beginning WHERE track = $1", [.integer(track.number)])
        try session.run("UPDATE alias SET track = $1 WHERE track = $2", [.integer(other), .integer(track.number)])
        try session.run("INSERT INTO alias VALUES ($1, $2)", [.text(track.id), .integer(other)])
        try moveEdits(from: track.number, to: other)
        try markRemoved(track.number, &draft)
        draft.metadataChanged.insert(other)
    }

    /// The summary of a track; nil if the track is long and has to be measured outside of the transaction first.
    private func summarise(_ track: Track, gap: GapRule, _ undo: inout ImportUndo) throws -> TrackSummary? {
        if track.points <= Self.maxMeasuredPoints {
            return try TrackSnapshot(session: session).summary(of: track, gap: gap)
        }
        if let known = undo.measured, known.track == track.number, known.gap == gap,
            known.outlierRule == track.outlierRule
        {
            let later = try TrackSnapshot(session: session).changes(since: known.revision)
            let hasChanged = later.contains {
                $0.changed.contains(track.number) || $0.metadataChanged.contains(track.number)
            }
            if !hasChanged { return known.summary }
        }
        undo.gapToMeasure = gap
        return nil
    }
}
