import Charts
import Digest
import HTTPCore
import OpenAPI
import PrimaryStore
import RequestHandling
import Statistics
import Styling
import TrackStore

/// Answers `/v1/stats`: totals by day, week, month or year, as data and as charts.
struct StatisticsHandler: RequestHandler {
    let context: HandlerContext
    let maps: ExplorerMaps
    let ledgers: CountryLedgers
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    private enum Form: String, CaseIterable {
        case json = ""
        case csv = ".csv"
        case svg = ".svg"
        case png = ".png"

        var mediaType: String {
            switch self {
            case .json: "application/json"
            case .csv: "text/csv; charset=utf-8"
            case .svg: "image/svg+xml"
            case .png: "image/png"
            }
        }
    }

    func add(to routes: inout Routes) {
        for form in Form.allCases {
            routes.on(.get, "/v1/stats\(form.rawValue)", for: .read, as: Self.operation(of: form)) { request, _ in
                try totals(request, as: form)
            }
        }
        routes.on(.get, "/v1/stats/year/{year}", for: .read, as: Self.yearReview, year)
    }

    /// The totals by period.
    private func totals(_ request: Request, as form: Form) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        let query = try parameters.totals()
        let chart = try ChartParameters(parameters)
        let queue = form == .png && chart.isLarge ? context.queues.posters : context.queues.reading
        return queue.answer {
            let library = context.library
            _ = try parameters.window(try library.calendar())
            let report = try library.totals(query, now: now())
            let json = report.json(zone: try library.database.zone())
            let body =
                switch form {
                case .json: json
                case .csv: report.csv
                case .svg: try chart.chart(of: report).svg()
                case .png: try chart.chart(of: report).png(scale: chart.scale)
                }
            // Two SVG documents of the same chart differ, because cairo numbers their elements.
            let tag = ETag(ContentDigest(of: json + Array("\(form)\(chart)".utf8)))
            return validated(.content(body, type: form.mediaType), for: request, tag: form == .svg ? tag : nil)
        }
    }

    /// The review of a year.
    private func year(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        let query = try parameters.totals()
        let text = path["year"]
        guard text.utf8.count == 4, let year = QueryParameters.digits(text), QueryParameters.years.contains(year) else {
            throw Problem.notFound("a year has four digits, such as 2024")
        }
        return context.queues.reading.answer {
            let library = context.library
            let found = try library.review(ofYear: year, query, now: now())
            let firsts = YearFirsts(
                tiles: try maps.answer(to: query.explorer(inYear: year, try library.calendar())).newCount,
                countries: try ledgers.answer(to: query.countries).firstVisits(inYear: year))
            let json = found.review.json(
                zone: try library.database.zone(), longestTrack: found.track.map { ($0.id, $0.name) }, firsts)
            return validated(JSONResponse.response(bytes: json), for: request)
        }
    }

    private static let parameters =
        [
            APIParameter(
                "by", .words(of: PeriodLength.self, default: .month),
                "The length of the periods; weeks are those of ISO 8601")
        ] + .window + [.layer, .person, .activity]

    private static let chartParameters =
        parameters + [
            APIParameter("value", .words(of: ChartedValue.self, default: .metres), "What the bars show"),
            .theme("The background"),
            APIParameter(
                "size", .pattern("^\(side)x\(side)$"),
                "Width and height in pixels, \(BarChart.sides.lowerBound) to \(BarChart.sides.upperBound) each",
                example: "960x400"),
        ]

    private static let side = "(\(NumberPattern.integers(BarChart.sides)))"

    private static func operation(of form: Form) -> APIOperation {
        func same(_ name: String, _ parameters: [APIParameter], _ answer: APIResponse) -> APIOperation {
            APIOperation(
                "the same as \(name)", .statistics, parameters: parameters, answers: [answer],
                traits: [.canBeMissing, .hasETag])
        }
        let scale = APIParameter("scale", .choice(["1", "2"], default: "2"), "Pixels for each pixel of the size")
        switch form {
        case .json:
            return APIOperation(
                "totals by day, week, month or year", .statistics,
                detail: "Days are those of the library's time zone. A window of instants means the days of these.",
                parameters: parameters, answers: [APIResponse("The totals", .json(totals))],
                traits: [.canBeMissing, .hasETag])
        case .csv: return same("CSV", parameters, APIResponse("The totals", APIContent("text/csv")))
        case .svg:
            return same("a chart, SVG", chartParameters, APIResponse("The chart", APIContent("image/svg+xml")))
        case .png: return same("a chart, PNG", chartParameters + [scale], APIResponse("The chart", .png))
        }
    }

    private static let yearReview = APIOperation(
        "the review of a year", .statistics,
        parameters: [
            APIParameter("year", .integer(QueryParameters.years), "The year", in: .path, example: "2024"), .layer,
            .person, .activity,
        ], answers: [APIResponse("The review", .json)], traits: [.canBeMissing, .hasETag])

    private static let sums: [(String, APISchema)] = [
        ("tracks", .count), ("metres", .amount), ("seconds", .amount), ("movingSeconds", .amount), ("climb", .amount),
        ("days", .count),
    ]
    private static let eddington = APISchema.object([("number", .count), ("missing", .integer(1...Int.max))])

    private static let totals = APISchema.object([
        ("by", .text()), ("zone", .text()), ("rows", .list(.object([("period", .text()), ("from", .text())] + sums))),
        ("total", .object(sums)), ("untimed", .object(sums)),
        ("activities", .list(.object([("activity", .text().orNull)] + sums))),
        (
            "streak",
            .object([("longest", .count), ("from", .text().orNull), ("to", .text().orNull), ("current", .count)])
        ), ("eddington", .object([("km", eddington), ("mi", eddington)])),
    ]).named("Totals")
}

/// The parameters of a chart.
private struct ChartParameters: Sendable {
    var value = ChartedValue.metres
    var theme = Theme.light
    var size = BarChart.defaultSize
    /// Pixels of a PNG for each pixel of the size.
    var scale = 2

    init(_ parameters: QueryParameters) throws(Problem) {
        value = try parameters.choice("value") ?? value
        theme = try parameters.choice("theme") ?? theme
        scale = try parameters.value("scale", "1 or 2") { ["1": 1, "2": 2][$0] } ?? scale
        size = try parameters.size("size", in: BarChart.sides) ?? size
    }

    /// Whether a PNG takes as long as a poster.
    var isLarge: Bool { BarChart.isLarge(width: size.width, height: size.height, scale: scale) }

    func chart(of report: TotalsReport) -> BarChart {
        var chart = BarChart(report, showing: value)
        chart.theme = theme
        (chart.width, chart.height) = size
        return chart
    }
}

extension QueryParameters {
    /// Reads `by`, `from`, `to`, `layer`, `person` and `activity`.
    fileprivate func totals() throws(Problem) -> TotalsQuery {
        var query = TotalsQuery()
        query.length = try choice("by") ?? query.length
        query.from = try date("from")
        query.to = try date("to")
        query.tracks.layer = try layer() ?? query.tracks.layer
        query.tracks.person = self["person"]
        query.tracks.activity = self["activity"]
        return query
    }
}

extension APITag {
    static let statistics = APITag("statistics", "Totals by time, with charts")
}
