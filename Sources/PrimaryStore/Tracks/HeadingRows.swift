package import Database
import Text
package import Tracks

/// The changes of heading that devices record: rows of a stream, ordered by time. They belong to the last point that is
/// not later; those before all points belong to the first point.
package enum HeadingRows {
    /// Adds changes and skips those that are stored already; returns how many are new.
    package static func insert(
        _ changes: ArraySlice<HeadingChange>, stream: Int64, _ session: any Session
    ) throws -> Int {
        var new = 0
        for change in changes {
            try session.run(
                "INSERT INTO heading VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                [
                    .integer(stream), .integer(change.time), .integer(change.degrees.mantissa),
                    .integer(Int64(change.degrees.places)), .text(change.id),
                ])
            new += session.changedRows
        }
        return new
    }

    /// Calls `body` with the changes between two times (`end` excluded), in order.
    static func forEach(
        _ session: any Session, stream: Int64, from start: Int64, before end: Int64,
        _ body: (HeadingChange) throws -> Void
    ) throws {
        try session.forEach(
            """
            SELECT time, mantissa, places, id FROM heading WHERE stream = $1 AND time >= $2 AND time < $3
            ORDER BY time, mantissa, places, id
            """, [.integer(stream), .integer(start), .integer(end)]
        ) { row in
            let degrees = FixedDecimal(mantissa: row.integer(1), places: UInt8(clamping: min(row.integer(2), 18)))
            try body(HeadingChange(storedTime: row.integer(0), degrees: degrees, id: row.text(3)))
        }
    }

    /// Deletes the changes that belong to a track of a stream. To be called before its points are deleted.
    static func delete(ofTrackFrom start: Int64, to end: Int64, stream: Int64, _ session: any Session) throws {
        guard try exist(session, stream: stream) else { return }
        let first = try hasPoint(session, stream: stream, before: start) ? start : Int64.min
        let next = try StreamChunks.nextTime(session, stream: stream, after: end) ?? Int64.max
        try session.run(
            "DELETE FROM heading WHERE stream = $1 AND time >= $2 AND time < $3",
            [.integer(stream), .integer(first), .integer(next)])
    }

    /// Deletes the changes of streams that no longer exist.
    static func deleteOrphans(_ session: any Session) throws {
        try session.run("DELETE FROM heading WHERE stream NOT IN (SELECT number FROM stream)")
    }

    /// Some consecutive points of a stream with the changes that belong to them, as one text for each point.
    ///
    /// `previous` is the time of the preceding point if that was read already. Of points with the same time, the first
    /// has the changes.
    package static func added(
        to chunk: PointColumns, previous: Int64?, stream: Int64, _ session: any Session
    ) throws -> PointColumns {
        guard let first = chunk.times.first, let last = chunk.times.last,
            try exist(session, stream: stream)
        else { return chunk }
        var start = first
        if previous == nil, try !hasPoint(session, stream: stream, before: first) { start = .min }
        let end = try StreamChunks.nextTime(session, stream: stream, after: last) ?? .max
        var groups: [Int: [HeadingChange]] = [:]
        var index = 0
        var next = firstIndex(in: chunk.times, after: index)
        try forEach(session, stream: stream, from: start, before: end) { change in
            while let later = next, chunk.times[later] <= change.time {
                index = later
                next = firstIndex(in: chunk.times, after: index)
            }
            groups[index, default: []].append(change)
        }
        // Changes at this time were returned with an earlier chunk.
        if previous == first { groups[0] = nil }
        return groups.isEmpty ? chunk : chunk.with(groups)
    }

    /// The index of the first point with a later time.
    private static func firstIndex(in times: [Int64], after index: Int) -> Int? {
        var next = index + 1
        while next < times.count, times[next] == times[index] { next += 1 }
        return next < times.count ? next : nil
    }

    private static func exist(_ session: any Session, stream: Int64) throws -> Bool {
        try session.integer("SELECT 1 FROM heading WHERE stream = $1 LIMIT 1", [.integer(stream)]) != nil
    }

    private static func hasPoint(_ session: any Session, stream: Int64, before time: Int64) throws -> Bool {
        let first = try session.integer(
            """
            SELECT first_time FROM stream_chunk WHERE stream = $1
            ORDER BY last_time, first_time, first_east, first_north LIMIT 1
            """, [.integer(stream)])
        return first.map { $0 < time } ?? false
    }
}

extension PointColumns {
    /// The chunk with changes of heading at some of its points.
    fileprivate func with(_ groups: [Int: [HeadingChange]]) -> PointColumns {
        var texts = [String?](repeating: nil, count: count)
        var result = self
        if let index = result.fields.firstIndex(where: { $0.name == FieldName.headingChanges }) {
            texts = result.fields.remove(at: index).values.texts
        }
        for (index, changes) in groups { texts[index] = HeadingChange.text(changes, appendedTo: texts[index]) }
        let column = FieldColumn(name: FieldName.headingChanges, values: .texts(texts))
        let position = result.fields.firstIndex { $0.name > column.name } ?? result.fields.count
        result.fields.insert(column, at: position)
        return result
    }
}
