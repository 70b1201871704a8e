import HTTPCore
import Locking
import OpenAPI
import PrimaryStore
import Replay
import RequestHandling
import Text
import TrackStore

/// What apps for Dawarich ask when they connect: its Android app `health` and `users/me`, Home Assistant's integration
/// `health` and `stats`.
struct DawarichHandler: RequestHandler {
    let context: HandlerContext
    /// The statistics of a revision: Home Assistant asks for them every few minutes.
    private let statistics = Locked<(revision: String, bytes: [UInt8])?>(nil)

    /// The first version of Dawarich that has all paths which are answered here.
    private static let version = "1.7.1"

    func add(to routes: inout Routes) {
        let handler = self
        routes.on(.get, "/dawarich/api/v1/health", for: .nothing, as: Self.dawarichHealth) { request, _ in
            let state = request.caller.canRead ? "alive and authenticated" : "alive"
            return .response(
                Self.answer(
                    "{\"status\":\"ok\"}", [ResponseHeader(HeaderName("X-Dawarich-Response"), "Hey, I'm \(state)!")]))
        }
        routes.on(.get, "/dawarich/api/v1/users/me", for: .read, as: Self.dawarichUser) { request, _ in
            .response(Self.answer(Self.user(request.caller)))
        }
        routes.on(.get, "/dawarich/api/v1/stats", for: .read, as: Self.dawarichStatistics) { _, _ in
            handler.context.queues.long.answerCancellably { isDisconnected in
                .response(Self.answer(String(decoding: try handler.statistics(isDisconnected), as: UTF8.self)))
            }
        }
    }

    private static func answer(_ json: String, _ headers: [ResponseHeader] = []) -> Response {
        var response = Acknowledgement.json(json)
        response.headers += headers + [ResponseHeader(HeaderName("X-Dawarich-Version"), version)]
        return response
    }

    private static func user(_ caller: Caller) -> String {
        var name = "owner"
        switch caller {
        case .recorder(_, let person?), .member(let person): name = person
        case .viewer: name = "viewer"
        default: break
        }
        var json = JSONWriter()
        json.object { json in
            json.object("user") { json in
                json.add("email", name)
                json.add("theme", "light")
            }
        }
        return json.text
    }

    // MARK: Statistics

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    private struct Year {
        let year: Int
        /// By month.
        var metres = [Double](repeating: 0, count: 12)

        init(_ days: RecordedDays, year: Int) {
            self.year = year
            for (day, totals) in days.totals {
                metres[CivilDay(daysSince1970: day).month - 1] += totals.metres
            }
        }
    }

    private func statistics(_ isDisconnected: @escaping WorkQueue.DisconnectCheck) throws -> [UInt8] {
        let source = try TrackReplaySource(
            context.library, layer: ReplayQuery.everyTrack, isCancelled: isDisconnected)
        guard let source else { throw Problem.internalServerError }
        let revision = try source.revision()
        if let known = statistics.withLock({ $0 }), known.revision == revision { return known.bytes }
        let calendar = try context.library.calendar()
        var years: [Year] = []
        var year: Int? = QueryParameters.years.upperBound
        while let wanted = year {
            let days = try RecordedDays(year: wanted, in: calendar, source: source)
            if !days.totals.isEmpty { years.append(Year(days, year: wanted)) }
            year = days.neighbours.previous?.year
        }
        let bytes = Self.json(years, points: try context.library.database.totals().points)
        statistics.withLock { $0 = (revision, bytes) }
        return bytes
    }

    /// Countries and cities are not known.
    private static func json(_ years: [Year], points: Int) -> [UInt8] {
        func add(_ json: inout JSONWriter, _ members: [(String, Int)]) {
            for (name, value) in members {
                json.add(name, value)
            }
        }
        func kilometres(_ metres: Double) -> Int { Int((metres / 1000).rounded()) }
        var json = JSONWriter()
        json.object { json in
            add(
                &json,
                [
                    ("totalDistanceKm", kilometres(years.flatMap(\.metres).reduce(0, +))),
                    ("totalPointsTracked", points), ("totalReverseGeocodedPoints", 0), ("totalCountriesVisited", 0),
                    ("totalCitiesVisited", 0),
                ])
            json.array("yearlyStats", years) { json, year in
                json.object { json in
                    add(
                        &json,
                        [
                            ("year", year.year), ("totalDistanceKm", kilometres(year.metres.reduce(0, +))),
                            ("totalCountriesVisited", 0), ("totalCitiesVisited", 0),
                        ])
                    json.object("monthlyDistanceKm") { json in
                        add(&json, zip(months, year.metres).map { ($0, kilometres($1)) })
                    }
                }
            }
        }
        return json.bytes
    }

    private static let dawarichHealth = APIOperation(
        "whether apps for Dawarich can connect", .recording, answers: [APIResponse("They can", .json)])

    private static let dawarichUser = APIOperation(
        "the person of the token, else its role, for apps for Dawarich", .recording,
        answers: [APIResponse("The user", .json)]
    ).secured(by: .dawarich)

    private static let dawarichStatistics = APIOperation(
        "totals by year and month, for apps for Dawarich", .recording, answers: [APIResponse("The totals", .json)]
    ).secured(by: .dawarich)
}
