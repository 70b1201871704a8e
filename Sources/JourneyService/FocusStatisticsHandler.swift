import Charts
import Digest
import HTTPCore
import Journeys
import OpenAPI
import PrimaryStore
import RequestHandling
import Statistics
import Styling
import Text
import TrackStore

/// Answers `/v1/journeys/stats`: time of focus by day, week, month or year, as data and as charts.
struct FocusStatisticsHandler: RequestHandler {
    let context: HandlerContext
    let book: JourneyBook

    private enum Form: String, CaseIterable {
        case json = ""
        case csv = ".csv"
        case svg = ".svg"
        case png = ".png"

        var type: String {
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
            routes.on(.get, "/v1/journeys/stats\(form.rawValue)", for: .read, as: Self.operation(form)) { request, _ in
                try answer(request, form)
            }
        }
    }

    private func answer(_ request: Request, _ form: Form) throws -> HandlerResult {
        let caller = try LibraryPerson.required(request.caller, for: JourneyProblem.things)
        let parameters = try QueryParameters(request.target)
        let length: PeriodLength = try parameters.choice("by") ?? .day
        let theme: Theme = try parameters.choice("theme") ?? .light
        let size = try parameters.size("size", in: Self.sides) ?? BarChart.defaultSize
        let scale = try parameters.value("scale", "1 or 2") { ["1": 1, "2": 2][$0] } ?? 2
        return context.queues.reading.answer {
            let library = context.library
            let person = try parameters["person"].map { try book.person($0, for: caller) } ?? caller.name
            let sessions = try library.database.read { try $0.sessions(of: person) }.map(\.session)
            let statistics = FocusStatistics(sessions, by: length, in: try library.calendar(), at: book.now())
            let json = statistics.json(by: length, zone: try library.database.zone())
            var response: Response
            var tag: ETag?
            switch form {
            case .json: response = .content(json, type: form.type)
            case .csv: response = .content(statistics.csv, type: form.type)
            case .svg, .png:
                var chart = BarChart(statistics, by: length)
                chart.theme = theme
                (chart.width, chart.height) = size
                response = .content(form == .svg ? try chart.svg() : try chart.png(scale: scale), type: form.type)
                // Two SVG documents of the same chart differ, because cairo numbers their elements.
                tag = ETag(ContentDigest(of: json + Array("\(form)\(theme)\(size)\(scale)".utf8)))
            }
            return validated(response, for: request, tag: tag)
        }
    }

    /// A chart of these sides is drawn as a whole.
    private static let sides = BarChart.sides.lowerBound...1024
    private static let side = NumberPattern.integers(sides)

    private static func operation(_ form: Form) -> APIOperation {
        let period = [
            APIParameter(
                "by", .words(of: PeriodLength.self, default: .day),
                "The length of the periods; weeks are those of ISO 8601"),
            APIParameter(
                "person", .text(), "The name of a person, `owner` for the owner of the library; the caller without it"),
        ]
        let chart = [
            APIParameter.theme("The background"),
            APIParameter(
                "size", .pattern("^(\(side))x(\(side))$"),
                "Width and height in pixels, \(sides.lowerBound) to \(sides.upperBound) each", example: "960x400"),
            APIParameter("scale", .choice(["1", "2"], default: "2"), "Pixels of a PNG for each pixel of the size"),
        ]
        let answer = form == .json ? APIContent.json(schema) : APIContent(form == .csv ? "text/csv" : form.type)
        return APIOperation(
            form == .json ? "time of focus by day, week, month or year" : "the same as \(form.rawValue.dropFirst())",
            .journeys,
            detail:
                "Days are those of the library's time zone; a session is split at midnight, and counted where it began.",
            parameters: form == .json || form == .csv ? period : period + chart,
            answers: [APIResponse("The time of focus", answer)], traits: [.canBeMissing, .hasETag])
    }

    private static let sums: [(String, APISchema)] = [("seconds", .amount), ("sessions", .count)]
    private static let schema = APISchema.object([
        ("by", .text()), ("zone", .text()), ("rows", .list(.object([("period", .text()), ("from", .text())] + sums))),
        ("total", .object(sums)),
    ]).named("FocusStatistics")
}

extension FocusStatistics {
    fileprivate func json(by length: PeriodLength, zone: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("by", length.rawValue)
            json.add("zone", zone)
            json.array("rows", rows) { json, row in
                json.object { json in
                    json.add("period", row.period.text)
                    json.add("from", InstantFormatter.text(CivilDay(daysSince1970: row.period.firstDay)))
                    json.add("seconds", row.milliseconds, places: 3)
                    json.add("sessions", row.sessions)
                }
            }
            json.object("total") { json in
                json.add("seconds", milliseconds, places: 3)
                json.add("sessions", sessions)
            }
        }
        json.raw("\n")
        return json.bytes
    }

    fileprivate var csv: [UInt8] {
        var json = JSONWriter()
        json.raw("period,from,seconds,sessions\n")
        for row in rows {
            json.raw("\(row.period.text),\(InstantFormatter.text(CivilDay(daysSince1970: row.period.firstDay))),")
            json.add(row.milliseconds, places: 3)
            json.raw(",\(row.sessions)\n")
        }
        return json.bytes
    }
}

extension BarChart {
    /// Hours of focus: one bar for each period from the first to the last with some.
    fileprivate init(_ statistics: FocusStatistics, by length: PeriodLength) {
        let minutes = statistics.milliseconds / 60_000
        let count = statistics.sessions
        self.init(
            title: "Focus by \(length.rawValue)",
            subtitle: "\(minutes / 60) h \(minutes % 60) min · \(count) \(count == 1 ? "session" : "sessions")",
            unit: "h",
            bars: Self.bars(statistics.rows.map { ($0.period, Double($0.milliseconds) / 3_600_000) }))
    }
}
