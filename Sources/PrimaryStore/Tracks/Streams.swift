internal import Database
import Digest
package import Tracks

/// How points are merged into the stream of a person's device, and how streams are split into tracks.
///
/// A stream is a set of points with time and place (at 1e-7°) as key. It is split into tracks at pauses between
/// consecutive points that are not bouncing positions. Whether it is split depends only on the two points, and on the points
/// within `OutlierSearch.contextMilliseconds` if there may be bounces, so only tracks near a change have to be split
/// again, and the order in which points arrive makes no difference. Steps of impossible speed are gaps within a
/// track: an error of the receiver does not end a track.
extension TrackWriter {
    package struct StreamHeader {
        package var number: Int64
        var person: Int64
        var personName: String?
        var header: RecordingHeader
    }

    /// The maximum number of chunks that one transaction merges.
    private static let batchChunks = 8
    /// The number of field values, including absent ones, at which a batch ends early: 32 MiB.
    private static let batchValues = 4 << 20

    mutating func addToStream(_ recording: ClosedRecording) throws {
        // Recordings are stored in the order in which they were added, so that two runs have the same receipts.
        try flush()
        try comparedLibrary?.copyStream(of: recording.header, into: session)
        let stream = try prepareStream(recording.header)
        var untimed = UntimedPoints()
        var ordinal = 0
        while ordinal < recording.chunkCount {
            var points = PointColumns()
            let end = min(ordinal + Self.batchChunks, recording.chunkCount)
            while ordinal < end, points.count * points.fields.count < Self.batchValues {
                defer { ordinal += 1 }
                guard let chunk = try chunk(ordinal, of: recording) else { continue }
                untimed.add(chunk)
                let timed = chunk.times.timedIndices
                if !timed.isEmpty { points.append(chunk.gathered(timed)) }
            }
            guard points.count > 0 else { continue }
            points.becomeDecimal()
            recording.collector.add(try merge(points, into: stream, of: recording.origin, header: recording.header))
        }
        if let provisionalTrack = recording.provisionalTrack { discardProvisional(provisionalTrack) }
        let rest = untimed.recording(
            header: recording.header, outlierRule: recording.outlierRule, origin: recording.origin)
        guard var rest else { return }
        rest.collector = recording.collector
        try addFile(rest)
    }

    /// Finds or creates the stream, and merges its header.
    package func prepareStream(_ header: RecordingHeader) throws -> StreamHeader {
        try session.transaction {
            let person = try person(header.person)
            let device = header.device ?? ""
            var stream = try session.first(
                "SELECT number, gap, name, activity, source, notes FROM stream WHERE person = $1 AND device = $2",
                [.integer(person), .text(device)]
            ) { row in
                StreamHeader(
                    number: row.integer(0), person: person, personName: header.person,
                    header: RecordingHeader(
                        name: row.textOrNil(2), activity: row.textOrNil(3), person: header.person, device: device,
                        source: row.text(4), gap: RowCoding.gap(of: row.integer(1)),
                        attributes: RowCoding.attributes(row.textOrNil(5))))
            }
            guard let old = stream else {
                let number = try session.inserted(
                    """
                    INSERT INTO stream (person, device, gap, name, activity, source, notes) VALUES ($1, $2, $3, $4, $5, $6, $7)
                    RETURNING number
                    """,
                    [.integer(person), .text(device)] + Self.values(of: header, activity: header.activity))
                return StreamHeader(number: number, person: person, personName: header.person, header: header)
            }
            let merged = old.header.merged(with: header)
            guard merged != old.header else { return old }
            stream?.header = merged
            try rewrite(stream ?? old, insteadOf: old.header)
            return stream ?? old
        }
    }

    func rewrite(_ stream: StreamHeader, insteadOf old: RecordingHeader) throws {
        var draft = ChangeLog.Draft()
        let values = Self.values(of: stream.header, activity: stream.header.activity)
        try session.run(
            "UPDATE stream SET gap = $1, name = $2, activity = $3, source = $4, notes = $5 WHERE number = $6",
            values + [.integer(stream.number)])
        try session.run(
            """
            UPDATE track SET gap = $1, name = $2, activity = coalesce($3, activity), source = $4, notes = $5
            WHERE stream = $6 AND state = 0
            """,
            values + [.integer(stream.number)])
        let numbers = try session.rows(
            "SELECT number FROM track WHERE stream = $1 AND state = 0", [.integer(stream.number)]
        ) { $0.integer(0) }
        if stream.header.activity != old.activity || stream.header.gap != old.gap {
            draft.changed.formUnion(numbers)
        } else {
            draft.metadataChanged.formUnion(numbers)
        }
        let isActivityNamedByPoints = stream.header.activity == nil && old.activity != nil
        if stream.header.gap != old.gap || isActivityNamedByPoints {
            try updateTracks(of: stream, from: .min, to: .max, measuresAll: isActivityNamedByPoints, &draft)
        }
        try ChangeLog.append(draft, time: now(), session)
    }

    private static func values(of header: RecordingHeader, activity: String?) -> [Value] {
        [
            .integer(RowCoding.number(of: header.gap)), .text(orNull: header.name), .text(orNull: activity),
            .text(header.source), RowCoding.attributesValue(header.attributes),
        ]
    }

    // MARK: Merging

    /// Merges points that all have a time, as points of an origin. If the origin has a content of its own, they are merged
    /// into that, too.
    ///
    /// In the same transaction, `select` chooses the points to merge before, and `complete` is called after.
    package func merge(
        _ given: PointColumns, into stream: StreamHeader, of origin: ImportOrigin, header: RecordingHeader,
        countsRepeats: Bool = false,
        select: (PointColumns) throws -> PointColumns = { $0 }, complete: () throws -> Void = {}
    ) throws -> RecordingOutcome {
        try session.transaction {
            let points = try select(given)
            let content = try points.timeRange.flatMap {
                try self.content(of: origin, in: stream.number, header: header, adding: $0)
            }
            var draft = ChangeLog.Draft()
            var outcome = RecordingOutcome()
            let merger = StreamMerger(
                session: session, stream: stream.number, countsRepeats: countsRepeats)
            let result = try merger.merge(points)
            if let content {
                let own = StreamMerger(
                    session: session, stream: -content, countsRepeats: countsRepeats)
                _ = try own.merge(points)
            }
            outcome.points = result.newPoints
            outcome.duplicatePoints = points.count - result.newPoints
            // Which of the points are new is not known one by one.
            let waypoints = points.waypointIndices.count
            outcome.pins = min(waypoints, result.newPoints)
            outcome.duplicatePins = waypoints - outcome.pins
            for changedRange in StreamMerger.ChangedRange.joined(result.changedRanges) {
                let outliers = try updateTracks(
                    of: stream, from: changedRange.first, to: changedRange.last,
                    measuresAll: changedRange.isDrawnDifferently, &draft)
                outcome.outliers.merge(outliers) { $0 + $1 }
            }
            for changedRange in result.changedRanges where !changedRange.hasNewPoints {
                draft.metadataChanged.formUnion(
                    try tracks(of: stream.number, from: changedRange.first, to: changedRange.last))
            }
            for changedRange in result.changedRanges where changedRange.isDrawnDifferently {
                let drawn = try tracks(of: stream.number, from: changedRange.first, to: changedRange.last)
                draft.changed.formUnion(drawn.filter { !draft.added.contains($0) })
                draft.metadataChanged.subtract(drawn)
            }
            // Points between two tracks make one of them, so the sum of all outcomes is the number of tracks.
            outcome.newTracks = draft.added.count - draft.removed.count
            try ChangeLog.append(draft, time: now(), session)
            try complete()
            return outcome
        }
    }

    func tracks(of stream: Int64, from start: Int64, to end: Int64) throws -> [Int64] {
        try session.rows(
            "SELECT number FROM track WHERE stream = $1 AND state = 0 AND start <= $2 AND finish >= $3",
            [.integer(stream), .integer(end), .integer(start)]
        ) { $0.integer(0) }
    }

    // MARK: Splitting

    /// A stored track of a stream.
    struct StoredTrack {
        var number: Int64
        var id: String
        var start: Int64
        var end: Int64
        var anchor: Int64
        var digest: [UInt8]
        var outliers: [OutlierReason: Int]
        var annotations: PointAnnotations
        var metres: Double
        var activity: String?

        private static let annotation = "(SELECT bytes FROM track_annotation WHERE track = number)"
        static let columns = "number, id, start, finish, anchor, digest, marked, metres, \(annotation), activity"

        /// The columns `columns` of a row.
        init(row: any Row) {
            (number, id, start, end, anchor) = (
                row.integer(0), row.text(1), row.integer(2), row.integer(3), row.integer(4)
            )
            digest = row.blob(5)
            outliers = RowCoding.outliers(row.textOrNil(6))
            metres = row.real(7)
            activity = row.textOrNil(9)
            annotations = row.isNull(8) ? PointAnnotations() : PointAnnotations(decoding: row.blob(8).span)
        }
    }

    /// Splits the stream again where points between two times were added or removed; returns how many more points are
    /// excluded. With `measuresAll`, tracks with unchanged points are measured again, too, because other fields may
    /// have changed.
    @discardableResult
    func updateTracks(
        of stream: StreamHeader, from first: Int64, to last: Int64, measuresAll: Bool = false,
        _ draft: inout ChangeLog.Draft
    ) throws -> [OutlierReason: Int] {
        let outlierRule = try OutlierRuleStore.rule(session)
        var old = try storedTracks(of: stream.number, from: first, to: last)
        func begin() -> Int64 { min(first, old.first?.start ?? first) }
        func end() -> Int64 { max(last, old.last?.end ?? last) }
        var bounces = StreamBounces()
        // The change may turn points near it into bounces, or bounces into ordinary points.
        let context = OutlierSearch.contextMilliseconds
        let around = try storedTracks(of: stream.number, from: first.minus(context), to: last.plus(context))
        if try around.contains(where: { $0.outliers[.bounce] != nil })
            || StreamBounces.mayBe(
                in: session, stream: stream.number, from: min(begin(), first.minus(context)),
                to: max(end(), last.plus(context)), outlierRule)
        {
            old = around
            bounces = try StreamBounces(in: session, stream: stream.number, from: begin(), to: end(), outlierRule)
        }
        let splitter = StreamSplitter(gap: stream.header.gap, outlierRule: outlierRule, bounces: bounces)
        try StreamChunks.forEach(
            session, stream: stream.number, from: begin(), to: end(), fields: TrackSummaryBuilder.wanted
        ) { chunk in
            splitter.add(chunk.slice(from: begin(), to: end()))
        }
        var outliers: [OutlierReason: Int] = [:]
        var left = old[...]
        for split in splitter.finish() {
            // The anchor is the time at which a track began when it was first stored. The part with the anchor keeps
            // the id.
            while let track = left.first, track.anchor < split.start {
                try remove(track, mergedInto: nil, &draft)
                left.removeFirst()
            }
            var within: [StoredTrack] = []
            while let track = left.first, track.anchor <= split.end {
                within.append(track)
                left.removeFirst()
            }
            // Of tracks that are one now, the first stored keeps its id; the ids of the others become aliases.
            let kept = within.min { $0.number < $1.number }
            let number = try store(split, of: stream, in: kept, measuresAll: measuresAll, &draft)
            for track in within where track.number != number { try remove(track, mergedInto: number, &draft) }
            outliers.merge(split.summary.outliers) { $0 + $1 }
        }
        for track in left { try remove(track, mergedInto: nil, &draft) }
        for track in old { outliers.merge(track.outliers.mapValues { -$0 }) { $0 + $1 } }
        return outliers.filter { $0.value > 0 }
    }

    /// The tracks between two times, with the preceding and the following one, ordered by anchor.
    private func storedTracks(of stream: Int64, from first: Int64, to last: Int64) throws -> [StoredTrack] {
        var tracks: [StoredTrack] = []
        try session.forEachWhile(
            "SELECT \(StoredTrack.columns) FROM track WHERE stream = $1 AND state = 0 AND start <= $2 ORDER BY start DESC",
            [.integer(stream), .integer(last)]
        ) { row in
            tracks.append(StoredTrack(row: row))
            return row.integer(3) >= first
        }
        tracks.reverse()
        let next = try session.first(
            "SELECT \(StoredTrack.columns) FROM track WHERE stream = $1 AND state = 0 AND start > $2 ORDER BY start LIMIT 1",
            [.integer(stream), .integer(last)], StoredTrack.init(row:))
        if let next { tracks.append(next) }
        return tracks
    }

    private func store(
        _ split: SplitTrack, of stream: StreamHeader, in kept: StoredTrack?, measuresAll: Bool,
        _ draft: inout ChangeLog.Draft
    ) throws -> Int64 {
        let activity = stream.header.activity ?? split.summary.namedActivity?.rawValue
        if let kept {
            let isOther =
                kept.digest != split.digest.bytes || kept.annotations.ofPath != split.summary.annotations.ofPath
                || draft.changed.contains(kept.number)
            guard isOther || measuresAll else { return kept.number }
            try session.run(
                "UPDATE track SET digest = $1, activity = $2 WHERE number = $3",
                [.blob(split.digest.bytes), .text(orNull: activity), .integer(kept.number)])
            try write(split.summary, of: kept.number)
            if isOther || split.summary.annotations != kept.annotations || split.summary.outliers != kept.outliers
                || activity != kept.activity
            {
                draft.changed.insert(kept.number)
            } else if split.summary.metres != kept.metres {
                // A changed length alone does not change what is drawn.
                draft.metadataChanged.insert(kept.number)
            }
            return kept.number
        }
        let id = try newID { digester in
            digester.update(stream.personName ?? "")
            digester.update(stream.header.device ?? "")
            digester.update(split.start)
        }
        let number = try session.inserted(
            """
            INSERT INTO track (state, id, person, stream, digest, device, anchor, gap, name, activity, source, notes)
            VALUES (0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING number
            """,
            [
                .text(id), .integer(stream.person), .integer(stream.number), .blob(split.digest.bytes),
                .text(stream.header.device ?? ""), .integer(split.start),
            ] + Self.values(of: stream.header, activity: activity))
        try write(split.summary, of: number)
        draft.added.append(number)
        return number
    }

    private func remove(_ track: StoredTrack, mergedInto number: Int64?, _ draft: inout ChangeLog.Draft) throws {
        try session.run("DELETE FROM track WHERE number = $1", [.integer(track.number)])
        try deleteAnnotations(of: track.number)
        if let number {
            try session.run(
                "UPDATE alias SET track = $1 WHERE track = $2", [.integer(number), .integer(track.number)])
            try session.run("INSERT INTO alias VALUES ($1, $2)", [.text(track.id), .integer(number)])
            try moveEdits(from: track.number, to: number)
            draft.metadataChanged.insert(number)
        } else {
            try session.run("DELETE FROM alias WHERE track = $1", [.integer(track.number)])
            try deleteEdits(of: track.number)
        }
        draft.removed.insert(track.number)
    }

    // MARK: Removing

    /// Removes a track's points from its stream.
    func removeFromStream(_ track: Track, _ draft: inout ChangeLog.Draft) throws {
        guard let start = track.start, let end = track.end, let stream = try stream(ofTrack: track.number) else {
            return
        }
        let number = stream.number
        try HeadingRows.delete(ofTrackFrom: start, to: end, stream: number, session)
        try deletePoints(ofStream: number, from: start, to: end)
        for content in try streamSources(of: number).compactMap(\.content) {
            try deletePoints(ofStream: -content, from: start, to: end)
        }
        try session.run("DELETE FROM alias WHERE track = $1", [.integer(track.number)])
        try session.run("DELETE FROM track WHERE number = $1", [.integer(track.number)])
        try deleteAnnotations(of: track.number)
        try deleteEdits(of: track.number)
        draft.removed.insert(track.number)
        try updateTracks(of: stream, from: start, to: end, &draft)
        let left = try session.integer(
            "SELECT 1 FROM track WHERE stream = $1 AND state = 0 LIMIT 1", [.integer(number)])
        if left == nil {
            try session.run("DELETE FROM stream WHERE number = $1", [.integer(number)])
            try deleteUnusedStreamSources()
        }
    }
}
