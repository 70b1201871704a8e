import Caching
import Countries
import Digest
import HTTPCore
import Statistics
import TrackStore
import Tracks

/// The answers to queries of the grid, each computed once for a state of the library.
final class QueryCache<Query: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// A query in one state of the library.
    private struct Key: Hashable, Sendable {
        var query: Query
        var revision: Int64
        var digest: ContentDigest
    }

    private let library: Library
    private let answers: SharedCache<Key, Answer>
    private let cost: @Sendable (Answer) -> Int
    private let compute: @Sendable (Library, Query) throws -> Answer

    /// Creates a cache of `costLimit` bytes; `cost` is that of one answer.
    init(
        _ library: Library, costLimit: Int, cost: @escaping @Sendable (Answer) -> Int,
        compute: @escaping @Sendable (Library, Query) throws -> Answer
    ) {
        self.library = library
        self.cost = cost
        self.compute = compute
        answers = SharedCache(costLimit: costLimit)
    }

    /// The answer to a query. Throws a `404` for a layer or person that does not exist.
    func answer(to query: Query) throws -> Answer {
        guard let state = try library.grid.read({ try $0.state() }) else {
            throw Problem.unavailable("the map is being built", retryAfterSeconds: 1)
        }
        do {
            let key = Key(query: query, revision: state.revision, digest: state.digest)
            return try answers.value(for: key, cost: cost) { try compute(library, query) }
        } catch let error as TotalsError {
            throw Problem.notFound(error.description)
        }
    }
}

/// Visited tiles with their squares and clusters: figures, tiles and reviews share them.
typealias ExplorerMaps = QueryCache<ExplorerQuery, ExplorerMap>
/// The countries that were visited: figures and tiles share them.
typealias CountryLedgers = QueryCache<CountriesQuery, CountryLedger>

extension ExplorerMaps {
    /// Creates a cache for some maps of a large library. 100,000 tiles take 1 MB.
    convenience init(_ library: Library) {
        self.init(
            library, costLimit: 32 << 20, cost: { 10 * ($0.tiles.tiles.count + 1) },
            compute: { try $0.explorerMap($1, for: .owner) })
    }
}

extension CountryLedgers {
    /// Creates a cache for some ledgers. An interval with its dates takes 250 bytes.
    convenience init(_ library: Library) {
        self.init(
            library, costLimit: 16 << 20, cost: { 250 * ($0.intervals.count + 1) },
            compute: { try $0.countries($1, for: .owner) })
    }
}
