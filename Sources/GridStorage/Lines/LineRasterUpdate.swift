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

    /// Writes the rasters of a tile that had none; `logs` are all its months, which need not be written yet.
    func build(_ logs: [MonthLog]) throws {
        let wanted = LineRasterRows.periods(of: logs.map { ($0.period, $0.log.count) }, rule: rule)
        guard !wanted.isEmpty else { return }
        let known = Dictionary(uniqueKeysWithValues: logs.map { ($0.period, $0.log) })
        var rasters: [UInt16: [UInt8]] = [:]
        for period in Self.inOrder(wanted) {
            let raster = try composed(period, months: logs.map(\.period), rasters: { rasters[$0] }, log: { known[$0] })
            try writer.write(raster, .lineRasters, GridSchema.logNumber(tile, period: period))
            rasters[period] = raster
        }
    }

    /// Updates the rasters after the logs of months were written. `changed` has for each changed month the log that was
    /// added, or nil if fragments were removed from it, too.
    func update(_ changed: [UInt16: [UInt8]?]) throws {
        let months = try reader.lineMonths(of: tile)
        let wanted = LineRasterRows.periods(of: months, rule: rule)
        let stored = Set(try reader.lineRasterPeriods(of: tile))
        for period in stored.subtracting(wanted) {
            try writer.write(nil, .lineRasters, GridSchema.logNumber(tile, period: period))
        }
        for period in Self.inOrder(wanted) {
            let range = StoredPeriod.months(of: period)
            let changes = changed.filter { range.contains($0.key) }
            if changes.isEmpty, stored.contains(period) { continue }
            let added = changes.values.compactMap { $0 }
            let raster: [UInt8]
            if stored.contains(period), added.count == changes.count {
                var drawing = Drawing()
                if let known = try reader.lineRaster(of: tile, period: period) { drawing.raster.join(known.span) }
                for log in added { drawing.add(log) }
                raster = drawing.raster.encoded
            } else {
                raster = try composed(
                    period, months: months.map(\.period),
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

    /// Months before years before all time, so that each can be joined from the ones before.
    private static func inOrder(_ periods: Set<UInt16>) -> [UInt16] {
        func rank(_ period: UInt16) -> Int {
            period == StoredPeriod.all ? 2 : LineRasterRows.isYear(period) ? 1 : 0
        }
        return periods.sorted { (rank($0), $0) < (rank($1), $1) }
    }

    /// The raster of a period from those of its parts, and from the logs of months that have none.
    private func composed(
        _ period: UInt16, months: [UInt16], rasters: (UInt16) throws -> [UInt8]?, log: (UInt16) throws -> [UInt8]?
    ) throws -> [UInt8] {
        var drawing = Drawing()
        var joinedYears: Set<UInt16> = []
        let range = StoredPeriod.months(of: period)
        for month in months where range.contains(month) {
            let year = StoredPeriod.year(ofMonth: month)
            if period == StoredPeriod.all, LineRasterRows.isYear(year) {
                if joinedYears.contains(year) { continue }
                if let raster = try rasters(year) {
                    drawing.raster.join(raster.span)
                    joinedYears.insert(year)
                    continue
                }
            }
            if month != period, let raster = try rasters(month) {
                drawing.raster.join(raster.span)
            } else if let log = try log(month) {
                drawing.add(log)
            }
        }
        return drawing.raster.encoded
    }
}

/// Draws logs into a raster with counts.
private struct Drawing {
    var raster = LineRaster()
    private var lines = TileLines()

    init() {
        raster.clear(hasCounts: true)
    }

    mutating func add(_ log: [UInt8]) {
        lines.removeAll()
        LineReader.read(log.span, window: .allTime, filter: .all, into: &lines)
        raster.add(lines) { _, _, _ in 0 }
    }
}
