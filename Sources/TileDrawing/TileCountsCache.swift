import Caching
import Digest
import HeatGrid
import TileMath

/// Identifies what a layer has in a tile while the tile keeps its content.
struct TileContentKey: Hashable {
    var tile: TileKey
    var content: UInt64
    var layer: String
}

/// The counts of tiles. With a kernel, a tile's counts are needed for the tile and for its eight neighbours, which are
/// usually requested together.
struct TileCountsCache: Sendable {
    /// What was counted in a tile.
    struct Key: Hashable {
        var tile: TileContentKey
        /// The digest of window and tracks; nil for all time and all tracks.
        var selection: ContentDigest?
    }

    private let whole = SharedCache<Key, CellCounts>(costLimit: byteLimit)
    /// Apart from the others: the windows of a replay, whose end moves, are soon not used any more.
    private let selected = SharedCache<Key, CellCounts>(costLimit: byteLimit)

    private static let byteLimit = 16 << 20
    /// Bytes of an entry, and of each of its cells.
    private static let (entryBytes, cellBytes) = (128, 6)

    /// The counts of a tile, cached or from `make`.
    func value<Failure: Error>(
        for key: Key, make: () throws(Failure) -> CellCounts
    ) throws(Failure) -> CellCounts {
        let counts = key.selection == nil ? whole : selected
        return try counts.value(for: key, cost: { $0.cells.count * Self.cellBytes + Self.entryBytes }, make: make)
    }

    /// Removes all counts: a track may have been removed.
    func invalidate() {
        whole.invalidate()
        selected.invalidate()
    }
}
