import Database
import HeatGrid
import LineGrid
import TileLog
import TileMath

extension GridReader {
    /// The long steps of a window and a filter that are stored with the ancestors of a tile and are not drawn at its
    /// zoom level as ordinary lines; those of the coarsest ancestor first.
    func longSteps(
        above tile: TileKey, window: DayWindow = .allTime, filter: FragmentFilter = .all
    ) throws -> [LongSteps] {
        // Nearly all libraries have few or none.
        guard let first = try session.integer(Self.firstOfLongSteps.sql, Self.firstOfLongSteps.values),
            let last = tile.ancestors.last, last.packedLongSteps >= UInt64(first)
        else { return [] }
        var found: [(key: UInt64, stored: TileLines, isByMonth: Bool)] = []
        let query = Self.longStepRows(above: tile)
        try session.forEach(query.sql, query.values) { row in
            let key = UInt64(row.integer(3))
            var stored = TileLines()
            let isByMonth = try read(lineLogIn: row, key, window: window, filter: filter, into: &stored)
            found.append((key, stored, isByMonth))
        }
        for index in found.indices where found[index].isByMonth {
            try read(
                lineMonths: [LogMonths.periods(of: window)], of: found[index].key, window: window, filter: filter,
                into: &found[index].stored)
        }
        // Keys begin with the zoom level.
        return found.sorted { $0.key < $1.key }.compactMap { key, stored, _ in
            stored.isEmpty ? nil : TileKey(packedLongSteps: key).map { LongSteps(stored, of: $0) }
        }
    }

    /// The long steps that are stored with a tile.
    func longSteps(of holder: TileKey) throws -> LongSteps {
        var stored = TileLines()
        try read(
            lines: holder.packedLongSteps, window: .allTime, filter: .all,
            months: [LogMonths.periods(of: .allTime)], into: &stored)
        return LongSteps(stored, of: holder)
    }

    /// The query for the first row of long steps.
    static let firstOfLongSteps = Query(
        "SELECT key FROM lines WHERE key >= $1 ORDER BY key LIMIT 1", [.integer(Int64(TileKey.firstOfLongSteps))])

    /// The query for the rows of all ancestors of a tile, in the columns of `lineRow` and the key.
    static func longStepRows(above tile: TileKey) -> Query {
        Query(
            """
            SELECT digest, bytes, data, key FROM lines
            WHERE key IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """, values(of: tile.ancestors.map { Int64($0.packedLongSteps) }, count: ZoomLevel.deepestGrid.number))
    }
}
