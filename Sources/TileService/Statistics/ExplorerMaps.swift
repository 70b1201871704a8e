import Caching
import Digest
import HTTPCore
import Statistics
import TrackStore
import Tracks

/// The explorer's maps of queries, each computed once for a state of the library: figures, tiles and reviews share them.
final class ExplorerMaps: Sendable {
    /// A query in one state of the library.
    private struct Key: Hashable, Sendable {
        var query: ExplorerQuery
        var revision: Int64
        var digest: ContentDigest
    }

    private let library: Library
    private let maps = SharedCache<Key, ExplorerMap>(costLimit: cacheBytes)

    /// Some maps of a large library: 100,000 tiles take 1 MB.
    private static let cacheBytes = 32 << 20
    /// Bytes of a tile in a map.
    private static let tileBytes = 10

    init(_ library: Library) { self.library = library }

    /// The map of a query. Throws a `404` for a layer or person that does not exist.
    func map(_ query: ExplorerQuery) throws -> ExplorerMap {
        guard let state = try library.grid.read({ try $0.state() }) else {
            throw Problem.unavailable("the map is being built", retryAfterSeconds: 1)
        }
        let key = Key(query: query, revision: state.revision, digest: state.digest)
        do {
            return try maps.value(for: key, cost: { $0.tiles.tiles.count * Self.tileBytes + Self.tileBytes }) {
                try library.explorerMap(query, for: .owner)
            }
        } catch let error as TotalsError {
            throw Problem.notFound(error.description)
        }
    }
}
