package import HeatGrid
import LineGrid
package import TileLog

extension GridReader {
    /// Whether the rasters and codes of a tile's lines are those of its logs.
    package func hasRastersOfLogs(_ tile: UInt64, tracks: GridTracks, rule: SumRule = SumRule()) throws -> Bool {
        let logs = try lineRow(of: tile)?.months ?? []
        var drawing = LineRasterDrawing(tracks: tracks)
        return try LineRasterDrawing.Kind.allCases.allSatisfy { kind in
            let stored = try linePeriods(in: kind.table, of: tile).map { period in
                (period, try lineRow(in: kind.table, of: tile, period: period))
            }
            return Dictionary(uniqueKeysWithValues: stored) == drawing.rows(kind, of: logs, rule: rule)
        }
    }
}

/// Draws the rows of a tile's lines that are derived from its logs, by period: rasters, and the codes of their properties.
///
/// Keeps its memory, 1.4 MiB, from tile to tile.
struct LineRasterDrawing {
    /// A table, and how its rows are drawn.
    enum Kind: CaseIterable {
        case raster
        case codes

        var table: BlobTable {
            switch self {
            case .raster: .lineRasters
            case .codes: .lineCodes
            }
        }

        /// Periods whose logs take more bytes have a row.
        func limit(_ rule: SumRule) -> Int {
            switch self {
            case .raster: rule.lineRasterBytes
            // A period with codes has a raster, too.
            case .codes: max(rule.lineRasterBytes, rule.lineCodeBytes)
            }
        }
    }

    private let tracks: GridTracks
    private var raster = LineRaster()
    private var codes: LineCodeRaster?
    private var lines = TileLines()

    /// `tracks` has the activities.
    init(tracks: GridTracks) {
        self.tracks = tracks
    }

    /// The rows of a tile whose lines are all in `logs`.
    mutating func rows(_ kind: Kind, of logs: [MonthLog], rule: SumRule) -> [UInt16: [UInt8]] {
        let wanted = LineRasterRows.periods(of: logs.map { ($0.period, $0.log.count) }, limit: kind.limit(rule))
        guard !wanted.isEmpty else { return [:] }
        let known = Dictionary(uniqueKeysWithValues: logs.map { ($0.period, $0.log) })
        var rows: [UInt16: [UInt8]] = [:]
        for period in Self.inOrder(wanted) {
            rows[period] = row(
                kind, of: period, months: logs.map(\.period), stored: { rows[$0] }, log: { known[$0] })
        }
        return rows
    }

    /// The row of a period from those of its parts, and from the logs of months that have none.
    mutating func row<Failure: Error>(
        _ kind: Kind, of period: UInt16, months: [UInt16], stored: (UInt16) throws(Failure) -> [UInt8]?,
        log: (UInt16) throws(Failure) -> [UInt8]?
    ) throws(Failure) -> [UInt8] {
        clear(kind)
        var joinedYears: Set<UInt16> = []
        let range = StoredPeriod.months(of: period)
        for month in months where range.contains(month) {
            let year = StoredPeriod.year(ofMonth: month)
            if period == StoredPeriod.all, LineRasterRows.isYear(year) {
                if joinedYears.contains(year) { continue }
                if let known = try stored(year) {
                    join(kind, known)
                    joinedYears.insert(year)
                    continue
                }
            }
            if month != period, let known = try stored(month) {
                join(kind, known)
            } else if let log = try log(month) {
                add(kind, log)
            }
        }
        return encoded(kind)
    }

    /// A stored row with the lines of logs.
    mutating func row(_ kind: Kind, joining stored: [UInt8], adding logs: [[UInt8]]) -> [UInt8] {
        clear(kind)
        join(kind, stored)
        for log in logs { add(kind, log) }
        return encoded(kind)
    }

    private mutating func clear(_ kind: Kind) {
        switch kind {
        case .raster: raster.clear(hasCounts: true)
        case .codes:
            // Made when a tile needs it: most libraries have no such tile.
            if codes == nil { codes = LineCodeRaster() }
            codes?.clear()
        }
    }

    private mutating func join(_ kind: Kind, _ row: [UInt8]) {
        switch kind {
        case .raster: raster.join(row.span)
        case .codes: codes?.join(row.span)
        }
    }

    private mutating func add(_ kind: Kind, _ log: [UInt8]) {
        lines.removeAll()
        LineReader.read(log.span, window: .allTime, filter: .all, into: &lines)
        switch kind {
        case .raster: raster.add(lines) { _, _, _ in 0 }
        case .codes: codes?.add(lines) { [tracks] in tracks.activity(of: $0) }
        }
    }

    private func encoded(_ kind: Kind) -> [UInt8] {
        switch kind {
        case .raster: raster.encoded
        case .codes: codes?.encoded ?? []
        }
    }

    /// Months before years before all time, so that each can be joined from the ones before.
    static func inOrder(_ periods: Set<UInt16>) -> [UInt16] {
        func rank(_ period: UInt16) -> Int {
            period == StoredPeriod.all ? 2 : LineRasterRows.isYear(period) ? 1 : 0
        }
        return periods.sorted { (rank($0), $0) < (rank($1), $1) }
    }
}
