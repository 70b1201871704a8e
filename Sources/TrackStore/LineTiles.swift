import SQLite
public import TileMath

extension GridReader {
    /// The tiles of a zoom level that know of lines, in them or in their margin: all occupied ones are among them. As
    /// `occupiedTiles` otherwise.
    public func tilesWithLines(zoom: ZoomLevel, after last: TileKey?, limit: Int) throws -> [TileKey] {
        let level = Int64(zoom.number) << 32
        return try connection.rows(
            "SELECT key FROM lines WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
            [.integer(last.map { Int64($0.packed) } ?? level - 1), .integer(level + 1 << 32), .integer(limit)]
        ) { $0.integer(0) }.compactMap { TileKey(packed: UInt64($0)) }
    }

    /// How many tiles of a zoom level know of lines.
    public func countWithLines(zoom: ZoomLevel) throws -> Int {
        let level = Int64(zoom.number) << 32
        return Int(
            try connection.integer(
                "SELECT count(*) FROM lines WHERE key >= ? AND key < ?", [.integer(level), .integer(level + 1 << 32)])
                ?? 0)
    }
}
