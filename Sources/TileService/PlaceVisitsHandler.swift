import HTTPCore
import OpenAPI
import RequestHandling
import TileDrawing

/// Answers `/v1/at`.
struct PlaceVisitsHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/at", for: .read, as: Self.visits, answer)
    }

    /// Answers who passed the place of the query. Reads the disk, so it runs on the queue.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let question = try PlaceQuery(request.target)
        return context.queues.reading.answer {
            var response = try JSONResponse.response(try renderer.visits(question))
            response.set(.cacheControl, context.tiles.cacheControl(request.audience, isCurrent: false).description)
            return validated(response, for: request)
        }
    }

    private static let visits = APIOperation(
        "who passed a place, and when", .tiles,
        parameters: .position + [
            APIParameter("z", .zoom, "The zoom level", isRequired: true, example: "14"),
            APIParameter(
                "radius", .integer(PlaceQuery.radii, default: PlaceQuery.defaultRadius), "Pixels around the place"),
        ] + .selection, answers: [APIResponse("Person-days and tracks", .json(visitsSchema))],
        traits: [.canBeMissing, .hasETag])

    private static let visitsSchema = APISchema.object([
        ("lon", .longitude), ("lat", .latitude), ("z", .zoom), ("count", .count), ("quantile", .number(0...1)),
        ("first?", .text()), ("last?", .text()), ("days", .count), ("tracks", .list(.object())), ("more", .boolean),
        ("cell", .object([("bbox", .box)])),
    ]).named("Visits")
}

extension PlaceQuery {
    /// Reads `lon`, `lat`, `z`, `radius` and the parameters of tiles; one that is missing, malformed or sent twice is a
    /// `400`.
    init(_ target: RequestTarget) throws(Problem) {
        let parameters = try QueryParameters(target, ["lon", "lat", "z", "radius"])
        let place = try parameters.position()
        guard let zoom = try parameters.zoom("z") else { throw Problem.badRequest("z is missing") }
        let radius = try parameters.number("radius", in: Self.radii) ?? Self.defaultRadius
        let selection = try TileParameters(target).selection
        self.init(place: place, zoom: zoom, radius: radius, selection: selection)
    }
}
