import Digest
import GridStorage
import HeatGrid
import TileLog
import TileMath

/// A sample of the occupied tiles of a zoom level: all of them if they are few, otherwise `maxTiles` chosen by a hash
/// of their keys.
///
/// The hash makes every thread, run and server choose the same tiles, each tile with equal probability.
struct TileSample {
    /// The counts of a window in this many tiles are read in about 10 ms.
    static let maxTiles = 256

    let tiles: [TileKey]

    /// All occupied tiles of a zoom level; nil if there are more than a sample may have.
    init?(whole zoom: ZoomLevel, _ reader: GridReader) throws {
        let tiles = try reader.occupiedTiles(zoom: zoom, after: nil, limit: Self.maxTiles + 1)
        guard tiles.count <= Self.maxTiles else { return nil }
        self.tiles = tiles
    }

    /// The sample of the next zoom level: the children of this sample's tiles, or some of them if they are too many.
    func deeper(_ reader: GridReader) throws -> TileSample {
        let children = try tiles.flatMap { tile -> [TileKey] in
            try tile.tile.children.compactMap { TileKey($0) }.filter { try reader.contentDigest(of: $0) != 0 }
        }
        return TileSample(drawnFrom: children)
    }

    /// A sample of the tiles in which some tracks have fragments.
    init(of tracks: TrackSet, zoom: ZoomLevel, _ reader: GridReader) throws {
        self.init(drawnFrom: try reader.tiles(of: tracks, zoom: zoom).map { TileKey(zoom: zoom.number, morton: $0) })
    }

    /// How many cells of the sample have each count.
    func histogram(_ query: CountQuery, _ reader: GridReader) throws -> CountHistogram {
        var histogram = CountHistogram()
        var tileReader = TileReader()
        for tile in tiles {
            for count in try reader.counts(of: tile, query, using: &tileReader).counts {
                histogram.add(count: count, cells: 1)
            }
        }
        return histogram
    }

    /// All of these tiles, or some if they are too many.
    private init(drawnFrom tiles: [TileKey]) {
        guard tiles.count > Self.maxTiles else {
            self.tiles = tiles
            return
        }
        let drawn = tiles.sorted { (Self.hashPriority(of: $0), $0.packed) < (Self.hashPriority(of: $1), $1.packed) }
        self.tiles = Array(drawn.prefix(Self.maxTiles))
    }

    /// A pseudorandom number that depends on the key alone, by the mixing function of SplitMix64.
    private static func hashPriority(of key: TileKey) -> UInt64 {
        SplitMix64.mixed(key.packed &+ SplitMix64.increment)
    }
}
