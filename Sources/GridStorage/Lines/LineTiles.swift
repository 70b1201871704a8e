import Database
import LineGrid
public import TileMath

extension GridReader {
    /// The tiles of a zoom level with lines of their own, inside or in the margin; without tiles that have only long
    /// steps nearby. Otherwise as `occupiedTiles`.
    public func tilesWithLines(zoom: ZoomLevel, after last: TileKey?, limit: Int) throws -> [TileKey] {
        try tiles(in: "lines", zoom: zoom, after: last, limit: limit)
    }

    /// The next tile after `last` at a lower zoom level whose long steps are drawn in deeper tiles; nil if there is
    /// none.
    public func nextTileStoringLongSteps(above zoom: ZoomLevel, after last: TileKey?) throws -> TileKey? {
        let first = Int64(last?.packedLongSteps ?? TileKey.firstOfLongSteps - 1)
        let key = try session.integer(
            "SELECT key FROM lines WHERE key > $1 AND key < $2 ORDER BY key LIMIT 1",
            [.integer(first), .integer(Int64(TileKey.firstOfLongSteps) + Int64(zoom.number) << 32)])
        return key.flatMap { TileKey(packedLongSteps: UInt64($0)) }
    }

    /// The tiles of a zoom level below a holder of long steps that its steps are near and that have no lines of their
    /// own, without those of a coarser holder; in Morton order.
    public func tilesWithOnlyLongSteps(zoom: ZoomLevel, below holder: TileKey) throws -> [TileKey] {
        let coarser = try longSteps(above: holder)
        return try longSteps(of: holder).tiles(zoom: zoom).map { TileKey(zoom: zoom.number, morton: $0) }.filter {
            tile in
            if coarser.contains(where: { $0.areNear(tile) }) { return false }
            let key = Value.integer(Int64(tile.packed))
            return try session.integer("SELECT 1 FROM lines WHERE key = $1", [key]) == nil
        }
    }

    /// The number of tiles of a zoom level with lines of their own.
    public func countWithLines(zoom: ZoomLevel) throws -> Int {
        try tileCount(in: "lines", zoom: zoom)
    }
}
