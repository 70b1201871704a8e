import Caching
import Countries
import GridStorage
import HTTPCore
import Statistics
import Stays
import TrackStore
import Tracks

/// The answers to queries of the grid, each computed once for a state of the grid; requests of the same query wait for
/// it. Answers of earlier states are dropped before the server publishes that nothing in its memory is older than the
/// library.
final class QueryCache<Query: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// A query in one state of the grid.
    private struct Key: Hashable, Sendable {
        var query: Query
        var state: GridState
    }

    private let library: Library
    private let answers: SharedCache<Key, Answer>
    private let cost: @Sendable (Answer) -> Int
    private let compute: @Sendable (Library, Query) throws -> Answer

    /// Creates a cache of `costLimit` bytes; `cost` is that of one answer.
    init(
        _ context: HandlerContext, costLimit: Int, cost: @escaping @Sendable (Answer) -> Int,
        compute: @escaping @Sendable (Library, Query) throws -> Answer
    ) {
        library = context.library
        self.cost = cost
        self.compute = compute
        answers = SharedCache(costLimit: costLimit)
        context.changes.beforePublishing { [library, answers] in
            let state = try library.grid.read { try $0.state() }
            answers.invalidate { key, _ in key.state != state }
        }
    }

    /// The answer to a query. Throws a `404` for a layer or person that does not exist.
    func answer(to query: Query) throws -> Answer {
        guard let state = try library.grid.read({ try $0.state() }) else {
            throw Problem.unavailable("the map is being built", retryAfterSeconds: 1)
        }
        return try answers.value(for: Key(query: query, state: state), cost: cost) { try compute(library, query) }
    }
}

/// Visited tiles with their squares and clusters: figures, tiles and reviews share them.
typealias ExplorerMaps = QueryCache<ExplorerQuery, ExplorerMap>
/// The countries that were visited: figures and tiles share them.
typealias CountryLedgers = QueryCache<CountriesQuery, CountryLedger>
/// All stays; a window of them is selected fast.
typealias AllStays = QueryCache<Viewer, [PersonStays]>

extension ExplorerMaps {
    /// Creates a cache for some maps of a large library. 100,000 tiles take 1 MB.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 32 << 20, cost: { 10 * ($0.tiles.tiles.count + 1) },
            compute: { try $0.explorerMap($1, for: .owner) })
    }
}

extension CountryLedgers {
    /// Creates a cache for some ledgers. An interval with its dates takes 250 bytes.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 16 << 20, cost: { 250 * ($0.intervals.count + 1) },
            compute: { try $0.countries($1, for: .owner) })
    }
}

extension AllStays {
    /// Creates a cache for all stays of a large library. A stay takes 64 bytes.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 32 << 20, cost: { $0.reduce(1) { $0 + $1.stays.count } * 64 },
            compute: { try $0.stays(for: $1) })
    }
}
