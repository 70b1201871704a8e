internal import Database
internal import Tracks

/// Which imports brought the recording of a file, and what each of them brought if that differs from the stored points.
///
/// As long as only one import has brought a recording, only its header is stored besides the recording. When a second
/// import brings other fields, what each import brought is stored as a content of its own, so that each import can be
/// undone.
struct RecordingSource: Sendable {
    var importNumber: Int64
    /// The number of the content with its own points; nil if they are the stored points.
    var content: Int64?
    var header: RecordingHeader
}

extension TrackWriter {
    private static let columns = "import, content, name, activity, source, device, notes, gap"

    func sources(of track: Int64) throws -> [RecordingSource] {
        try session.rows(
            "SELECT \(Self.columns) FROM source WHERE track = $1 ORDER BY import", [.integer(track)]
        ) { row in
            RecordingSource(
                importNumber: row.integer(0), content: row.integerOrNil(1),
                header: RecordingHeader(
                    name: row.textOrNil(2), activity: row.textOrNil(3), device: row.textOrNil(5), source: row.text(4),
                    gap: RowCoding.gap(of: row.integer(7)), notes: RowCoding.notes(row.textOrNil(6))))
        }
    }

    func put(_ source: RecordingSource, of track: Int64) throws {
        try session.run(
            """
            INSERT INTO source (track, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (track, import) DO UPDATE SET content = excluded.content, name = excluded.name,
            activity = excluded.activity, source = excluded.source, device = excluded.device, notes = excluded.notes,
            gap = excluded.gap
            """,
            [
                .integer(track), .integer(source.importNumber), .integer(orNull: source.content),
                .text(orNull: source.header.name), .text(orNull: source.header.activity),
                .text(source.header.source), .text(orNull: source.header.device),
                RowCoding.notesValue(source.header.notes), .integer(RowCoding.number(of: source.header.gap)),
            ])
    }

    /// Records which import brings a recording that exists already, before it is merged with the stored points.
    func recordSource(_ recording: ClosedRecording, of track: Int64) throws {
        let all = try sources(of: track)
        var header = recording.header
        header.person = nil
        let mine = all.first { $0.importNumber == recording.importNumber }
        var source = RecordingSource(
            importNumber: recording.importNumber, content: nil, header: mine?.header.merged(with: header) ?? header)
        if try isStored(recording, as: track) || (mine != nil && all.count == 1) {
            try put(source, of: track)
            if let content = mine?.content { try deleteContentIfUnused(content, of: track) }
            return
        }
        try separate(track, all)
        let own = try sources(of: track).first { $0.importNumber == recording.importNumber }?.content
        if own == nil {
            for content in Set(try sources(of: track).compactMap(\.content)) {
                guard try isStored(recording, as: -content) else { continue }
                source.content = content
                return try put(source, of: track)
            }
        }
        let content = try newContent()
        for ordinal in 0..<recording.chunkCount {
            guard var chunk = try chunk(ordinal, of: recording) else { continue }
            if let own, let known = try FileChunks.read(session, of: -own, ordinal: ordinal) {
                chunk = PointChunk.merged(known, chunk)
            }
            try FileChunks.write(session, of: -content, ordinal: ordinal, chunk.encoded())
        }
        source.content = content
        try put(source, of: track)
        if let own { try deleteContentIfUnused(own, of: track) }
    }

    /// Whether all chunks of a recording equal the chunks stored under a number.
    private func isStored(_ recording: ClosedRecording, as number: Int64) throws -> Bool {
        for ordinal in 0..<recording.chunkCount {
            if let bytes = recording.bytes(ofChunk: ordinal) {
                guard try FileChunks.isStored(session, of: number, ordinal: ordinal, bytes) else { return false }
            } else {
                guard let stored = try FileChunks.read(session, of: number, ordinal: ordinal),
                    let chunk = try chunk(ordinal, of: recording), stored == chunk
                else { return false }
            }
        }
        return true
    }

    /// Copies the stored points to a new content, for all sources that have no content of their own.
    private func separate(_ track: Int64, _ sources: [RecordingSource]) throws {
        guard sources.contains(where: { $0.content == nil }) else { return }
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
        while try FileChunks.delete(session, of: -content, limit: 1000) {}
        try session.run("DELETE FROM content WHERE number = $1", [.integer(content)])
    }

    /// Deletes the sources of a removed track; their contents are deleted by `deleteSomeUnusedContent`.
    func deleteSources(of track: Int64) throws {
        try session.run("DELETE FROM source WHERE track = $1", [.integer(track)])
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
