import Countries
import HTTPCore
import OpenAPI
import RequestHandling
import TrackStore
import Tracks

/// Answers `/v1/countries` and the intervals of a country: where somebody was.
struct CountriesHandler: RequestHandler {
    let context: HandlerContext
    let ledgers: CountryLedgers

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/countries", for: .read, as: Self.countries, countries)
        routes.on(.get, "/v1/countries/{code}", for: .read, as: Self.country, intervals)
    }

    private func countries(_ request: Request) throws -> HandlerResult {
        try context.answer(request) { try ledgers.answer(to: try $0.countries($1)).json }
    }

    private func intervals(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        try context.answer(request) { parameters, calendar in
            let query = try parameters.countries(calendar)
            guard let country = CountryList(query.view).country(code: path["code"]) else {
                throw Problem.notFound("no country has this code; /v1/countries lists those of the tracks")
            }
            return try context.library.json(intervalsOf: country, in: try ledgers.answer(to: query))
        }
    }

    private static let parameters =
        [
            APIParameter("by", .words(of: LedgerGrouping.self, default: .country), "What counts as one"), .countryView,
        ] + .window + [.layer, .person]

    private static let countries = APIOperation(
        "the countries or regions of the tracks", .statistics,
        detail: "With their status, distinct days and nights, and the distance in and above them.",
        parameters: parameters, answers: [APIResponse("The countries", .json(countriesSchema))],
        traits: [.canBeMissing, .hasETag])

    private static let country = APIOperation(
        "when somebody was in a country", .statistics,
        detail: "A country in which nobody was has an empty list; an unknown code is a 404.",
        parameters: [
            APIParameter(
                "code", .pattern("^([A-Za-z]{2}|[Xx]-[A-Za-z]{3})$"),
                "ISO 3166-1 with two letters, or `X-` and Natural Earth's three letters", in: .path, example: "NL")
        ] + parameters, answers: [APIResponse("The intervals", .json(.list(countryInterval)))],
        traits: [.canBeMissing, .hasETag])

    private static let status = APISchema.words(of: CountryStatus.self)
    private static let metres = APISchema.object([("metres", .amount)])

    private static let countriesSchema = APISchema.object([
        ("by", .text()), ("view", .text()),
        (
            "countries",
            .list(
                .object([
                    ("code", .text()), ("name", .text()), ("region?", .text().orNull), ("status", status),
                    ("first", .text().orNull), ("last", .text().orNull), ("days", .count), ("nights", .count),
                    ("metres", .amount),
                ]))
        ), ("sea", metres), ("unknown", metres), ("source?", .text()),
    ]).named("Countries")

    private static let countryInterval = APISchema.object([
        ("person", .text()), ("region", .text().orNull), ("enter", .text().orNull), ("leave", .text().orNull),
        ("status", status), ("metres", .amount), ("tracks", .list(.text())),
    ]).named("CountryInterval")
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
        query.tracks.layer = try layer() ?? query.tracks.layer
        query.tracks.person = self["person"]
        return query
    }
}

extension APIParameter {
    static let countryView = APIParameter(
        "view", .words(of: CountryView.self, default: .ne),
        "Whether areas without a code of ISO 3166-1 are listed (`ne`) or count for the country that ISO lists")
}
