import Dispatch
import HeatGrid
import TileLog

/// The change of one tile: the stored rows and the added log.
struct TileTask: Sendable {
    /// The stored rows of the tile that its change needs.
    enum Stored: Sendable {
        case nothing
        case log([UInt8])
        case dense(DenseTile, changing: Set<UInt16>)
    }

    /// The packed key.
    var tile: UInt64
    var stored: Stored
    var added: [UInt8]?

    /// Approximate size in bytes.
    var byteCount: Int {
        let storedBytes =
            switch stored {
            case .nothing: 0
            case .log(let log): log.count
            case .dense(let tile, _): tile.data.count + tile.months.reduce(0) { $0 + $1.log.count }
            }
        return storedBytes + (added?.count ?? 0)
    }
}

/// The result of a task.
struct TileRowsChange: Sendable {
    /// How the stored rows change.
    enum Rows: Sendable {
        case removed
        case replaced(TileRow)
        case changed(DenseChange)
        /// The rows that were read do not suffice: the tile must be built from its whole log.
        case unknown(TileTask)
    }

    var tile: UInt64
    var rows: Rows
    var histograms = LayerHistograms()

    /// Approximate bytes of rows to write.
    var byteCount: Int {
        switch rows {
        case .removed, .unknown: 0
        case .replaced(let row): row.data.count + row.months.reduce(0) { $0 + $1.log.count }
        case .changed(let change): change.row.data.count + change.months.reduce(0) { $0 + ($1.log?.count ?? 0) }
        }
    }
}
