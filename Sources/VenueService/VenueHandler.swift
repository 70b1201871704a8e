import HTTPCore
import OpenAPI
import PrimaryStore
import RequestHandling
import Text
import TileMath
import TrackStore
import Venues

/// Answers `/v1/venues`: venues, their places, which room is where, and what is closed.
struct VenueHandler: RequestHandler {
    let context: HandlerContext
    let venues: KnownVenues
    let desk: DirectionsDesk
    private let changes = ChangeQueue("tileserve.venues", timeoutSeconds: Self.timeoutSeconds)

    /// A change takes milliseconds, unless another process writes.
    private static let timeoutSeconds = 30.0
    /// Limit in bytes of a body: an instant.
    private static let byteLimit = 1024

    init(_ context: HandlerContext, _ venues: KnownVenues, _ desk: DirectionsDesk) {
        self.context = context
        self.venues = venues
        self.desk = desk
    }

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/venues", for: .read, as: Self.list) { request, _ in
            try answer(request) { try list(in: try $0.box("bbox"), named: $0["q"]) }
        }
        routes.on(.get, "/v1/venues/{id}", for: .read, as: Self.show) { request, path in
            try answer(request, path["id"]) { venue, _ in venue.json }
        }
        routes.on(.get, "/v1/venues/{id}/places", for: .read, as: Self.places) { request, path in
            try answer(request, path["id"]) { try places(of: $0, $1) }
        }
        routes.on(.get, "/v1/venues/{id}/at", for: .read, as: Self.room) { request, path in
            // Before the venue is looked for: a wrong position is wrong in every venue.
            let position = try QueryParameters(request.target).position()
            return try answer(request, path["id"]) { try room(in: $0, at: position, $1) }
        }
        routes.on(.get, "/v1/venues/{id}/closures", for: .read, as: Self.closures) { request, path in
            try answer(request, path["id"]) { venue, _ in try closures(of: venue.summary.id) }
        }
        routes.on(
            .put, "/v1/venues/{id}/closures/{unit}", for: .change, takes: .memory(limit: Self.byteLimit),
            as: Self.close, close)
        routes.on(.delete, "/v1/venues/{id}/closures/{unit}", for: .change, as: Self.reopen, reopen)
        routes.add(FloorOverlay(venues: venues, desk: desk), context)
    }

    // MARK: Reading

    private func answer(
        _ request: Request, _ json: @escaping @Sendable (QueryParameters) throws -> JSONObject
    ) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target)
        return context.queues.reading.answer {
            validated(JSONResponse.response(try json(parameters)), for: request)
        }
    }

    private func answer(
        _ request: Request, _ id: String, _ json: @escaping @Sendable (KnownVenue, QueryParameters) throws -> JSONObject
    ) throws -> HandlerResult {
        try answer(request) { [venues] parameters in
            guard let venue = try venues.venue(id: id) else { throw VenueProblem.noVenue }
            return try json(venue, parameters)
        }
    }

    private func list(in box: BoundingBox?, named query: String?) throws -> JSONObject {
        let wanted = query.map { $0.lowercased() }
        let found = try venues.summaries().filter { summary in
            box.map { $0.intersects(summary.bounds) } ?? true
                && wanted.map { summary.name.lowercased().contains($0) } ?? true
        }
        var object = JSONObject()
        object.add("venues", objects: try found.compactMap { try venues.venue($0)?.json })
        return object
    }

    private func places(of known: KnownVenue, _ parameters: QueryParameters) throws -> JSONObject {
        var filter = VenuePlaces.Filter()
        if let text = parameters["building"] {
            guard let id = FeatureID(text), known.venue.buildings.contains(where: { $0.id == id }) else {
                throw Problem.notFound("the venue has no building with this id")
            }
            filter.building = id
        }
        filter.levels = try parameters["level"].map { Set(try known.levels(named: $0)) }
        filter.category = parameters["category"]
        let found = known.places.search(parameters["q"] ?? "", filter)
        var object = JSONObject()
        object.add("places", objects: found.map(known.json))
        return object
    }

    private func room(
        in known: KnownVenue, at position: GeoPoint, _ parameters: QueryParameters
    ) throws -> JSONObject {
        let levels = try parameters["level"].map { try known.levels(named: $0) } ?? known.venue.groundLevels
        let unit = known.venue.unit(at: position, levels: levels)
        var object = JSONObject()
        if let unit { object.add("room", object: known.json(unit: unit)) } else { object.add("room", nil as String?) }
        return object
    }

    private func closures(of id: String) throws -> JSONObject {
        let now = TrackDatabase.systemClock()
        let found = try context.library.database.read { try $0.closures(ofVenue: id) }.filter { $0.until > now }
        var object = JSONObject()
        object.add("closures", objects: found.map(\.json))
        return object
    }

    // MARK: Changes

    private func close(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        var members = try BodyMembers(request.content.bytes)
        let until = members.value("until", "an instant such as 2026-12-24T08:00:00Z", isRequired: true) { value in
            if case .text(let text) = value { DateText.instant(in: text) } else { nil }
        }
        try members.check()
        return change(path, until: until ?? 0)
    }

    private func reopen(_ request: Request, _ path: PathParameters) throws -> HandlerResult {
        change(path, until: nil)
    }

    private func change(_ path: PathParameters, until: Int64?) -> HandlerResult {
        let (id, unit) = (path["id"], path["unit"])
        return changes.answer {
            guard let known = try venues.venue(id: id) else { throw VenueProblem.noVenue }
            guard let feature = FeatureID(unit), known.venue.canClose(feature) else {
                throw Problem.notFound("no unit, opening or amenity of the venue has this id")
            }
            let isDone = try context.library.database.close(
                unit, ofVenue: id, until: until, now: TrackDatabase.systemClock())
            guard isDone else { throw Problem.notFound("it is not closed") }
            return .response(Response(status: .noContent))
        }
    }
}

extension VenueHandler {
    private static let id = APIParameter("id", .pattern("^[0-9a-f]{32}$"), "The id of a venue", in: .path)
    private static let unit = APIParameter(
        "unit", .pattern("^[0-9a-f]{32}$"), "The id of a unit, an opening or an amenity", in: .path)
    private static let level = APIParameter("level", .text(), "The id, the ordinal or the short name of a level")

    private static let list = APIOperation(
        "lists venues", .venues,
        parameters: [.bounds, APIParameter("q", .text(), "A part of the name")],
        answers: [APIResponse("The venues, by name", .json(.object([("venues", .list(VenueSchemas.venue))])))],
        traits: .hasETag)

    private static let show = APIOperation(
        "a venue with its buildings and levels", .venues, parameters: [id],
        answers: [APIResponse("The venue", .json(VenueSchemas.venue))], traits: [.canBeMissing, .hasETag])

    private static let places = APIOperation(
        "the places of a venue: rooms, amenities, occupants", .venues,
        detail: """
            A search ignores case and accents, dots and leading zeros of room codes, and one typing error; the best \
            come first.
            """,
        parameters: [
            id, APIParameter("building", .text(), "The id of a building"), level,
            APIParameter("q", .text(), "What is looked for"),
            APIParameter("category", .text(), "A category of IMDF, such as `restroom`"),
        ],
        answers: [APIResponse("The places", .json(.object([("places", .list(VenueSchemas.place))])))],
        traits: [.canBeMissing, .hasETag])

    private static let room = APIOperation(
        "which room is here", .venues,
        parameters: [
            id, APIParameter("lon", .longitude, "Degrees", isRequired: true, example: "-2.98"),
            APIParameter("lat", .latitude, "Degrees", isRequired: true, example: "56.46"), level,
        ],
        answers: [APIResponse("The room, or null", .json(.object([("room", VenueSchemas.place.orNull)])))],
        traits: [.canBeMissing, .hasETag])

    private static let closures = APIOperation(
        "what is closed in a venue", .venues, parameters: [id],
        answers: [APIResponse("The closures", .json(.object([("closures", .list(VenueSchemas.closure))])))],
        traits: [.canBeMissing, .hasETag])

    private static let close = APIOperation(
        "closes a part of a venue until an instant", .venues, parameters: [id, unit],
        body: [.json(.object([("until", .instant)], isClosed: true))],
        answers: [APIResponse("Routes avoid it from now on", nil, status: .noContent)], traits: .canBeMissing)

    private static let reopen = APIOperation(
        "opens a closed part of a venue", .venues, parameters: [id, unit],
        answers: [APIResponse("It is open", nil, status: .noContent)], traits: .canBeMissing)
}
