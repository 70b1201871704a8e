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

    /// The content of tiles when their counts were last asked for: before it is read again, it tells what is probably cached.
    private let contents = SharedCache<TileKey, UInt64>(costLimit: contentLimit)
    /// About 3 MB.
    private static let contentLimit = 32_768

    private static let byteLimit = 16 << 20
    /// Bytes of an entry, and of each of its cells.
    private static let (entryBytes, cellBytes) = (128, 6)

    /// The counts of a tile, cached or from `make`.
    func value<Failure: Error>(
        for key: Key, make: () throws(Failure) -> CellCounts
    ) throws(Failure) -> CellCounts {
        let counts = key.selection == nil ? whole : selected
        contents.store(key.tile.content, for: key.tile.tile, since: contents.version)
        return try counts.value(for: key, cost: { $0.cells.count * Self.cellBytes + Self.entryBytes }, make: make)
    }

    /// Whether counts are cached.
    func contains(_ key: Key) -> Bool {
        (key.selection == nil ? whole : selected).find(key) != nil
    }

    /// Whether the counts of a layer over all time in a tile are cached, unless the tile has changed.
    func probablyContains(_ tile: TileKey, layer: String) -> Bool {
        contents.find(tile).map { content in
            contains(Key(tile: TileContentKey(tile: tile, content: content, layer: layer)))
        } ?? false
    }

    /// Removes all counts: a track may have been removed.
    func invalidate() {
        whole.invalidate()
        selected.invalidate()
        contents.invalidate()
    }
}
