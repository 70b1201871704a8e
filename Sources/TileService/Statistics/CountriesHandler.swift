import Countries
import HTTPCore
import RequestHandling
import TrackStore
import Tracks

/// Answers `/v1/countries` and the intervals of a country: where somebody was.
struct CountriesHandler: Sendable {
    private let context: HandlerContext
    private let ledgers: CountryLedgers

    init(_ context: HandlerContext, _ ledgers: CountryLedgers) {
        self.context = context
        self.ledgers = ledgers
    }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/countries", for: .read) { request, _ in try countries(request) }
        routes.on(.get, "/v1/countries/{code}", for: .read) { request, path in
            try intervals(request, path["code"] ?? "")
        }
    }

    private func countries(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.reading.answer {
            let query = try parameters.countries(try context.library.calendar())
            return validated(JSONResponse.response(bytes: try ledgers.answer(to: query).json), for: request)
        }
    }

    private func intervals(_ request: Request, _ code: String) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.reading.answer {
            let query = try parameters.countries(try context.library.calendar())
            guard let country = CountryList(query.view).country(code: code) else {
                throw Problem.notFound("no country has this code; /v1/countries lists those of the tracks")
            }
            let json = try context.library.json(intervalsOf: country, in: try ledgers.answer(to: query))
            return validated(JSONResponse.response(bytes: json), for: request)
        }
    }
}

extension QueryParameters {
    /// Reads `view`.
    func countryView() throws(Problem) -> CountryView? { try choice("view") }

    /// Reads `by`, `from`, `to`, `layer`, `person` and `view`; of tiles, `asof`, too.
    func countries(_ calendar: DayCalendar, isTile: Bool = false) throws(Problem) -> CountriesQuery {
        var query = CountriesQuery()
        query.grouping = try choice("by") ?? query.grouping
        query.view = try countryView() ?? query.view
        (query.from, query.to) = try window(calendar, takesAsOf: isTile)
        query.tracks.layer = self["layer"] ?? query.tracks.layer
        query.tracks.person = self["person"]
        return query
    }
}
