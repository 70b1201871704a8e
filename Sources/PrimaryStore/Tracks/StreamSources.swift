import Database
package import Tracks

/// Which imports added points to a stream, and the points of each if there are several.
///
/// As long as only one import has added points, nothing is stored besides the stream. When a second import comes, the
/// points of each are also stored as a stream of their own with the number −content, from which the stream can be
/// rebuilt. Points recorded by this program belong to import 0.
extension TrackWriter {
    private static let columns = "import, content, name, activity, source, notes, gap"

    func streamSources(of stream: Int64) throws -> [RecordingSource] {
        try session.rows(
            "SELECT \(Self.columns) FROM stream_source WHERE stream = $1 ORDER BY import", [.integer(stream)]
        ) { row in
            RecordingSource(
                importNumber: row.integer(0), content: row.integerOrNil(1),
                header: RecordingHeader(
                    name: row.textOrNil(2), activity: row.textOrNil(3), source: row.text(4),
                    gap: RowCoding.gap(of: row.integer(6)), attributes: RowCoding.attributes(row.textOrNil(5))))
        }
    }

    private func put(_ source: RecordingSource, ofStream stream: Int64) throws {
        try session.run(
            """
            INSERT INTO stream_source (stream, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (stream, import) DO UPDATE SET content = excluded.content, name = excluded.name,
            activity = excluded.activity, source = excluded.source, notes = excluded.notes, gap = excluded.gap
            """,
            [
                .integer(stream), .integer(source.importNumber), .integer(orNull: source.content),
                .text(orNull: source.header.name), .text(orNull: source.header.activity),
                .text(source.header.source), RowCoding.attributesValue(source.header.attributes),
                .integer(RowCoding.number(of: source.header.gap)),
            ])
    }

    /// The number of the content with an import's points of a stream; nil if the stream has no other import.
    package func ownContent(
        of importNumber: Int64, in stream: Int64, header given: RecordingHeader
    ) throws -> Int64? {
        try session.transaction {
            let all = try streamSources(of: stream)
            var header = given
            header.person = nil
            header.device = nil
            let mine = all.first { $0.importNumber == importNumber }
            var source = RecordingSource(
                importNumber: importNumber, content: mine?.content,
                header: mine?.header.merged(with: header) ?? header)
            if all.allSatisfy({ $0.importNumber == importNumber }) {
                if source.header != mine?.header { try put(source, ofStream: stream) }
                return nil
            }
            for other in all where other.content == nil { try separate(other, stream) }
            if source.content == nil { source.content = try newContent() }
            if mine == nil || source.header != mine?.header { try put(source, ofStream: stream) }
            return source.content
        }
    }

    private func separate(_ source: RecordingSource, _ stream: Int64) throws {
        var separated = source
        let content = try newContent()
        separated.content = content
        try session.run(
            """
            INSERT INTO stream_chunk (stream, first_time, last_time, first_east, first_north, points, bytes)
            SELECT $1, first_time, last_time, first_east, first_north, points, bytes FROM stream_chunk WHERE stream = $2
            """, [.integer(-content), .integer(stream)])
        try put(separated, ofStream: stream)
    }

    /// Deletes a stream's points between two times (both inclusive).
    func deletePoints(ofStream stream: Int64, from start: Int64, to end: Int64) throws {
        for number in try StreamChunks.numbers(session, stream: stream, from: start, to: end) {
            let chunk = try StreamChunks.read(session, number: number)
            try StreamChunks.delete(session, number: number)
            let kept = chunk.times.indices.filter { chunk.times[$0] < start || chunk.times[$0] > end }
            guard !kept.isEmpty else { continue }
            try StreamChunks.insert(session, stream: stream, chunk.gathered(kept))
        }
    }

    /// Deletes the sources of streams that no longer exist.
    func deleteUnusedStreamSources() throws {
        try session.run("DELETE FROM stream_source WHERE stream NOT IN (SELECT number FROM stream)")
        try HeadingRows.deleteOrphans(session)
    }

    // MARK: Undoing imports

    /// Removes one chunk of what an import added to a stream, and at the end its source; what other imports added
    /// stays.
    func undoStep(_ importNumber: Int64, fromStream number: Int64) throws {
        if try undoChunk(importNumber, fromStream: number) { return }
        try session.transaction {
            let rest = try streamSources(of: number).filter { $0.importNumber != importNumber }
            try session.run(
                "DELETE FROM stream_source WHERE stream = $1 AND import = $2",
                [.integer(number), .integer(importNumber)])
            guard let first = rest.first, var stream = try stream(number) else {
                try session.run("DELETE FROM stream WHERE number = $1", [.integer(number)])
                try HeadingRows.deleteOrphans(session)
                return
            }
            let old = stream.header
            stream.header = rest.dropFirst().reduce(first.header) { $0.merged(with: $1.header) }
            (stream.header.person, stream.header.device) = (old.person, old.device)
            if stream.header != old { try rewrite(stream, insteadOf: old) }
            if rest.count == 1, first.content != nil {
                var alone = first
                alone.content = nil
                try put(alone, ofStream: number)
            }
        }
    }

    /// Returns false if no chunk of the import is left.
    private func undoChunk(_ importNumber: Int64, fromStream number: Int64) throws -> Bool {
        try session.transaction {
            let all = try streamSources(of: number)
            guard let mine = all.first(where: { $0.importNumber == importNumber }), let stream = try stream(number)
            else { return false }
            let own = mine.content.map { -$0 } ?? number
            let next = try session.first(
                """
                SELECT number, first_time, last_time FROM stream_chunk WHERE stream = $1
                ORDER BY last_time, first_time, first_east, first_north LIMIT 1
                """, [.integer(own)]
            ) { (number: $0.integer(0), first: $0.integer(1), last: $0.integer(2)) }
            guard let next else { return false }
            var draft = ChangeLog.Draft()
            if mine.content != nil { try StreamChunks.delete(session, number: next.number) }
            try deletePoints(ofStream: number, from: next.first, to: next.last)
            for source in all where source.importNumber != importNumber {
                guard let content = source.content else { continue }
                var points = PointColumns()
                try StreamChunks.forEach(
                    session, stream: -content, from: next.first, to: next.last, fields: .all
                ) { points.append($0.slice(from: next.first, to: next.last)) }
                guard points.count > 0 else { continue }
                points.becomeDecimal()
                _ = try StreamMerger(session: session, stream: number).merge(points)
            }
            try updateTracks(of: stream, from: next.first, to: next.last, measuresAll: true, &draft)
            // The digest of a track contains times and places only; its other fields may have changed.
            let touched = try tracks(of: number, from: next.first, to: next.last)
            draft.changed.formUnion(touched.filter { !draft.added.contains($0) })
            try ChangeLog.append(draft, time: now(), session)
            return true
        }
    }

    /// The stream that a track is a part of.
    func stream(ofTrack track: Int64) throws -> StreamHeader? {
        try session.integer("SELECT stream FROM track WHERE number = $1", [.integer(track)]).flatMap { try stream($0) }
    }

    /// A stored stream; nil if there is none with this number.
    func stream(_ number: Int64) throws -> StreamHeader? {
        try session.first(
            """
            SELECT s.person, p.name, s.device, s.gap, s.name, s.activity, s.source, s.notes
            FROM stream s JOIN person p ON p.number = s.person WHERE s.number = $1
            """, [.integer(number)]
        ) { row in
            StreamHeader(
                number: number, person: row.integer(0), personName: row.textOrNil(1),
                header: RecordingHeader(
                    name: row.textOrNil(4), activity: row.textOrNil(5), person: row.textOrNil(1), device: row.text(2),
                    source: row.text(6), gap: RowCoding.gap(of: row.integer(3)),
                    attributes: RowCoding.attributes(row.textOrNil(7))))
        }
    }
}
