import Database
import HeatGrid
import LineGrid
import TileLog

/// Brings the rasters and codes of a tile's lines up to date after the logs of its months have changed.
///
/// What was only added is drawn into the stored rows. After a removal a month is drawn again from its log, and the year
/// and all time are joined again from the months and years.
struct LineRasterUpdate {
    let session: any Session
    let tile: UInt64
    let rule: SumRule
    let tracks: GridTracks

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Updates the rows after the logs of months were written. `changed` has for each changed month the log that was
    /// added, or nil if fragments were removed from it, or have another activity.
    func update(_ changed: [UInt16: [UInt8]?]) throws {
        let months = try reader.lineMonths(of: tile)
        var drawing = LineRasterDrawing(tracks: tracks)
        for kind in LineRasterDrawing.Kind.allCases { try update(kind, months, changed, &drawing) }
    }

    private func update(
        _ kind: LineRasterDrawing.Kind, _ months: [(period: UInt16, bytes: Int)], _ changed: [UInt16: [UInt8]?],
        _ drawing: inout LineRasterDrawing
    ) throws {
        let wanted = LineRasterRows.periods(of: months, limit: kind.limit(rule))
        let stored = Set(try reader.linePeriods(in: kind.table, of: tile))
        for period in stored.subtracting(wanted) {
            try writer.write(nil, kind.table, GridSchema.logNumber(tile, period: period))
        }
        for period in LineRasterDrawing.inOrder(wanted) {
            let range = StoredPeriod.months(of: period)
            let changes = changed.filter { range.contains($0.key) }
            if changes.isEmpty, stored.contains(period) { continue }
            let added = changes.values.compactMap { $0 }
            let row: [UInt8]
            if stored.contains(period), added.count == changes.count {
                row = drawing.row(
                    kind, joining: try reader.lineRow(in: kind.table, of: tile, period: period) ?? [], adding: added)
            } else {
                row = try drawing.row(
                    kind, of: period, months: months.map(\.period),
                    stored: { wanted.contains($0) ? try reader.lineRow(in: kind.table, of: tile, period: $0) : nil },
                    log: { try reader.lineLog(of: tile, period: $0) })
            }
            try writer.write(row, kind.table, GridSchema.logNumber(tile, period: period))
        }
    }

    /// Deletes the rows of a tile.
    func removeAll() throws {
        for kind in LineRasterDrawing.Kind.allCases {
            try session.run(
                kind.table.deletionOfRange,
                [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
        }
    }
}
