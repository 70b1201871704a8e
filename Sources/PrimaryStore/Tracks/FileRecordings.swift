import Database
import Digest
internal import TileLog
internal import Tracks

/// How recordings of files are stored: as a new track, or merged into the track with the same points.
extension TrackWriter {
    func apply(
        _ given: ClosedRecording, _ reads: inout RepeatedReads, _ draft: inout ChangeLog.Draft
    ) throws -> RecordingOutcome {
        var recording = given
        let outlierRule = try reads.outlierRule(session)
        // Another process may have set another rule since.
        if recording.outlierRule != outlierRule { try remeasure(&recording, outlierRule: outlierRule) }
        let summary = recording.summary
        if try comparedLibrary?.has(recording) == true {
            return .duplicate(of: summary, waypoints: recording.waypoints)
        }
        let person = try reads.person(recording.header.person) { try self.person($0) }
        let spanClasses = try reads.spanClasses(of: person, session)
        // All that is read before the first row is written; most recordings are new.
        try session.prefetch(
            [
                liveFileQuery(person: person, digest: recording.digest),
                continuationQuery(recording, person: person),
                Self.idQuery(Self.id(library: library, attempt: 0, content(of: recording))),
            ].compactMap { $0 } + SimilarTracks.queries(of: recording.summary, person: person, spanClasses: spanClasses)
        )
        if let known = try track(like: recording, person: person) {
            // First, because it compares the recording with the points that are stored before the merge.
            try recordSource(recording, of: known)
            try merge(recording, with: known, &draft)
            reads.forgetSpanClasses()
            recording.collector.add(knownTrack: known.number)
            return .merged(recording, newWaypoints: try waypoints(of: recording, after: known.points), with: known)
        }
        var outcome = RecordingOutcome()
        outcome.newTracks = 1
        outcome.points = summary.points
        outcome.pins = recording.waypoints
        outcome.untimed = summary.untimed
        outcome.outliers = summary.outliers
        outcome.similarTracks = try similarTracks(of: recording, person: person, spanClasses)
        outcome.hasProvisionalIDs = hasProvisionalIDs
        let number = try insert(recording, person: person)
        reads.add(spanClass: spanClass(of: summary), of: person)
        try putFirst(
            RecordingSource(origin: recording.origin, content: nil, header: recording.header), of: number)
        for (index, bytes) in recording.chunks.enumerated() {
            try FileChunks.write(session, of: number, ordinal: recording.provisionalChunkCount + index, bytes)
        }
        draft.added.append(number)
        recording.collector.add(track: number)
        return outcome
    }

    private func similarTracks(
        of recording: ClosedRecording, person: Int64, _ spanClasses: [Int64]
    ) throws -> Set<String> {
        let ids = try SimilarTracks.ids(
            session, of: recording.summary, person: person, spanClasses: spanClasses,
            except: recording.collector.tracks)
        let compared = try comparedLibrary?.similarTracks(of: recording.summary, person: person) ?? []
        return Set(ids + compared)
    }

    /// The stored track that has the same points, or whose points begin with them, or that begins it.
    private func track(like recording: ClosedRecording, person: Int64) throws -> Track? {
        let snapshot = TrackSnapshot(session: session)
        if let known = try liveFile(person: person, digest: recording.digest) {
            return try snapshot.track(number: known)
        }
        return try continuedTrack(recording, person: person)
    }

    /// The number of waypoints of a recording after its first `points`.
    private func waypoints(of recording: ClosedRecording, after points: Int) throws -> Int {
        guard recording.waypoints > 0, recording.summary.points > points else { return 0 }
        var count = 0
        for ordinal in points / PointChunk.capacity..<recording.chunkCount {
            guard let chunk = try chunk(ordinal, of: recording) else { continue }
            count += chunk.waypointIndices.count { ordinal * PointChunk.capacity + $0 >= points }
        }
        return count
    }

    private func insert(_ recording: ClosedRecording, person: Int64) throws -> Int64 {
        let header = recording.header
        let id = try newID(content(of: recording))
        let described: [Value] = [
            .text(id), .integer(person), .blob(recording.digest.bytes), .text(orNull: header.name),
            .text(orNull: header.activity), .text(header.source), .text(orNull: header.device),
            RowCoding.attributesValue(header.attributes), .integer(RowCoding.number(of: header.gap)),
        ]
        let number: Int64
        if let provisional = recording.provisionalTrack {
            number = provisional
            try session.run(
                """
                UPDATE track SET state = 0, session = NULL, id = $1, person = $2, digest = $3, name = $4, activity = $5,
                source = $6, device = $7, notes = $8, gap = $9 WHERE number = $10
                """, described + [.integer(number)])
            try write(recording.summary, of: number)
        } else {
            number = try session.inserted(
                """
                INSERT INTO track (state, id, person, digest, name, activity, source, device, notes, gap, start, finish, span,
                points, untimed, marked, metres, west, south, east, north, long_segments)
                VALUES (0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
                RETURNING number
                """, described + values(of: recording.summary))
            if !recording.summary.annotations.isEmpty { try write(recording.summary.annotations, of: number) }
        }
        return number
    }

    /// What the id of a track is made of.
    private func content(of recording: ClosedRecording) -> (inout Digester) -> Void {
        { digester in
            digester.update(recording.header.person ?? "")
            digester.update(recording.digest)
        }
    }

    /// Writes the summary of a track.
    func write(_ summary: TrackSummary, of number: Int64) throws {
        try session.run(
            """
            UPDATE track SET start = $1, finish = $2, span = $3, points = $4, untimed = $5, marked = $6, metres = $7, west = $8,
            south = $9, east = $10, north = $11, long_segments = $12 WHERE number = $13
            """, values(of: summary) + [.integer(number)])
        try write(summary.annotations, of: number)
    }

    /// The columns from `start` to `long_segments`.
    private func values(of summary: TrackSummary) -> [Value] {
        [
            .integer(orNull: summary.start), .integer(orNull: summary.end), .integer(orNull: spanClass(of: summary)),
            .integer(summary.points), .integer(summary.untimed), RowCoding.outliersValue(summary.outliers),
            .real(summary.metres), .integer(orNull: summary.bounds.map { Int64($0.west) }),
            .integer(orNull: summary.bounds.map { Int64($0.south) }),
            .integer(orNull: summary.bounds.map { Int64($0.east) }),
            .integer(orNull: summary.bounds.map { Int64($0.north) }),
            RowCoding.segmentsValue(summary.longSegments),
        ]
    }

    private func spanClass(of summary: TrackSummary) -> Int64? {
        summary.start.flatMap { start in summary.end.map { RowCoding.spanClass(start: start, end: $0) } }
    }

    // MARK: Merging

    private func merge(_ recording: ClosedRecording, with track: Track, _ draft: inout ChangeLog.Draft) throws {
        let number = track.number
        let header = try recordedHeader(of: track).merged(with: recording.header)
        var change = MergedFields()
        for ordinal in 0..<recording.chunkCount {
            change.formUnion(try mergeChunk(ordinal, of: number, with: recording))
        }
        guard recording.summary.points > track.points else {
            return try describe(track, as: header, change, &draft)
        }
        try session.run(
            "UPDATE track SET digest = $1 WHERE number = $2", [.blob(recording.digest.bytes), .integer(number)])
        // If its own points were only continued, they have been measured already.
        let isMeasured = change.isEmpty && header.gap == recording.header.gap
        try describe(
            track, as: header, change.union(.segments), measured: isMeasured ? recording.summary : nil, &draft)
    }

    private func recordedHeader(of track: Track) throws -> RecordingHeader {
        let recorded = try recordedNames(of: track.number)
        return RecordingHeader(
            name: recorded.name, activity: recorded.activity, device: track.device, source: track.source,
            gap: track.gap, attributes: track.attributes)
    }

    /// Writes a changed header of a track, writes its summary (measured here if its points changed and `measured` is
    /// nil), and adds the track to the draft.
    func describe(
        _ track: Track, as header: RecordingHeader, _ change: MergedFields, measured: TrackSummary? = nil,
        _ draft: inout ChangeLog.Draft
    ) throws {
        let number = track.number
        let old = try recordedHeader(of: track)
        if header != old {
            try session.run(
                "UPDATE track SET name = $1, activity = $2, source = $3, device = $4, notes = $5, gap = $6 WHERE number = $7",
                [
                    .text(orNull: header.name), .text(orNull: header.activity), .text(header.source),
                    .text(orNull: header.device), RowCoding.attributesValue(header.attributes),
                    .integer(RowCoding.number(of: header.gap)), .integer(number),
                ])
        }
        var isFoundOtherwise = false
        if measured != nil || change.contains(.segments) || change.contains(.drawn) || header.gap != old.gap {
            let summary = try measured ?? TrackSnapshot(session: session).summary(of: track, gap: header.gap)
            isFoundOtherwise =
                summary.annotations != track.annotations || summary.outliers != track.outliers
                || summary.longSegments != track.longSegments
            try write(summary, of: number)
        }
        if isFoundOtherwise || change.contains(.segments) || change.contains(.drawn) || header.gap != old.gap
            || header.activity != old.activity
        {
            draft.changed.insert(number)
        } else if header != old || !change.isEmpty {
            draft.metadataChanged.insert(number)
        }
    }

    private func mergeChunk(
        _ ordinal: Int, of number: Int64, with recording: ClosedRecording
    ) throws -> MergedFields {
        // Nearly all duplicates are the same file: their bytes are compared without decoding.
        if let bytes = recording.bytes(ofChunk: ordinal),
            try FileChunks.isStored(session, of: number, ordinal: ordinal, bytes)
        {
            return []
        }
        guard let theirs = try chunk(ordinal, of: recording) else { return [] }
        guard let mine = try FileChunks.read(session, of: number, ordinal: ordinal) else {
            try FileChunks.write(session, of: number, ordinal: ordinal, theirs.encoded())
            return []
        }
        if mine.agrees(with: theirs) {
            if theirs.count > mine.count {
                try FileChunks.write(session, of: number, ordinal: ordinal, theirs.encoded())
            }
            return []
        }
        guard let merged = PointColumns.merged(mine, theirs), merged != mine else { return [] }
        try FileChunks.write(session, of: number, ordinal: ordinal, merged.encoded())
        return MergedFields(from: mine, to: merged.count > mine.count ? merged.beginning(mine.count) : merged)
    }

    /// A chunk of a closed recording, from memory or from its provisional rows; nil after the last.
    func chunk(_ ordinal: Int, of recording: ClosedRecording) throws -> PointColumns? {
        guard ordinal < recording.chunkCount else { return nil }
        if ordinal >= recording.provisionalChunkCount {
            return try PointColumns(decoding: recording.chunks[ordinal - recording.provisionalChunkCount])
        }
        guard let provisionalTrack = recording.provisionalTrack else { return nil }
        return try FileChunks.read(session, of: provisionalTrack, ordinal: ordinal)
    }

    /// Distance and long segments depend on the gap rule, and some outliers on all points of the recording, so that they
    /// are known only at its end.
    func remeasure(_ recording: inout ClosedRecording, outlierRule: OutlierRule) throws {
        recording.summary = try TrackSummary(
            ofFileWith: recording.header.gap, outlierRule,
            searching: recording.summary.needsOutlierSearch && recording.outlierRule == outlierRule
        ) { body in
            for ordinal in 0..<recording.chunkCount {
                if let chunk = try chunk(ordinal, of: recording) { body(chunk) }
            }
        }
        recording.outlierRule = outlierRule
    }
}

/// What changed when a chunk was merged with another one of the same points.
struct MergedFields: OptionSet {
    let rawValue: UInt8

    /// Any change.
    static let any = MergedFields(rawValue: 1)
    /// Where segments begin.
    static let segments = MergedFields(rawValue: 2)
    /// Fields of the points that pictures show.
    static let drawn = MergedFields(rawValue: 4)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The differences between two versions of the same points.
    init(from old: PointColumns, to new: PointColumns) {
        self = .any
        if new.segmentStarts != old.segmentStarts { insert(.segments) }
        if new.isDrawnDifferently(than: old) || new.isMeasuredDifferently(than: old) { insert(.drawn) }
    }
}

extension PointColumns {
    /// Whether the fields that pictures show differ from those of the other points, which must be equal in number.
    func isDrawnDifferently(than other: PointColumns) -> Bool {
        var digests = (DrawnFieldsDigest(), DrawnFieldsDigest())
        digests.0.add(DrawnFields(self))
        digests.1.add(DrawnFields(other))
        return digests.0.value != digests.1.value
    }
}

extension RecordingHeader {
    /// Merges two headers of the same recording, in either order: a value wins over none, then the smaller value wins.
    func merged(with other: RecordingHeader) -> RecordingHeader {
        RecordingHeader(
            name: Self.better(name, other.name), activity: Self.better(activity, other.activity), person: person,
            device: Self.better(device, other.device), source: min(source, other.source),
            gap: gap.merged(with: other.gap), attributes: attributes.merging(other.attributes) { min($0, $1) })
    }

    private static func better(_ one: String?, _ other: String?) -> String? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}

extension GapRule {
    /// Merges two rules: a rule other than the standard one wins, a pause wins over none, the shorter pause over the
    /// longer.
    func merged(with other: GapRule) -> GapRule {
        switch (self, other) {
        case (.pause(let one), .pause(let two)): .pause(milliseconds: min(one, two))
        case (.pause, _): self
        case (_, .pause): other
        case (.none, _), (_, .none): .none
        case (.standard, .standard): .standard
        }
    }
}
