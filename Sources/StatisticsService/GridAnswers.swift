import Countries
import HTTPCore
import RequestHandling
import Statistics
import TrackStore
import Tracks

extension HandlerContext {
    /// Answers with JSON that `json` makes of the parameters, once there is a map.
    func answer(
        _ request: Request, json: @escaping @Sendable (QueryParameters, DayCalendar) throws -> [UInt8]
    ) throws -> HandlerResult {
        try checkReadiness()
        let parameters = try QueryParameters(request.target)
        return queues.reading.answer { [library] in
            validated(JSONResponse.response(bytes: try json(parameters, try library.calendar())), for: request)
        }
    }
}

/// Visited tiles with their squares and clusters: figures, tiles and reviews share them.
typealias ExplorerMaps = QueryCache<ExplorerQuery, ExplorerMap>
/// The countries that were visited: figures and tiles share them.
typealias CountryLedgers = QueryCache<CountriesQuery, CountryLedger>
/// All stays; a window of them is selected fast.
typealias AllStays = QueryCache<AllPersons, [PersonStays]>

/// The key of the only answer of `AllStays`.
struct AllPersons: Hashable {}

extension ExplorerMaps {
    /// Creates a cache for some maps of a large library. 100,000 tiles take 1 MB.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 32 << 20, cost: { 10 * ($0.tiles.tiles.count + 1) },
            compute: { try $0.explorerMap($1) })
    }
}

extension CountryLedgers {
    /// Creates a cache for some ledgers. An interval with its dates takes 250 bytes.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 16 << 20, cost: { 250 * ($0.intervals.count + 1) },
            compute: { try $0.countries($1) })
    }
}

extension AllStays {
    /// Creates a cache for all stays of a large library. A stay takes 64 bytes.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 32 << 20, cost: { $0.reduce(1) { $0 + $1.stays.count } * 64 },
            compute: { library, _ in try library.stays() })
    }
}
