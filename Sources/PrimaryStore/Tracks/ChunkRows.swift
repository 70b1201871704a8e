package import Database
package import Tracks

/// The chunks of file recordings, numbered in file order; all but the last are full.
package enum FileChunks {
    static func forEach(
        _ session: any Session, of track: Int64, fields: WantedFields, _ body: (PointColumns) throws -> Void
    ) throws {
        let keys = TrackSchema.chunkKeys(of: track)
        try session.forEach(
            "SELECT bytes FROM chunk WHERE key BETWEEN $1 AND $2 ORDER BY key",
            [.integer(keys.lowerBound), .integer(keys.upperBound)]
        ) { row in
            try body(try decode(row, column: 0, fields: fields, session))
        }
    }

    package static func read(
        _ session: any Session, of track: Int64, ordinal: Int, fields: WantedFields = .all
    ) throws -> PointColumns? {
        try session.first("SELECT bytes FROM chunk WHERE key = $1", [key(track, ordinal)]) {
            try decode($0, column: 0, fields: fields, session)
        }
    }

    /// Whether the stored bytes of a chunk equal `bytes`.
    static func isStored(_ session: any Session, of track: Int64, ordinal: Int, _ bytes: [UInt8]) throws -> Bool {
        try session.integer(
            "SELECT CASE WHEN bytes = $1 THEN 1 ELSE 0 END FROM chunk WHERE key = $2",
            [.blob(bytes), key(track, ordinal)]) == 1
    }

    static func write(_ session: any Session, of track: Int64, ordinal: Int, _ bytes: [UInt8]) throws {
        try session.run(
            "INSERT INTO chunk VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes",
            [key(track, ordinal), .blob(bytes)])
    }

    /// The number of points of a recording. All chunks but the last are full.
    static func pointCount(_ session: any Session, of track: Int64) throws -> Int {
        let keys = TrackSchema.chunkKeys(of: track)
        let last = try session.integer(
            "SELECT max(key) FROM chunk WHERE key BETWEEN $1 AND $2",
            [.integer(keys.lowerBound), .integer(keys.upperBound)])
        guard let last else { return 0 }
        let ordinal = Int(last - keys.lowerBound)
        let rest = try read(session, of: track, ordinal: ordinal, fields: .none)
        return ordinal * PointChunk.capacity + (rest?.count ?? 0)
    }

    /// Deletes the chunks from `ordinal` on.
    static func delete(_ session: any Session, of track: Int64, from ordinal: Int) throws {
        try session.run(
            "DELETE FROM chunk WHERE key BETWEEN $1 AND $2",
            [key(track, ordinal), .integer(TrackSchema.chunkKeys(of: track).upperBound)])
    }

    /// Deletes up to `limit` chunks; returns false if fewer were left.
    static func delete(_ session: any Session, of track: Int64, limit: Int) throws -> Bool {
        let keys = TrackSchema.chunkKeys(of: track)
        try session.run(
            "DELETE FROM chunk WHERE key IN (SELECT key FROM chunk WHERE key BETWEEN $1 AND $2 ORDER BY key LIMIT $3)",
            [.integer(keys.lowerBound), .integer(keys.upperBound), .integer(limit)])
        return session.changedRows == limit
    }

    private static func key(_ track: Int64, _ ordinal: Int) -> Value {
        .integer(track << LibraryTables.ordinalBits | Int64(ordinal))
    }

    static func decode(
        _ row: any Row, column: Int, fields: WantedFields, _ session: any Session
    ) throws -> PointColumns {
        do {
            return try row.withBlob(column) { (bytes) throws(ChunkCodecError) in
                try PointColumns(decoding: bytes, fields: fields)
            }
        } catch {
            throw LibraryError.damaged(path: session.databaseName, what: "a chunk of points cannot be read (\(error))")
        }
    }
}

/// The chunks of streams, ordered by (time, longitude, latitude); no chunk overlaps another.
package enum StreamChunks {
    /// Calls `body` with the chunks that have a point between two times (inclusive).
    package static func forEach(
        _ session: any Session, stream: Int64, from start: Int64, to end: Int64, fields: WantedFields,
        _ body: (PointColumns) throws -> Void
    ) throws {
        try forEachWhile(session, stream: stream, from: start, to: end, fields: fields) {
            try body($0)
            return true
        }
    }

    /// The same, until `body` returns false.
    package static func forEachWhile(
        _ session: any Session, stream: Int64, from start: Int64, to end: Int64, fields: WantedFields,
        _ body: (PointColumns) throws -> Bool
    ) throws {
        // In the order of the index `stream_order`: nothing is sorted, and the first chunk after `end` ends the scan.
        try session.forEachWhile(
            """
            SELECT first_time, bytes FROM stream_chunk WHERE stream = $1 AND last_time >= $2
            ORDER BY last_time, first_time, first_east, first_north
            """,
            [.integer(stream), .integer(start)]
        ) { row in
            guard row.integer(0) <= end else { return false }
            return try body(try FileChunks.decode(row, column: 1, fields: fields, session))
        }
    }

    /// The numbers of the chunks that have a point between two times (inclusive).
    static func numbers(_ session: any Session, stream: Int64, from start: Int64, to end: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        try session.forEachWhile(
            """
            SELECT first_time, number FROM stream_chunk WHERE stream = $1 AND last_time >= $2
            ORDER BY last_time, first_time, first_east, first_north
            """,
            [.integer(stream), .integer(start)]
        ) { row in
            guard row.integer(0) <= end else { return false }
            numbers.append(row.integer(1))
            return true
        }
        return numbers
    }

    /// The time of the first point after a time; nil if there is none.
    static func nextTime(_ session: any Session, stream: Int64, after time: Int64) throws -> Int64? {
        guard time < .max else { return nil }
        var found: Int64?
        try forEachWhile(session, stream: stream, from: time + 1, to: .max, fields: .none) { chunk in
            found = chunk.times.first { $0 > time }
            return found == nil
        }
        return found
    }

    static func read(_ session: any Session, number: Int64) throws -> PointColumns {
        let chunk = try session.first("SELECT bytes FROM stream_chunk WHERE number = $1", [.integer(number)]) {
            try FileChunks.decode($0, column: 0, fields: .all, session)
        }
        guard let chunk else {
            throw LibraryError.damaged(path: session.databaseName, what: "a chunk of points is missing")
        }
        return chunk
    }

    static func delete(_ session: any Session, number: Int64) throws {
        try session.run("DELETE FROM stream_chunk WHERE number = $1", [.integer(number)])
    }

    /// Deletes up to `limit` chunks of a stream; returns false if fewer were left.
    static func delete(_ session: any Session, stream: Int64, limit: Int) throws -> Bool {
        try session.run(
            "DELETE FROM stream_chunk WHERE number IN (SELECT number FROM stream_chunk WHERE stream = $1 LIMIT $2)",
            [.integer(stream), .integer(limit)])
        return session.changedRows == limit
    }

    static func insert(_ session: any Session, stream: Int64, _ chunk: PointColumns) throws {
        guard let first = chunk.times.first, let last = chunk.times.last else { return }
        let converter = E7Converter(unit: chunk.unit)
        try session.run(
            """
            INSERT INTO stream_chunk (stream, first_time, last_time, first_east, first_north, points, bytes)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(stream), .integer(first), .integer(last),
                .integer(Int64(converter.e7(chunk.longitudes[0]))), .integer(Int64(converter.e7(chunk.latitudes[0]))),
                .integer(chunk.count), .blob(chunk.encoded()),
            ])
    }
}
