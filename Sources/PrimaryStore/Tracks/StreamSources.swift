import Database
internal import Tracks

/// What one origin added to a stream.
struct StreamSource {
    var origin: ImportOrigin
    /// The number of the content with its own points; nil if they are all points of the stream in `range`.
    var content: Int64?
    /// The times of its first and last point; nil if it has none.
    var range: ClosedRange<Int64>?
    var header: RecordingHeader

    /// The number of the stream chunks with its own points.
    func pointsStream(of stream: Int64) -> Int64 { content.map { -$0 } ?? stream }
}

/// Which origins added points to a stream, and the points of each where they overlap in time.
///
/// As long as no other origin added points between the first and the last point of an origin, its points are those of the
/// stream between these times, and only the times are stored: monthly files of a phone need no more. When the times of
/// two origins overlap, the points of each are also stored as a stream of their own with the number −content, from which
/// the stream can be rebuilt. Points recorded by this program have an origin, too.
extension TrackWriter {
    private static let columns = "import, content, name, activity, source, notes, gap"
    func streamSources(of stream: Int64) throws -> [StreamSource] {
        try session.rows(
            """
            SELECT s.import, s.content, s.name, s.activity, s.source, s.notes, s.gap, r.first_time, r.last_time
            FROM stream_source s LEFT JOIN stream_source_range r ON r.stream = s.stream AND r.import = s.import
            WHERE s.stream = $1 ORDER BY s.import
            """, [.integer(stream)], Self.streamSource)
    }

    private func streamSource(of stream: Int64, _ origin: ImportOrigin) throws -> StreamSource? {
        try session.first(
            """
            SELECT s.import, s.content, s.name, s.activity, s.source, s.notes, s.gap, r.first_time, r.last_time
            FROM stream_source s LEFT JOIN stream_source_range r ON r.stream = s.stream AND r.import = s.import
            WHERE s.stream = $1 AND s.import = $2
            """, [.integer(stream), .integer(origin.rawValue)], Self.streamSource)
    }

    /// The other origins whose times overlap a range.
    private func streamSources(
        of stream: Int64, overlapping range: ClosedRange<Int64>, except origin: ImportOrigin
    ) throws -> [StreamSource] {
        try session.rows(
            """
            SELECT s.import, s.content, s.name, s.activity, s.source, s.notes, s.gap, r.first_time, r.last_time
            FROM stream_source_range r JOIN stream_source s ON s.stream = r.stream AND s.import = r.import
            WHERE r.stream = $1 AND r.last_time >= $2 AND r.first_time <= $3 AND r.import <> $4 ORDER BY r.import
            """,
            [
                .integer(stream), .integer(range.lowerBound), .integer(range.upperBound), .integer(origin.rawValue),
            ], Self.streamSource)
    }

    private static func streamSource(_ row: any Row) -> StreamSource {
        var range: ClosedRange<Int64>?
        if let first = row.integerOrNil(7), let last = row.integerOrNil(8), first <= last { range = first...last }
        return StreamSource(
            origin: ImportOrigin(rawValue: row.integer(0)), content: row.integerOrNil(1), range: range,
            header: RecordingHeader(
                name: row.textOrNil(2), activity: row.textOrNil(3), source: row.text(4),
                gap: RowCoding.gap(of: row.integer(6)), attributes: RowCoding.attributes(row.textOrNil(5))))
    }

    private func put(_ source: StreamSource, ofStream stream: Int64) throws {
        try session.run(
            """
            INSERT INTO stream_source (stream, \(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (stream, import) DO UPDATE SET content = excluded.content, name = excluded.name,
            activity = excluded.activity, source = excluded.source, notes = excluded.notes, gap = excluded.gap
            """,
            [
                .integer(stream), .integer(source.origin.rawValue), .integer(orNull: source.content),
                .text(orNull: source.header.name), .text(orNull: source.header.activity),
                .text(source.header.source), RowCoding.attributesValue(source.header.attributes),
                .integer(RowCoding.number(of: source.header.gap)),
            ])
    }

    private func put(_ range: ClosedRange<Int64>, of origin: ImportOrigin, inStream stream: Int64) throws {
        try session.run(
            """
            INSERT INTO stream_source_range VALUES ($1, $2, $3, $4)
            ON CONFLICT (stream, import) DO UPDATE SET first_time = excluded.first_time,
            last_time = excluded.last_time
            """,
            [
                .integer(stream), .integer(origin.rawValue), .integer(range.lowerBound), .integer(range.upperBound),
            ])
    }

    private func hasOtherSource(than origin: ImportOrigin, ofStream stream: Int64) throws -> Bool {
        try session.integer(
            "SELECT 1 FROM stream_source WHERE stream = $1 AND import <> $2 LIMIT 1",
            [.integer(stream), .integer(origin.rawValue)]) != nil
    }

    /// Records that an origin adds points between two times to a stream. Returns the number of the content to which they
    /// have to be added, too; nil if there is none.
    ///
    /// In the transaction that adds the points, because another process may add points of another origin before the next
    /// one.
    func content(
        of origin: ImportOrigin, in stream: Int64, header given: RecordingHeader, adding times: ClosedRange<Int64>
    ) throws -> Int64? {
        var header = given
        header.person = nil
        header.device = nil
        let mine = try streamSource(of: stream, origin)
        var source = StreamSource(
            origin: origin, content: mine?.content, range: mine?.range,
            header: mine?.header.merged(with: header) ?? header)
        let range =
            min(
                mine?.range?.lowerBound ?? times.lowerBound, times.lowerBound)...max(
                mine?.range?.upperBound ?? times.upperBound, times.upperBound)
        let overlapping = try streamSources(of: stream, overlapping: range, except: origin)
        for other in overlapping where other.content == nil { try separate(other, stream) }
        if source.content == nil, !overlapping.isEmpty {
            if mine != nil {
                try separate(source, stream)
                source.content = try streamSource(of: stream, origin)?.content
            } else {
                source.content = try newContent()
            }
        }
        if mine == nil || source.header != mine?.header || source.content != mine?.content {
            try put(source, ofStream: stream)
        }
        if range != mine?.range { try put(range, of: origin, inStream: stream) }
        return source.content
    }

    /// Copies the points of a source to a new content.
    private func separate(_ source: StreamSource, _ stream: Int64) throws {
        var separated = source
        let content = try newContent()
        separated.content = content
        if let range = source.range {
            let times: [Value] = [.integer(range.lowerBound), .integer(range.upperBound)]
            try session.run(
                """
                INSERT INTO stream_chunk (stream, first_time, last_time, first_east, first_north, points, bytes)
                SELECT $1, first_time, last_time, first_east, first_north, points, bytes FROM stream_chunk
                WHERE stream = $2 AND last_time BETWEEN $3 AND $4 AND first_time BETWEEN $3 AND $4
                """, [.integer(-content), .integer(stream)] + times)
            // Chunks at the ends may also contain points of others.
            let ends = try session.rows(
                """
                SELECT number FROM stream_chunk WHERE stream = $1 AND last_time >= $2 AND first_time <= $3
                AND (first_time < $2 OR last_time > $3)
                """, [.integer(stream)] + times
            ) { $0.integer(0) }
            for number in ends {
                let part = try StreamChunks.read(session, number: number).slice(
                    from: range.lowerBound, to: range.upperBound)
                if part.count > 0 { try StreamChunks.insert(session, stream: -content, part.gathered(0..<part.count)) }
            }
        }
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
        try session.run("DELETE FROM stream_source_range WHERE stream NOT IN (SELECT number FROM stream)")
        try HeadingRows.deleteOrphans(session)
    }

    // MARK: Undoing imports

    /// Removes one chunk of what an origin added to a stream, and at the end its source; what others added stays.
    func undoStep(
        _ origin: ImportOrigin, fromStream number: Int64, _ undo: inout ImportUndo
    ) throws {
        if try undoChunk(origin, fromStream: number, &undo) { return }
        try session.transaction {
            let mine: [Value] = [.integer(number), .integer(origin.rawValue)]
            try session.run("DELETE FROM stream_source WHERE stream = $1 AND import = $2", mine)
            try session.run("DELETE FROM stream_source_range WHERE stream = $1 AND import = $2", mine)
            guard let header = try mergedHeader(ofStream: number), var stream = try stream(number) else {
                try session.run("DELETE FROM stream WHERE number = $1", [.integer(number)])
                try HeadingRows.deleteOrphans(session)
                return
            }
            let old = stream.header
            stream.header = header
            (stream.header.person, stream.header.device) = (old.person, old.device)
            if stream.header != old {
                let before = try counts(ofStream: number)
                try rewrite(stream, insteadOf: old)
                undo.count(before, try counts(ofStream: number))
            }
            // The points of the last source are all points again.
            try session.run(
                """
                UPDATE stream_source SET content = NULL WHERE stream = $1 AND content IS NOT NULL
                AND (SELECT count(*) FROM stream_source WHERE stream = $1) = 1
                """, [.integer(number)])
        }
    }

    /// The header that the sources of a stream give; nil if there is none.
    private func mergedHeader(ofStream stream: Int64) throws -> RecordingHeader? {
        // Thousands of files differ in little but their names, of which the smallest counts.
        try session.rows(
            """
            SELECT name, activity, min(source), notes, gap FROM stream_source WHERE stream = $1
            GROUP BY name, activity, notes, gap
            """, [.integer(stream)]
        ) { row in
            RecordingHeader(
                name: row.textOrNil(0), activity: row.textOrNil(1), source: row.text(2),
                gap: RowCoding.gap(of: row.integer(4)), attributes: RowCoding.attributes(row.textOrNil(3)))
        }.reduce(nil) { merged, header in merged?.merged(with: header) ?? header }
    }

    /// Returns false if no chunk of the origin is left.
    private func undoChunk(
        _ origin: ImportOrigin, fromStream number: Int64, _ undo: inout ImportUndo
    ) throws -> Bool {
        let replacement = undo.replacement
        return try session.transaction {
            guard let mine = try streamSource(of: number, origin), let stream = try stream(number) else { return false }
            // If it is the only one, everything is its own, whatever times are stored.
            let isAlone = try !hasOtherSource(than: origin, ofStream: number)
            let range = isAlone ? .min ... .max : mine.range
            let own = isAlone ? number : mine.pointsStream(of: number)
            guard let range, let chunk = try firstChunk(ofStream: own, in: range) else { return false }
            var draft = ChangeLog.Draft()
            if own != number { try StreamChunks.delete(session, number: chunk.number) }
            let times = chunk.times.clamped(to: range)
            let before = try counts(ofStream: number)
            undo.pins.formUnion(
                try pins(ofTracks: tracks(of: number, from: times.lowerBound, to: times.upperBound)))
            try deletePoints(ofStream: number, from: times.lowerBound, to: times.upperBound)
            for source in try streamSources(of: number, overlapping: times, except: origin) {
                guard let content = source.content else { continue }
                var points = PointColumns()
                try StreamChunks.forEach(
                    session, stream: -content, from: times.lowerBound, to: times.upperBound, fields: .all
                ) { points.append($0.slice(from: times.lowerBound, to: times.upperBound)) }
                guard points.count > 0 else { continue }
                points.becomeDecimal()
                _ = try StreamMerger(session: session, stream: number).merge(points)
            }
            let kept =
                try replacement == nil
                ? [] : tracks(of: number, from: times.lowerBound, to: times.upperBound).compactMap(keptEdits)
            try updateTracks(of: stream, from: times.lowerBound, to: times.upperBound, measuresAll: true, &draft)
            undo.count(before, try counts(ofStream: number))
            if let replacement {
                for edits in kept where draft.removed.contains(edits.track) {
                    try give(edits, toTracksOf: replacement, &draft)
                }
            }
            // The digest of a track contains times and places only; its other fields may have changed.
            let touched = try tracks(of: number, from: times.lowerBound, to: times.upperBound)
            draft.changed.formUnion(touched.filter { !draft.added.contains($0) })
            try ChangeLog.append(draft, time: now(), session)
            return true
        }
    }

    /// The first chunk of a stream with a point in a range, and the times of its first and last point.
    private func firstChunk(
        ofStream stream: Int64, in range: ClosedRange<Int64>
    ) throws -> (number: Int64, times: ClosedRange<Int64>)? {
        var found: (number: Int64, times: ClosedRange<Int64>)?
        try session.forEachWhile(
            """
            SELECT number, first_time, last_time FROM stream_chunk
            WHERE stream = $1 AND last_time >= $2 AND first_time <= $3
            ORDER BY last_time, first_time, first_east, first_north
            """, [.integer(stream), .integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            let number = row.integer(0)
            let times = row.integer(1)...max(row.integer(1), row.integer(2))
            // A chunk of which the range contains neither end may have no point in it.
            guard
                try range.contains(times.lowerBound) || range.contains(times.upperBound)
                    || StreamChunks.read(session, number: number).slice(from: range.lowerBound, to: range.upperBound)
                        .count > 0
            else { return true }
            found = (number, times)
            return false
        }
        return found
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

extension TrackSnapshot {
    /// The number of points that an origin added to a stream.
    func points(of origin: ImportOrigin, inStream stream: Int64) throws -> Int {
        let source = try session.first(
            """
            SELECT s.content, r.first_time, r.last_time FROM stream_source s
            JOIN stream_source_range r ON r.stream = s.stream AND r.import = s.import
            WHERE s.stream = $1 AND s.import = $2
            """, [.integer(stream), .integer(origin.rawValue)]
        ) { (content: $0.integerOrNil(0), first: $0.integer(1), last: $0.integer(2)) }
        guard let source else { return 0 }
        var points = 0
        try StreamChunks.forEach(
            session, stream: source.content.map { -$0 } ?? stream, from: source.first, to: source.last, fields: .none
        ) { points += $0.slice(from: source.first, to: source.last).count }
        return points
    }
}

extension PointColumns {
    /// The times of the earliest and the latest point, all of which have a time; nil if there is none.
    var timeRange: ClosedRange<Int64>? {
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}
