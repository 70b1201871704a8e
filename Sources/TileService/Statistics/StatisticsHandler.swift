import Charts
import Digest
import HTTPCore
internal import PrimaryStore
import RequestHandling
import Statistics
import Styling
import TrackStore
import Tracks

/// Answers `/v1/stats`: totals by day, week, month or year, as data and as charts.
struct StatisticsHandler: Sendable {
    private let context: HandlerContext
    private let maps: ExplorerMaps
    private let ledgers: CountryLedgers
    /// Milliseconds since 1970.
    private let now: @Sendable () -> Int64

    init(
        _ context: HandlerContext, _ maps: ExplorerMaps, _ ledgers: CountryLedgers, now: @escaping @Sendable () -> Int64
    ) {
        self.context = context
        self.maps = maps
        self.ledgers = ledgers
        self.now = now
    }

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

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        for form in Form.allCases {
            routes.on(.get, "/v1/stats\(form.rawValue)", for: .read) { request, _ in try totals(request, as: form) }
        }
        routes.on(.get, "/v1/stats/year/{year}", for: .read) { request, path in
            try year(request, path["year"] ?? "")
        }
    }

    /// The totals by period.
    private func totals(_ request: Request, as form: Form) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        let query = try parameters.totals()
        let chart = try ChartParameters(parameters)
        return context.queues.reading.answer {
            let library = context.library
            _ = try parameters.window(try library.calendar())
            let report = try library.totals(query, for: .owner, now: now())
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
    private func year(_ request: Request, _ text: String) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        let query = try parameters.totals()
        guard text.utf8.count == 4, let year = QueryParameters.digits(text), QueryParameters.years.contains(year) else {
            throw Problem.notFound("a year has four digits, such as 2024")
        }
        return context.queues.reading.answer {
            let library = context.library
            let found = try library.review(ofYear: year, query, for: .owner, now: now())
            let firsts = YearFirsts(
                tiles: try maps.answer(to: query.explorer(inYear: year, try library.calendar())).newCount,
                countries: try ledgers.answer(to: query.countries).firstVisits(inYear: year))
            let json = found.review.json(
                zone: try library.database.zone(), longestTrack: found.track.map { ($0.id, $0.name) }, firsts)
            return validated(JSONResponse.response(bytes: json), for: request)
        }
    }
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
        scale = try parameters.number("scale", in: 1...2) ?? scale
        guard let text = parameters["size"] else { return }
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { QueryParameters.digits($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], BarChart.sides.contains(width),
            BarChart.sides.contains(height)
        else {
            let (least, most) = (BarChart.sides.lowerBound, BarChart.sides.upperBound)
            throw Problem.badRequest("size has to be WxH in pixels, \(least) to \(most) each")
        }
        size = (width, height)
    }

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
        query.tracks.layer = self["layer"] ?? query.tracks.layer
        query.tracks.person = self["person"]
        query.tracks.activity = self["activity"]
        return query
    }
}
