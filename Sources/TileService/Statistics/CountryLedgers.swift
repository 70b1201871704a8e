import Caching
import Countries
import Digest
import HTTPCore
import TrackStore
import Tracks

/// The ledgers of countries of queries, each computed once for a state of the library: figures and tiles share them.
final class CountryLedgers: Sendable {
    private struct Key: Hashable, Sendable {
        var query: CountriesQuery
        var revision: Int64
        var digest: ContentDigest
    }

    private let library: Library
    private let ledgers = SharedCache<Key, CountryLedger>(costLimit: cacheBytes)

    private static let cacheBytes = 16 << 20
    /// Bytes of an interval with its dates.
    private static let intervalBytes = 250

    init(_ library: Library) { self.library = library }

    /// The ledger of a query. Throws a `404` for a layer or person that does not exist.
    func ledger(_ query: CountriesQuery) throws -> CountryLedger {
        guard let state = try library.grid.read({ try $0.state() }) else {
            throw Problem.unavailable("the map is being built", retryAfterSeconds: 1)
        }
        let key = Key(query: query, revision: state.revision, digest: state.digest)
        do {
            return try ledgers.value(for: key, cost: { ($0.intervals.count + 1) * Self.intervalBytes }) {
                try library.countries(query, for: .owner)
            }
        } catch let error as TotalsError {
            throw Problem.notFound(error.description)
        }
    }
}
