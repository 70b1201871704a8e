import Database
import HeatGrid
import TileLog

/// The further rows of a dense tile.
struct StoredRows: DenseTileRows {
    let tile: UInt64
    let session: any Session

    func prefetch(_ rows: @autoclosure () -> [DenseTileRow]) throws {
        try session.prefetch(rows().map { Self.query(for: $0, of: tile) })
    }

    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws {
        try read(.monthLog(period: period), .logs, body)
    }

    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws {
        try read(.sum(layer: layer, period: period), .sums, body)
    }

    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws {
        try read(.layerRow(layer: layer, period: period), .layerRows, body)
    }

    /// The query for a row: data and key.
    static func query(for row: DenseTileRow, of tile: UInt64) -> Query {
        switch row {
        case .monthLog(let period):
            Query("SELECT data, key FROM logs WHERE key = $1", [GridSchema.logKey(tile, period: period)])
        case .sum(let layer, let period):
            Query("SELECT data, key FROM sums WHERE key = $1", [GridSchema.sumKey(tile, layer: layer, period: period)])
        case .layerRow(let layer, let period):
            Query(
                "SELECT data, key FROM layer_rows WHERE key = $1",
                [GridSchema.layerRowKey(tile, layer: layer, period: period)])
        }
    }

    private func read(
        _ row: DenseTileRow, _ table: GridRowChecksum.Table, _ body: (borrowing Span<UInt8>) -> Void
    ) throws {
        let query = Self.query(for: row, of: tile)
        try session.forEachWhile(query.sql, query.values) { row in
            try row.withCheckedBlob(0, GridRowChecksum(table, key: row.integer(1))) { body($0) }
            return false
        }
    }
}
