import Database
import HeatGrid
import LineGrid
import TileLog

/// Brings the rasters of a tile's lines up to date after the logs of its months have changed.
///
/// What was only added is drawn into the stored rasters. After a removal a month is drawn again from its log, and the year
/// and all time are joined again from the months and years.
struct LineRasterUpdate {
    let session: any Session
    let tile: UInt64
    let rule: SumRule

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Updates the rasters after the logs of months were written. `changed` has for each changed month the log that was
    /// added, or nil if fragments were removed from it, too.
    func update(_ changed: [UInt16: [UInt8]?]) throws {
        let months = try reader.lineMonths(of: tile)
        let wanted = LineRasterRows.periods(of: months, rule: rule)
        let stored = Set(try reader.lineRasterPeriods(of: tile))
        for period in stored.subtracting(wanted) {
            try writer.write(nil, .lineRasters, GridSchema.logNumber(tile, period: period))
        }
        var drawing = LineRasterDrawing()
        for period in LineRasterDrawing.inOrder(wanted) {
            let range = StoredPeriod.months(of: period)
            let changes = changed.filter { range.contains($0.key) }
            if changes.isEmpty, stored.contains(period) { continue }
            let added = changes.values.compactMap { $0 }
            let raster: [UInt8]
            if stored.contains(period), added.count == changes.count {
                raster = drawing.raster(
                    joining: try reader.lineRaster(of: tile, period: period) ?? [], adding: added)
            } else {
                raster = try drawing.raster(
                    of: period, months: months.map(\.period),
                    rasters: { wanted.contains($0) ? try reader.lineRaster(of: tile, period: $0) : nil },
                    log: { try reader.lineLog(of: tile, period: $0) })
            }
            try writer.write(raster, .lineRasters, GridSchema.logNumber(tile, period: period))
        }
    }

    /// Deletes the rasters of a tile.
    func removeAll() throws {
        try session.run(
            "DELETE FROM line_rasters WHERE key >= $1 AND key <= $2",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
    }
}
