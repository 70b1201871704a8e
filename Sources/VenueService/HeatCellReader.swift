import GridStorage
import HeatGrid
import Locking
import TileMath
import TrackStore
import Venues

/// Reads the cells of the heat grid where people walk, for one way: each tile once.
final class HeatCellReader: Sendable {
    private struct State: Sendable {
        /// The counts of the cells of each tile, by their codes within it.
        var tiles: [TileKey: [UInt16: UInt32]] = [:]
        var reader = TileReader()
        var error: (any Error)?
    }

    private let library: Library
    private let state = Locked(State())

    /// Bits of a cell's Morton code within its tile.
    private static let cellBits: UInt64 = 16

    init(_ library: Library) {
        self.library = library
    }

    /// The days on which somebody was in each cell.
    var cells: HeatCells { HeatCells { [self] in days(column: $0, row: $1) } }

    /// Whether a cell was asked for.
    var isUsed: Bool { state.withLock { !$0.tiles.isEmpty || $0.error != nil } }

    /// Throws the error of a tile that could not be read.
    func check() throws {
        if let error = state.withLock({ $0.error }) { throw error }
    }

    private func days(column: Int, row: Int) -> Int {
        guard (0..<HeatCells.side).contains(column), (0..<HeatCells.side).contains(row) else { return 0 }
        let place = Morton.code(x: UInt32(column), y: UInt32(row))
        let key = TileKey(zoom: ZoomLevel.deepestGrid.number, morton: place >> Self.cellBits)
        let code = UInt16(truncatingIfNeeded: place)
        return state.withLock { state in
            if let tile = state.tiles[key] { return Int(tile[code] ?? 0) }
            do {
                let counts = try library.grid.read { try $0.counts(of: key, .everything, using: &state.reader) }
                let tile = Dictionary(zip(counts.cells, counts.counts), uniquingKeysWith: { first, _ in first })
                state.tiles[key] = tile
                return Int(tile[code] ?? 0)
            } catch {
                state.error = state.error ?? error
                state.tiles[key] = [:]
                return 0
            }
        }
    }
}
