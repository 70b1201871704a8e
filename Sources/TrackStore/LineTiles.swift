import LineGrid
import SQLite
public import TileMath

extension GridReader {
    /// The tiles of a zoom level that have lines of their own, in them or in their margin; those that only long steps come
    /// near are not among them. As `occupiedTiles` otherwise.
    public func tilesWithLines(zoom: ZoomLevel, after last: TileKey?, limit: Int) throws -> [TileKey] {
        let level = Int64(zoom.number) << 32
        return try connection.rows(
            "SELECT key FROM lines WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
            [.integer(last.map { Int64($0.packed) } ?? level - 1), .integer(level + 1 << 32), .integer(limit)]
        ) { $0.integer(0) }.compactMap { TileKey(packed: UInt64($0)) }
    }

    /// The next tile above a zoom level that holds long steps which deeper tiles draw; nil where there is none behind `last`.
    public func nextHolderOfLongSteps(above zoom: ZoomLevel, after last: TileKey?) throws -> TileKey? {
        let first = Int64(last?.packedLongSteps ?? TileKey.firstOfLongSteps - 1)
        let key = try connection.integer(
            "SELECT key FROM lines WHERE key > ? AND key < ? ORDER BY key LIMIT 1",
            [.integer(first), .integer(Int64(TileKey.firstOfLongSteps) + Int64(zoom.number) << 32)])
        return key.flatMap { TileKey(packedLongSteps: UInt64($0)) }
    }

    /// The tiles of a zoom level below a holder of long steps that have no lines of their own and that its steps come near,
    /// but not those of a coarser holder; along the Morton curve.
    public func tilesWithLongStepsAlone(zoom: ZoomLevel, below holder: TileKey) throws -> [TileKey] {
        let coarser = try longSteps(above: holder)
        return try longSteps(of: holder).tiles(zoom: zoom).map { TileKey(zoom: zoom.number, morton: $0) }.filter {
            tile in
            if coarser.contains(where: { $0.comeNear(tile) }) { return false }
            let key = Value.integer(Int64(tile.packed))
            return try connection.integer("SELECT 1 FROM lines WHERE key = ?", [key]) == nil
        }
    }

    /// How many tiles of a zoom level have lines of their own.
    public func countWithLines(zoom: ZoomLevel) throws -> Int {
        let level = Int64(zoom.number) << 32
        return Int(
            try connection.integer(
                "SELECT count(*) FROM lines WHERE key >= ? AND key < ?", [.integer(level), .integer(level + 1 << 32)])
                ?? 0)
    }
}
