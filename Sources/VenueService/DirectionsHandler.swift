import HTTPCore
import Locking
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TileMath
import TrackStore
import Venues

/// Answers `/v1/directions`: the way from one place of a venue to another.
struct DirectionsHandler: RequestHandler {
    let context: HandlerContext
    let venues: KnownVenues

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/directions", for: .read, as: Self.directions) { request, _ in
            let parameters = try QueryParameters(request.target)
            return context.queues.reading.answer {
                var response = JSONResponse.response(try route(parameters))
                // What is closed changes with time.
                response.forbidStoring()
                return .response(response)
            }
        }
    }

    private func route(_ parameters: QueryParameters) throws -> JSONObject {
        let via = parameters["via"]?.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        let texts = try [stop("from", parameters)] + (via ?? []) + [stop("to", parameters)]
        // Before a venue is looked for: what is wrong in every venue.
        for text in texts where !Self.isStop(text) {
            throw Problem.badRequest(Self.noStop)
        }
        let profile = try parameters.value("profile", "walk, wheelchair or nolift") { RouteProfile(rawValue: $0) }
        let isStepFree = try parameters.value("accessible", "0 or 1") { ["0": false, "1": true][$0] } ?? false
        let id = try parameters.value("venue", "the id of a venue") { FeatureID($0)?.description }
        let known = try venue(of: texts, named: id)
        let stops = try texts.map { try Self.stop($0, in: known) }
        guard case .success(let graph) = known.graph.value else {
            throw Problem.unavailable("the ways through this venue cannot be computed", retryAfterSeconds: 60)
        }
        let now = TrackDatabase.systemClock()
        let closed = try context.library.database.read { try $0.closures(ofVenue: known.summary.id) }
            .filter { $0.until > now }.compactMap { FeatureID($0.feature) }
        let router = VenueRouter(known.venue, places: known.places, graph: graph, closed: Set(closed))
        do throws(RouteFailure) {
            return known.json(try router.route(stops, profile: profile ?? (isStepFree ? .wheelchair : .walk)))
        } catch {
            var object = JSONObject()
            object.add("state", "failed")
            object.add("venue", known.summary.id)
            object.add("reason", error.reason)
            return object
        }
    }

    private func stop(_ name: String, _ parameters: QueryParameters) throws(Problem) -> String {
        guard let text = parameters[name], !text.isEmpty else {
            throw Problem.badRequest("\(name) has to be the id of a place, or lon,lat or lon,lat,level")
        }
        return text
    }

    /// The venue that is named, or the one that has the first stop.
    private func venue(of stops: [String], named id: String?) throws -> KnownVenue {
        if let id {
            guard let known = try venues.venue(id: id) else { throw VenueProblem.noVenue }
            return known
        }
        for summary in try venues.summaries() {
            guard let known = try venues.venue(summary) else { continue }
            let isHere = stops.contains { text in
                if let id = FeatureID(text) {
                    return known.places[id] != nil || known.venue.units.contains { $0.id == id }
                }
                return Self.point(text).map { summary.bounds.contains($0.point) } ?? false
            }
            if isHere { return known }
        }
        throw Problem.notFound("no venue has these places; name one with venue=ID")
    }

    private static let category = "category:"
    private static let noStop =
        "a stop is not the id of a place, nor lon,lat or lon,lat,level, nor category:NAME for the last one"

    private static func isStop(_ text: String) -> Bool {
        FeatureID(text) != nil || point(text) != nil || isCategory(text)
    }

    /// Whether a text is `category:` and one to 40 letters and dots, as categories of IMDF are.
    private static func isCategory(_ text: String) -> Bool {
        guard text.hasPrefix(category) else { return false }
        let name = text.utf8.dropFirst(category.utf8.count)
        return (1...40).contains(name.count)
            && name.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func stop(_ text: String, in known: KnownVenue) throws -> RouteStop {
        if let id = FeatureID(text) { return .place(id) }
        guard let found = point(text) else { return .nearest(category: String(text.dropFirst(category.count))) }
        return .point(found.point, level: try found.level.map { try known.level($0) })
    }

    /// The point and the level of a text `LON,LAT[,LEVEL]`.
    private static func point(_ text: String) -> (point: GeoPoint, level: String?)? {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let longitude = FixedDecimal(parts[0])?.double,
            let latitude = FixedDecimal(parts[1])?.double,
            let point = GeoPoint(longitude: longitude, latitude: latitude)
        else { return nil }
        return (point, parts.count > 2 ? parts[2] : nil)
    }

    private static let stopDetail =
        "The id of a place, or `LON,LAT`, or `LON,LAT,LEVEL` with a level's id, ordinal or short name"

    private static let stops: [APISchema] = [
        .pattern("^[0-9a-f]{32}$"), .tuple([.longitude, .latitude]),
        // With a level.
        .pattern("^[^,;]+,[^,;]+,[^;]+$"),
    ]

    private static let directions = APIOperation(
        "the way from one place of a venue to another", .venues,
        detail: """
            Legs follow each other: on a level, by stairs or lift, outdoors. `state` is `failed` with a reason if \
            there is no way, or no step-free one. `approximate` says that a door or a path is not in the plan.
            """,
        parameters: [
            APIParameter("from", .either(stops), stopDetail, isRequired: true, example: "11.0003,48.0001"),
            APIParameter(
                "to", .either(stops + [.pattern("^category:[a-z.]{1,40}$")]),
                stopDetail + "; or `category:NAME` for the nearest", isRequired: true, example: "category:restroom"),
            APIParameter(
                "via", .pattern("^[^;]+(;[^;]+){0,5}$"),
                "Stops between, in the same forms, separated by `;`"
            ),
            APIParameter(
                "venue", .pattern("^[0-9a-f]{32}$"), "The id of a venue; without it, the one that has the stops"),
            APIParameter("profile", .choice(["walk", "wheelchair", "nolift"], default: "walk"), "How somebody moves"),
            APIParameter("accessible", .flag, "1 is the same as `profile=wheelchair`"),
        ],
        answers: [APIResponse("The way", .json(VenueSchemas.directions))], traits: .canBeMissing)
}
