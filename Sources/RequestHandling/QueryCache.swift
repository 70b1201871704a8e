import Caching
import GridStorage
import HTTPCore
package import TrackStore

/// The answers to queries of the grid, each computed once for a state of the grid; requests of the same query wait for
/// it. Answers of earlier states are dropped before the server publishes that nothing in its memory is older than the
/// library.
package final class QueryCache<Query: Hashable & Sendable, Answer: Sendable>: Sendable {
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
    package init(
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
    package func answer(to query: Query) throws -> Answer {
        guard let state = try library.grid.read({ try $0.state() }) else {
            throw Problem.unavailable("the map is being built", retryAfterSeconds: 1)
        }
        return try answers.value(for: Key(query: query, state: state), cost: cost) { try compute(library, query) }
    }
}
