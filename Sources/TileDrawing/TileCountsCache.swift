import Caching
import HeatGrid
import TileMath
import TileRendering
import TrackStore

/// Identifies what a layer has in a tile while the tile keeps its content.
struct TileContentKey: Hashable {
    var tile: TileKey
    var content: UInt64
    var layer: String
}

/// The all-time counts of tiles. With a kernel, a tile's counts are needed for the tile and for its eight neighbours,
/// which are usually requested together.
struct TileCountsCache: Sendable {
    private let counts = SharedCache<TileContentKey, CellCounts>(costLimit: byteLimit)

    private static let byteLimit = 16 << 20
    /// Bytes of an entry, and of each of its cells.
    private static let (entryBytes, cellBytes) = (128, 6)

    /// The counts of a tile, cached or from `make`.
    func value(for key: TileContentKey, make: () throws -> CellCounts) rethrows -> CellCounts {
        try counts.value(for: key, cost: { $0.cells.count * Self.cellBytes + Self.entryBytes }, make: make)
    }

    /// Removes all counts: a track may have been removed.
    func invalidate() { counts.invalidate() }
}

extension TileRenderer {
    /// The counts of the tiles that a plan needs, in their order.
    func counts(
        _ request: TileRequest, _ plan: PicturePlan, _ reader: GridReader, using tiles: inout TileReader
    ) throws -> [CellCounts] {
        let isCached = plan.hasKernel && plan.minus == nil && request.selection.isWholeLayer
        let days = plan.fragments.days
        var found: [CellCounts] = []
        for (tile, content) in zip(plan.layout.tilesNeeded, plan.contents) {
            guard content != 0, let key = TileKey(tile) else {
                found.append(CellCounts())
                continue
            }
            if isCached {
                let cacheKey = TileContentKey(tile: key, content: content, layer: request.layer)
                found.append(
                    try tileCounts.value(for: cacheKey) {
                        try counts(of: key, plan.fragments, days, reader, using: &tiles)
                    })
                continue
            }
            let whole = try counts(of: key, plan.fragments, days, reader, using: &tiles)
            guard let minus = plan.minus else {
                found.append(whole)
                continue
            }
            found.append(whole.difference(to: try counts(of: key, plan.fragments, minus, reader, using: &tiles)))
        }
        return found
    }
}
