import Database
internal import Tracks

/// Which imports contain the recording of a file, and what each of them contains if that differs from the stored
/// points.
///
/// As long as only one import contains a recording, only its header is stored besides the recording. When a second
/// import has other fields, what each import contains is stored as a content of its own, so that each import can be
/// undone. Of an import that contains only the first points, their number is stored: its points are the first ones of
/// those that are stored, or it has a content of its own.
struct RecordingSource: Sendable {
    var origin: ImportOrigin
    /// The number of the content with its own points; nil if they are the stored points, or the first of them.
    var content: Int64?
    /// The number of its points, if it has no content and contains only the first of the stored points.
    var beginning: Int?
    var header: RecordingHeader

    /// Whether it contains exactly the stored points.
    var isWhole: Bool { content == nil && beginning == nil }
}

extension TrackWriter {
    private static let columns = "import, content, name, activity, source, device, notes, gap"

    func sources(of track: Int64) throws -> [RecordingSource] {
        try session.rows(
            """
            SELECT import, content, name, activity, source, device, notes, gap, (SELECT b.points FROM source_beginning b
            WHERE b.track = source.track AND b.import = source.import) FROM source WHERE track = $1 ORDER BY import
            """, [.integer(track)]
        ) { row in
            RecordingSource(
                origin: ImportOrigin(rawValue: row.integer(0)), content: row.integerOrNil(1),
                beginning: row.integerOrNil(8).map { Int($0) },
                header: RecordingHeader(
                    name: row.textOrNil(2), activity: row.textOrNil(3), device: row.textOrNil(5), source: row.text(4),
                    gap: RowCoding.gap(of: row.integer(7)), attributes: RowCoding.attributes(row.textOrNil(6))))
        }
    }

    /// Stores a source, which may be stored already.
    private func put(_ source: RecordingSource, of track: Int64) throws {
        try putFirst(source, of: track)
        if source.beginning == nil {
            try session.run(
                "DELETE FROM source_beginning WHERE track = $1 AND import = $2",
                [.integer(track), .integer(source.origin.rawValue)])
        }
    }

    /// Stores a source of which no beginning is stored.
    func putFirst(_ source: RecordingSource, of track: Int64) throws {
        try session.run(
            """
            INSERT INTO source (track, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (track, import) DO UPDATE SET content = excluded.content, name = excluded.name,
            activity = excluded.activity, source = excluded.source, device = excluded.device, notes = excluded.notes,
            gap = excluded.gap
            """,
            [
                .integer(track), .integer(source.origin.rawValue), .integer(orNull: source.content),
                .text(orNull: source.header.name), .text(orNull: source.header.activity),
                .text(source.header.source), .text(orNull: source.header.device),
                RowCoding.attributesValue(source.header.attributes), .integer(RowCoding.number(of: source.header.gap)),
            ])
        if let beginning = source.beginning {
            try session.run(
                """
                INSERT INTO source_beginning VALUES ($1, $2, $3)
                ON CONFLICT (track, import) DO UPDATE SET points = excluded.points
                """, [.integer(track), .integer(source.origin.rawValue), .integer(beginning)])
        }
    }

    /// Records which import contains a recording that is stored already, is the beginning of a stored one, or begins
    /// with one; before it is merged with the stored points.
    func recordSource(_ recording: ClosedRecording, of track: Track) throws {
        let number = track.number
        let all = try sources(of: number)
        var header = recording.header
        header.person = nil
        let mine = all.first { $0.origin == recording.origin }
        var source = RecordingSource(
            origin: recording.origin, content: nil, header: mine?.header.merged(with: header) ?? header)
        let isOnlyMine = mine?.isWhole == true && all.count == 1
        let points = recording.summary.points
        let isKnownBeginning = mine.map { $0.content == nil && points < $0.beginning ?? track.points } ?? false
        // No content is needed if the import has exactly the stored points (or the first of them), or is the only one.
        if try isOnlyMine || ((mine?.content == nil || points >= track.points) && isStored(recording, as: number)) {
            if points < track.points, !isOnlyMine {
                source.beginning = isKnownBeginning ? mine?.beginning : points
            } else if points > track.points {
                // The recording is longer than the stored points, which are now its beginning.
                for var other in all where other.isWhole && other.origin != recording.origin {
                    other.beginning = track.points
                    try put(other, of: number)
                }
            }
            try put(source, of: number)
            if let content = mine?.content { try deleteContentIfUnused(content, of: number) }
            return
        }
        // Fields differ: each import gets points of its own, from which the track is merged again when one is undone.
        try separate(track, all)
        let own = try sources(of: number).first { $0.origin == recording.origin }?.content
        // Another import may have brought exactly these points; both then share one content.
        if own == nil {
            for content in Set(try sources(of: number).compactMap(\.content)) {
                guard try FileChunks.pointCount(session, of: -content) == points, try isStored(recording, as: -content)
                else { continue }
                source.content = content
                return try put(source, of: number)
            }
        }
        let content = try newContent()
        var ordinal = 0
        while true {
            let known = try own.flatMap { try FileChunks.read(session, of: -$0, ordinal: ordinal) }
            let given = try chunk(ordinal, of: recording)
            guard let merged = PointColumns.merged(known, given) else { break }
            try FileChunks.write(session, of: -content, ordinal: ordinal, merged.encoded())
            ordinal += 1
        }
        source.content = content
        try put(source, of: number)
        if let own { try deleteContentIfUnused(own, of: number) }
    }

    /// Whether the points stored under a number, and those of a recording, are equal, up to the end of the shorter one.
    private func isStored(_ recording: ClosedRecording, as number: Int64) throws -> Bool {
        for ordinal in 0..<recording.chunkCount {
            if let bytes = recording.bytes(ofChunk: ordinal),
                try FileChunks.isStored(session, of: number, ordinal: ordinal, bytes)
            {
                continue
            }
            guard let stored = try FileChunks.read(session, of: number, ordinal: ordinal) else { return true }
            guard let chunk = try chunk(ordinal, of: recording), chunk.agrees(with: stored) else { return false }
        }
        return true
    }

    /// Copies the points of each source without a content of its own to a new content.
    private func separate(_ track: Track, _ sources: [RecordingSource]) throws {
        for source in sources where source.content == nil && source.beginning != nil {
            var separated = source
            let content = try newContent()
            var left = source.beginning ?? 0
            var ordinal = 0
            while left > 0, let chunk = try FileChunks.read(session, of: track.number, ordinal: ordinal) {
                let part = chunk.count <= left ? chunk : chunk.beginning(left)
                try FileChunks.write(session, of: -content, ordinal: ordinal, part.encoded())
                left -= part.count
                ordinal += 1
            }
            (separated.content, separated.beginning) = (content, nil)
            try put(separated, of: track.number)
        }
        try separateWhole(track.number, sources)
    }

    /// Copies the stored points to a new content, for all sources that contain them.
    private func separateWhole(_ track: Int64, _ sources: [RecordingSource]) throws {
        guard sources.contains(where: \.isWhole) else { return }
        let content = try newContent()
        let keys = TrackSchema.chunkKeys(of: track)
        try session.run(
            "INSERT INTO chunk SELECT key - $1 + $2, bytes FROM chunk WHERE key BETWEEN $3 AND $4",
            [
                .integer(keys.lowerBound), .integer(TrackSchema.chunkKeys(of: -content).lowerBound),
                .integer(keys.lowerBound), .integer(keys.upperBound),
            ])
        try session.run(
            "UPDATE source SET content = $1 WHERE track = $2 AND content IS NULL", [.integer(content), .integer(track)])
    }

    /// A new number for points that are stored besides those of the track.
    func newContent() throws -> Int64 {
        try session.inserted("INSERT INTO content DEFAULT VALUES RETURNING number")
    }

    private func deleteContentIfUnused(_ content: Int64, of track: Int64) throws {
        guard try !sources(of: track).contains(where: { $0.content == content }) else { return }
        if try FileChunks.delete(session, of: -content, limit: Self.deletedChunks) {
            // `deleteSomeUnusedContent` deletes the rest, in transactions of its own.
            try requestErasure()
        } else {
            try session.run("DELETE FROM content WHERE number = $1", [.integer(content)])
        }
    }

    /// Deletes the sources of a removed track; their contents are deleted by `deleteSomeUnusedContent`.
    func deleteSources(of track: Int64) throws {
        try session.run("DELETE FROM source WHERE track = $1", [.integer(track)])
        try session.run("DELETE FROM source_beginning WHERE track = $1", [.integer(track)])
    }

    /// Deletes some chunks of a content that has no source any more, in a short transaction; returns false if there is
    /// none.
    func deleteSomeUnusedContent() throws -> Bool {
        try session.transaction {
            guard let content = try unusedContent() else { return false }
            if try FileChunks.delete(session, of: -content, limit: Self.deletedChunks) { return true }
            if try StreamChunks.delete(session, stream: -content, limit: Self.deletedChunks) { return true }
            try session.run("DELETE FROM content WHERE number = $1", [.integer(content)])
            return true
        }
    }

    /// This many chunks are overwritten in some milliseconds.
    static let deletedChunks = 20

    private func unusedContent() throws -> Int64? {
        try session.integer(
            """
            SELECT min(number) FROM content
            WHERE number NOT IN (SELECT content FROM source WHERE content IS NOT NULL)
            AND number NOT IN (SELECT content FROM stream_source WHERE content IS NOT NULL)
            """)
    }
}
