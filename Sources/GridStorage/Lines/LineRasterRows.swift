import Database
import HeatGrid
public import LineGrid
public import TileLog
public import TileMath

/// Which rasters of lines are stored beside the logs of a tile, and which of them a window needs.
enum LineRasterRows {
    /// The periods with a row: months, years of several months, and all time if it has several years, whose logs take
    /// more than the limit of a table. `months` are the months with the bytes of their logs.
    static func periods(of months: [(period: UInt16, bytes: Int)], limit: Int) -> Set<UInt16> {
        var found = Set(months.lazy.filter { $0.bytes > limit }.map(\.period))
        let years = Dictionary(grouping: months) { StoredPeriod.year(ofMonth: $0.period) }
        // The untimed log and the months before 1901 are no year.
        for (year, months) in years where year != StoredPeriod.untimed && months.count > 1 {
            if months.reduce(0, { $0 + $1.bytes }) > limit { found.insert(year) }
        }
        if years.count > 1, months.reduce(0, { $0 + $1.bytes }) > limit {
            found.insert(StoredPeriod.all)
        }
        return found
    }

    /// The largest stored periods within a window, which do not overlap; ascending.
    static func periods(_ stored: [UInt16], within window: DayWindow) -> [UInt16] {
        let inside = stored.filter { contains($0, window) }
        if inside.contains(StoredPeriod.all) { return [StoredPeriod.all] }
        let years = Set(inside.filter(isYear))
        return inside.filter { isYear($0) || !years.contains(StoredPeriod.year(ofMonth: $0)) }
    }

    /// Whether a period is a year.
    static func isYear(_ period: UInt16) -> Bool {
        period & 15 == 0 && period != StoredPeriod.untimed
    }

    private static func contains(_ period: UInt16, _ window: DayWindow) -> Bool {
        if window.isAllTime { return true }
        guard let days = window.days, period != StoredPeriod.all, period != StoredPeriod.untimed else { return false }
        let months = StoredPeriod.months(of: period)
        return StoredPeriod.days(ofMonth: months.lowerBound).lowerBound >= days.lowerBound
            && StoredPeriod.days(ofMonth: months.upperBound).upperBound <= days.upperBound
    }

    /// The parts of a range of months without some periods, which are ascending and do not overlap.
    static func gaps(in range: ClosedRange<UInt16>, without periods: [UInt16]) -> [ClosedRange<UInt16>] {
        var gaps: [ClosedRange<UInt16>] = []
        var next = Int(range.lowerBound)
        for months in periods.map({ StoredPeriod.months(of: $0) }) {
            if next < Int(months.lowerBound) { gaps.append(UInt16(next)...months.lowerBound - 1) }
            next = max(next, Int(months.upperBound) + 1)
        }
        if next <= Int(range.upperBound) { gaps.append(UInt16(next)...range.upperBound) }
        return gaps
    }
}

/// Lines of a stored period.
public struct StoredLines: Sendable {
    /// In the form of `LineRaster.encoded`.
    public let raster: [UInt8]
    /// In the form of `LineCodeRaster.encoded`; without bytes if no property was asked for.
    public let codes: [UInt8]
}

extension GridReader {
    /// Replaces the content of `lines` and `stored` with the lines of all tracks in a tile on a window's days: stored
    /// rasters where there are some, and lines. With a property, only rasters with its codes. The long steps near the tile
    /// are fragments of their own.
    ///
    /// The lines that are read have a constant limit in each month at the window's ends, and in each month or year whose
    /// logs are too short for a raster.
    public func lines(
        of tile: TileKey, window: DayWindow, property: LineProperty?, into lines: inout TileLines,
        stored: inout [StoredLines]
    ) throws {
        lines.removeAll()
        stored.removeAll()
        let table = property == nil ? BlobTable.lineRasters : .lineCodes
        let periods = LineRasterRows.periods(try linePeriods(in: table, of: tile.packed), within: window)
        let months = LineRasterRows.gaps(in: LogMonths.periods(of: window), without: periods)
        let tables = property == nil ? [BlobTable.lineRasters] : [.lineRasters, .lineCodes]
        // A tile with rasters has its logs by month.
        if !periods.isEmpty {
            try session.prefetch(
                periods.flatMap { period in tables.map { Self.lineRow(in: $0, of: tile.packed, period: period) } }
                    + months.map { Self.lineMonths($0, of: tile.packed) })
        }
        for period in periods {
            stored.append(
                StoredLines(
                    raster: try lineRow(in: .lineRasters, of: tile.packed, period: period) ?? [],
                    codes: property == nil ? [] : try lineRow(in: .lineCodes, of: tile.packed, period: period) ?? []))
        }
        try read(lines: tile.packed, window: window, filter: .all, months: months, into: &lines)
        for steps in try longSteps(above: tile, window: window) { lines.append(steps.lines(near: tile)) }
    }

    /// The periods of the rows that a table has for a tile's lines, ascending.
    func linePeriods(in table: BlobTable, of tile: UInt64) throws -> [UInt16] {
        let query = Self.linePeriods(in: table, of: tile)
        return try session.rows(query.sql, query.values) { UInt16(truncatingIfNeeded: $0.integer(0)) }
    }

    /// The query for the keys of the rows that a table has for a tile's lines.
    static func linePeriods(in table: BlobTable, of tile: UInt64) -> Query {
        Query(table.keysOfRange, [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
    }

    /// The row of a period; nil if there is none.
    func lineRow(in table: BlobTable, of tile: UInt64, period: UInt16) throws -> [UInt8]? {
        let key = GridSchema.logNumber(tile, period: period)
        let query = Self.lineRow(in: table, of: tile, period: period)
        return try session.first(query.sql, query.values) {
            try $0.checkedBlob(0, GridRowChecksum(table.checksum, key: key))
        }
    }

    /// The query for the row of a period.
    private static func lineRow(in table: BlobTable, of tile: UInt64, period: UInt16) -> Query {
        Query(table.selection, [GridSchema.logKey(tile, period: period)])
    }

    /// The months of a tile's lines with the bytes of their logs.
    func lineMonths(of tile: UInt64) throws -> [(period: UInt16, bytes: Int)] {
        try session.rows(
            "SELECT key, length(data) FROM line_logs WHERE key >= $1 AND key <= $2 ORDER BY key",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)]
        ) { (UInt16(truncatingIfNeeded: $0.integer(0)), Int($0.integer(1)) - GridRowChecksum.byteCount) }
    }
}
