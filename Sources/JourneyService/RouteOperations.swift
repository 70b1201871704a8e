import HTTPCore
import Journeys
import OpenAPI
import RequestHandling

/// What the routes of `RouteHandler` do.
enum RouteOperations {
    static let id = APIParameter("id", .text(), "The id of a route", in: .path)
    static let place = APIParameter("place", .text(), "The id of a place of the route", in: .path)
    static let edit = APIParameter(
        "edit", .flag, "1 for the owner of the library: shows what is locked, too; 403 for others")

    static let placeMembers: [(String, APISchema)] = [
        ("description?", .text(maxLength: JourneyLimits.description).orNull),
        ("credit?", .text(maxLength: JourneyLimits.description).orNull),
        ("tags?", .list(nameSchema, limit: JourneyLimits.tags)), ("seconds?", secondsSchema.orNull),
    ]
    static let position: (String, APISchema) = (
        "position?", .integer(0...(JourneyLimits.places.upperBound - 1))
    )
    static let nameSchema = APISchema.visible(maxLength: JourneyLimits.name)
    static let secondsSchema = APISchema.integer(JourneyLimits.seconds)

    static let placeSchema = APISchema.object([
        ("id", .text()), ("name", .text()), ("lon", .longitude), ("lat", .latitude), ("seconds?", secondsSchema),
        ("locked", .boolean), ("tags?", .list(.text())), ("description?", .text()), ("picture?", .text()),
        ("credit?", .text()),
    ]).named("JourneyPlace")

    static let routeSchema = APISchema.object([
        ("id", .text()), ("name", .text()), ("picture", .text()), ("level", secondsSchema), ("single", .boolean),
        ("metres", .amount), ("line", .list(.tuple([.longitude, .latitude]))), ("places", .list(placeSchema)),
    ]).named("Route")

    static let list = APIOperation(
        "the routes", .journeys,
        detail: """
            By name, with lines of at most \(RouteHandler.listedCorners) corners. Of places that the caller has not reached, description, \
            picture and tags are missing.
            """,
        parameters: [edit], answers: [APIResponse("The routes", .json(.object([("routes", .list(routeSchema))])))],
        traits: .hasETag)

    static let show = APIOperation(
        "a route", .journeys, parameters: [id, edit], answers: [APIResponse("The route", .json(routeSchema))],
        traits: [.canBeMissing, .hasETag])

    static func export(_ type: String) -> APIOperation {
        APIOperation(
            "a route as a file", .journeys, detail: "Without what is locked for the caller.", parameters: [id, edit],
            answers: [APIResponse("The file", APIContent(type))], traits: [.canBeMissing, .hasETag])
    }

    static let changed = [APIResponse("The route", .json(routeSchema))]

    static let post = APIOperation(
        "adds a route", .journeys,
        detail:
            "JSON as exported, GeoJSON with a line and points, or GPX. A route that is there already is answered with 200.",
        body: [.json, APIContent("application/geo+json"), APIContent("application/gpx+xml")],
        answers: [APIResponse("The new route", .json(routeSchema), status: .created)] + changed)

    static let patch = APIOperation(
        "changes a route", .journeys, parameters: [id],
        body: [
            .json(
                .object([("name?", nameSchema), ("level?", secondsSchema), ("single?", .boolean)], isClosed: true))
        ], answers: changed, traits: .canBeMissing)

    static let remove = APIOperation(
        "removes a route", .journeys, detail: "409 while journeys lead along it.", parameters: [id],
        answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)

    static let addPlace = APIOperation(
        "adds a place to a route", .journeys, detail: "At the end, or at a position, which counts from 0.",
        parameters: [id],
        body: [
            .json(
                .object(
                    [("name", nameSchema), ("lon", .longitude), ("lat", .latitude)] + placeMembers + [position],
                    isClosed: true))
        ], answers: [APIResponse("The route", .json(routeSchema), status: .created)], traits: .canBeMissing)

    static let patchPlace = APIOperation(
        "changes or moves a place of a route", .journeys, parameters: [id, place],
        body: [
            .json(
                .object(
                    [("name?", nameSchema), ("lon?", .longitude), ("lat?", .latitude)] + placeMembers + [position],
                    together: ["lon", "lat"], isClosed: true))
        ], answers: changed, traits: .canBeMissing)

    static let removePlace = APIOperation(
        "removes a place from a route", .journeys,
        detail:
            "A route keeps at least \(JourneyLimits.places.lowerBound). Sessions that led there lead to the next place.",
        parameters: [id, place], answers: [APIResponse("Done", nil, status: .noContent)], traits: .canBeMissing)
}

extension APITag {
    static let journeys = APITag("journeys", "Routes with places, journeys along them, focus sessions and rewards")
}
