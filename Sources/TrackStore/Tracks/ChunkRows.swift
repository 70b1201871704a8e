internal import SQLite
internal import Tracks

/// The chunks of file recordings, numbered in file order; all but the last are full.
enum FileChunks {
    static func forEach(
        _ connection: Connection, of track: Int64, fields: WantedFields, _ body: (PointChunk) throws -> Void
    ) throws {
        let keys = TrackSchema.chunkKeys(of: track)
        try connection.forEach(
            "SELECT bytes FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key",
            [.integer(keys.lowerBound), .integer(keys.upperBound)]
        ) { row in
            try body(try decode(row, column: 0, fields: fields, connection))
        }
    }

    static func read(
        _ connection: Connection, of track: Int64, ordinal: Int, fields: WantedFields = .all
    ) throws -> PointChunk? {
        try connection.first("SELECT bytes FROM chunk WHERE key = ?", [key(track, ordinal)]) {
            try decode($0, column: 0, fields: fields, connection)
        }
    }

    /// Whether the stored bytes of a chunk equal `bytes`.
    static func isStored(_ connection: Connection, of track: Int64, ordinal: Int, _ bytes: [UInt8]) throws -> Bool {
        try connection.integer("SELECT bytes = ? FROM chunk WHERE key = ?", [.blob(bytes), key(track, ordinal)]) == 1
    }

    static func write(_ connection: Connection, of track: Int64, ordinal: Int, _ bytes: [UInt8]) throws {
        try connection.run("INSERT OR REPLACE INTO chunk VALUES (?, ?)", [key(track, ordinal), .blob(bytes)])
    }

    /// Deletes up to `limit` chunks; returns false if fewer were left.
    static func delete(_ connection: Connection, of track: Int64, limit: Int) throws -> Bool {
        let keys = TrackSchema.chunkKeys(of: track)
        try connection.run(
            "DELETE FROM chunk WHERE key IN (SELECT key FROM chunk WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?)",
            [.integer(keys.lowerBound), .integer(keys.upperBound), .integer(limit)])
        return connection.changedRows == limit
    }

    private static func key(_ track: Int64, _ ordinal: Int) -> Value {
        .integer(track << TrackSchema.ordinalBits | Int64(ordinal))
    }

    static func decode(
        _ row: Statement, column: Int, fields: WantedFields, _ connection: Connection
    ) throws -> PointChunk {
        do {
            return try row.withBlob(column) { (bytes) throws(ChunkCodecError) in
                try PointChunk(decoding: bytes, fields: fields)
            }
        } catch {
            throw LibraryError.damaged(path: connection.path, what: "a chunk of points cannot be read (\(error))")
        }
    }
}

/// The chunks of streams, ordered by (time, longitude, latitude); no chunk overlaps another.
enum StreamChunks {
    /// Calls `body` with the chunks that have a point between two times (inclusive).
    static func forEach(
        _ connection: Connection, stream: Int64, from start: Int64, to end: Int64, fields: WantedFields,
        _ body: (PointChunk) throws -> Void
    ) throws {
        try forEachWhile(connection, stream: stream, from: start, to: end, fields: fields) {
            try body($0)
            return true
        }
    }

    /// The same, until `body` returns false.
    static func forEachWhile(
        _ connection: Connection, stream: Int64, from start: Int64, to end: Int64, fields: WantedFields,
        _ body: (PointChunk) throws -> Bool
    ) throws {
        try connection.forEachWhile(
            """
            SELECT first_time, bytes FROM stream_chunk WHERE stream = ? AND last_time >= ?
            ORDER BY last_time, first_time, first_east, first_north
            """,
            [.integer(stream), .integer(start)]
        ) { row in
            guard row.integer(0) <= end else { return false }
            return try body(try FileChunks.decode(row, column: 1, fields: fields, connection))
        }
    }

    /// The numbers of the chunks that have a point between two times (inclusive).
    static func numbers(_ connection: Connection, stream: Int64, from start: Int64, to end: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        try connection.forEachWhile(
            """
            SELECT first_time, number FROM stream_chunk WHERE stream = ? AND last_time >= ?
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

    static func read(_ connection: Connection, number: Int64) throws -> PointChunk {
        let chunk = try connection.first("SELECT bytes FROM stream_chunk WHERE number = ?", [.integer(number)]) {
            try FileChunks.decode($0, column: 0, fields: .all, connection)
        }
        guard let chunk else { throw LibraryError.damaged(path: connection.path, what: "a chunk of points is missing") }
        return chunk
    }

    static func delete(_ connection: Connection, number: Int64) throws {
        try connection.run("DELETE FROM stream_chunk WHERE number = ?", [.integer(number)])
    }

    /// Deletes up to `limit` chunks of a stream; returns false if fewer were left.
    static func delete(_ connection: Connection, stream: Int64, limit: Int) throws -> Bool {
        try connection.run(
            "DELETE FROM stream_chunk WHERE number IN (SELECT number FROM stream_chunk WHERE stream = ? LIMIT ?)",
            [.integer(stream), .integer(limit)])
        return connection.changedRows == limit
    }

    static func insert(_ connection: Connection, stream: Int64, _ chunk: PointChunk) throws {
        guard let first = chunk.times.first, let last = chunk.times.last else { return }
        let places = E7Converter(unit: chunk.unit)
        try connection.run(
            """
            INSERT INTO stream_chunk (stream, first_time, last_time, first_east, first_north, points, bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(stream), .integer(first), .integer(last),
                .integer(Int64(places.e7(chunk.longitudes[0]))), .integer(Int64(places.e7(chunk.latitudes[0]))),
                .integer(chunk.count), .blob(chunk.encoded()),
            ])
    }
}
