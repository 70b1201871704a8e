import Digest
import HeatGrid
import Locking
import Styling
import TileMath
import TileRendering
import TrackStore

/// The colours of a zoom level's counts under a symbolizer.
enum TileColors: Sendable {
    /// One table for all tiles.
    case table(ColorTable)
    /// A table that depends on each tile's neighbourhoods.
    case local(LocalTable)

    init(_ symbolizer: HeatSymbolizer, encodesDifferences: Bool, histogram: CountHistogram) {
        if encodesDifferences {
            self = .table(ColorTable(differencesOf: symbolizer, histogram: histogram))
        } else if symbolizer.scale == .local {
            self = .local(LocalTable(symbolizer: symbolizer, histogram: histogram))
        } else {
            self = .table(ColorTable(symbolizer: symbolizer, histogram: histogram))
        }
    }

    var digest: ContentDigest {
        switch self {
        case .table(let table): table.digest
        case .local(let table): table.digest
        }
    }
}

/// Caches the neighbourhoods of tiles while the tiles keep their content: a tile's neighbourhood is used for itself and
/// for its eight neighbours.
final class CountDistributionCache: Sendable {
    private struct Key: Hashable {
        var tile: TileKey
        var layer: String
    }

    /// Limit of cached neighbourhoods, half a kilobyte each.
    private static let most = 32_768

    private let known = Locked<[Key: (content: UInt64, distribution: CountDistribution)]>([:])

    /// The neighbourhood of a tile with this content, over all time.
    func distribution(
        of tile: TileKey, content: UInt64, layer: String, _ query: CountQuery, _ reader: GridReader,
        using tiles: inout TileReader
    ) throws -> CountDistribution {
        guard content != 0 else { return CountDistribution() }
        let key = Key(tile: tile, layer: layer)
        if let entry = known.withLock({ $0[key] }), entry.content == content { return entry.distribution }
        let made = try reader.distribution(of: tile, query, using: &tiles)
        known.withLock { known in
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[key] = (content, made)
        }
        return made
    }
}
