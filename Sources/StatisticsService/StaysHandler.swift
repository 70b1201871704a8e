import Geocoding
import HTTPCore
import OpenAPI
import RequestHandling
import Stays
import TrackStore

/// Answers `/v1/stays`, where somebody stayed, and when, and `/v1/stays/places`.
struct StaysHandler: RequestHandler {
    let context: HandlerContext
    let stays: AllStays

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/stays", for: .read, as: Self.stays) { request, _ in
            try answer(request) { PersonStays.json($0, addresses: $1) }
        }
        routes.on(.get, "/v1/stays/places", for: .read, as: Self.stayPlaces) { request, _ in
            try answer(request) { PersonStays.json(placesOf: $0, addresses: $1) }
        }
    }

    /// Answers with the stays that a request selects.
    private func answer(
        _ request: Request,
        _ json: @escaping @Sendable ([PersonStays], [GeocodingCell: PostalAddress]) -> [UInt8]
    ) throws -> HandlerResult {
        try context.answer(request) { [library = context.library] parameters, calendar in
            var query = StaysQuery()
            (query.from, query.to) = try parameters.window(calendar)
            query.person = parameters["person"]
            let selected = try library.selected(try stays.answer(to: AllPersons()), query)
            return json(selected, try library.addresses(of: selected))
        }
    }

    private static let stays = APIOperation(
        "where somebody stayed, and when", .statistics,
        detail: "Stays that overlap the window, whole, by person and arrival.", parameters: .window + [.person],
        answers: [APIResponse("The stays", .json(.list(stay)))], traits: [.canBeMissing, .hasETag])

    private static let stayPlaces = APIOperation(
        "the places where somebody stayed, by time spent", .statistics,
        detail: "Stays within 50 m are at one place. Named places are there without stays, too.",
        parameters: .window + [.person],
        answers: [APIResponse("The places", .json(.object([("places", .list(stayPlace))])))],
        traits: [.canBeMissing, .hasETag])

    private static let stay = APISchema.object([
        ("person", .text()), ("arrive", .text()), ("leave", .text()), ("lon", .longitude), ("lat", .latitude),
        ("radius", .amount), ("points", .integer(2...Int.max)), ("bridgedSeconds", .amount), ("name", .text().orNull),
        ("place", .address),
    ]).named("Stay")

    private static let stayPlace = APISchema.object([
        ("id", .text()), ("person", .text()), ("lon", .longitude), ("lat", .latitude), ("name", .text().orNull),
        ("seconds", .amount), ("stays", .count), ("first", .text().orNull), ("last", .text().orNull),
        ("place", .address),
    ]).named("StayPlace")
}
