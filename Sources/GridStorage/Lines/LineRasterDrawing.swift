import HeatGrid
import LineGrid
import TileLog

/// Draws the rasters of a tile's lines from logs and other rasters.
///
/// Keeps its memory, 240 KiB, from raster to raster.
struct LineRasterDrawing {
    private var raster = LineRaster()
    private var lines = TileLines()

    /// The rasters of a tile whose lines are all in `logs`, by period.
    mutating func rasters(of logs: [MonthLog], rule: SumRule) -> [UInt16: [UInt8]] {
        let wanted = LineRasterRows.periods(of: logs.map { ($0.period, $0.log.count) }, rule: rule)
        guard !wanted.isEmpty else { return [:] }
        let known = Dictionary(uniqueKeysWithValues: logs.map { ($0.period, $0.log) })
        var rasters: [UInt16: [UInt8]] = [:]
        for period in Self.inOrder(wanted) {
            rasters[period] = raster(
                of: period, months: logs.map(\.period), rasters: { rasters[$0] }, log: { known[$0] })
        }
        return rasters
    }

    /// The raster of a period from those of its parts, and from the logs of months that have none.
    mutating func raster<Failure: Error>(
        of period: UInt16, months: [UInt16], rasters: (UInt16) throws(Failure) -> [UInt8]?,
        log: (UInt16) throws(Failure) -> [UInt8]?
    ) throws(Failure) -> [UInt8] {
        raster.clear(hasCounts: true)
        var joinedYears: Set<UInt16> = []
        let range = StoredPeriod.months(of: period)
        for month in months where range.contains(month) {
            let year = StoredPeriod.year(ofMonth: month)
            if period == StoredPeriod.all, LineRasterRows.isYear(year) {
                if joinedYears.contains(year) { continue }
                if let known = try rasters(year) {
                    raster.join(known.span)
                    joinedYears.insert(year)
                    continue
                }
            }
            if month != period, let known = try rasters(month) {
                raster.join(known.span)
            } else if let log = try log(month) {
                add(log)
            }
        }
        return raster.encoded
    }

    /// A stored raster with the lines of logs.
    mutating func raster(joining stored: [UInt8], adding logs: [[UInt8]]) -> [UInt8] {
        raster.clear(hasCounts: true)
        raster.join(stored.span)
        for log in logs { add(log) }
        return raster.encoded
    }

    private mutating func add(_ log: [UInt8]) {
        lines.removeAll()
        LineReader.read(log.span, window: .allTime, filter: .all, into: &lines)
        raster.add(lines) { _, _, _ in 0 }
    }

    /// Months before years before all time, so that each can be joined from the ones before.
    static func inOrder(_ periods: Set<UInt16>) -> [UInt16] {
        func rank(_ period: UInt16) -> Int {
            period == StoredPeriod.all ? 2 : LineRasterRows.isYear(period) ? 1 : 0
        }
        return periods.sorted { (rank($0), $0) < (rank($1), $1) }
    }
}
