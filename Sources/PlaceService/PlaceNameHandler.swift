import Geocoding
import HTTPCore
import OpenAPI
import Places
import PrimaryStore
import RequestHandling
import TileDrawing
import TileMath
import TrackStore
import Tracks

/// Answers `/v1/address` from the addresses of the library and the embedded table of places, and `/v1/places` from the
/// table alone.
struct PlaceNameHandler: RequestHandler {
    static let defaultLimit = 8
    private static let maxLimit = 50

    /// The table changes with versions of the program only.
    private static let freshSeconds = 86_400

    private struct Address: Encodable, Sendable {
        var address: String?
        var place: String?
        var region: String?
        var country: String?
        /// The distance of the address, or of the place's centre.
        var metres: Int
        var kind: String
        var source: String
    }

    private struct Found: Encodable, Sendable {
        var name: String
        var otherName: String?
        var region: String?
        var country: String
        var lon: Double
        var lat: Double
        var population: Int?
    }

    private struct List: Encodable, Sendable {
        var places: [Found]
        var source = Gazetteer.source
    }

    let context: HandlerContext
    let asksForAddresses: Bool

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/address", for: .read, as: Self.address, address)
        routes.on(.get, "/v1/places", for: .read, as: Self.places, places)
    }

    private func address(_ request: Request) throws -> HandlerResult {
        let position = try QueryParameters(request.target, ["lon", "lat"]).position()
        // Not on the listener: the first request reads the table.
        return context.queues.reading.answer {
            if let cell = GeocodingCell(position), let known = try context.library.database.addresses(of: [cell])[cell]
            {
                return try answer(request, Self.address(known, at: position), .revalidate)
            }
            let (index, metres) = Gazetteer.embedded.nearest(to: position)
            let place = Gazetteer.embedded[index]
            let nearest = Address(
                place: place.name, region: place.region, country: place.country, metres: Int(metres.rounded()),
                kind: "nearest", source: Gazetteer.source)
            // Where addresses are asked for, one may come.
            return try answer(request, nearest, asksForAddresses ? .revalidate : .seconds(Self.freshSeconds))
        }
    }

    private static func address(_ known: PostalAddress, at position: GeoPoint) -> Address {
        let here = position.e7
        let distance = known.position.map { position in
            let there = position.e7
            return Geodesy.metres(here.longitude, here.latitude, there.longitude, there.latitude)
        }
        return Address(
            address: known.label, place: known.place, region: known.region, country: known.country,
            metres: Int((distance ?? 0).rounded()), kind: "address", source: known.source)
    }

    private func places(_ request: Request) throws -> HandlerResult {
        let parameters = try QueryParameters(request.target, ["q", "limit"])
        guard let text = parameters["q"], text.unicodeScalars.count <= PlaceSearch.longestText else {
            throw Problem.badRequest("q has to be the beginning of a name, up to \(PlaceSearch.longestText) characters")
        }
        let limit = try parameters.number("limit", in: 1...Self.maxLimit) ?? Self.defaultLimit
        return context.queues.reading.answer {
            let list = List(
                places: PlaceSearch.embedded.places(matching: text, limit: limit).map { match in
                    Found(
                        name: match.place.name, otherName: match.otherName, region: match.place.region,
                        country: match.place.country, lon: match.place.position.longitude,
                        lat: match.place.position.latitude, population: match.place.population)
                })
            return try answer(request, list, .seconds(Self.freshSeconds))
        }
    }

    private func answer(
        _ request: Request, _ value: some Encodable, _ freshness: CacheControl.Freshness
    ) throws -> OutgoingResponse {
        var response = try JSONResponse.response(value)
        response.set(.cacheControl, CacheControl(request.audience, freshness).description)
        return validated(response, for: request)
    }

    private static let source = "From GeoNames (CC BY 4.0): places with at least 1,000 inhabitants."

    private static let address = APIOperation(
        "the address of a place, or the nearest place with a name", .places,
        detail: """
            With `kind` `address`, the address that a service or a file has for this place; `metres` is its distance, \
            and `source` whose data it is. Else, with `kind` `nearest`, the nearest place; `metres` is the distance of \
            its centre. \(source)
            """,
        parameters: .position, answers: [APIResponse("The address or the place", .json(.address))], traits: .hasETag)

    private static let places = APIOperation(
        "places by the beginning of their names", .places,
        detail:
            "\(source) Larger places are first. `otherName` is the name that was found, if it is not the usual one.",
        parameters: [
            APIParameter(
                "q", .text(maxLength: PlaceSearch.longestText),
                "The beginning of a word of the name; after a comma, of the region or the country", isRequired: true,
                example: "paris, texas"), .limit(Self.maxLimit, default: Self.defaultLimit),
        ],
        answers: [
            APIResponse(
                "The places",
                .json(
                    .object([
                        ("places", .list(place, limit: Self.maxLimit)),
                        ("source", .choice([Gazetteer.source])),
                    ])))
        ], traits: .hasETag)

    private static let country = APISchema.pattern("^[A-Z]{2}$")

    private static let place = APISchema.object([
        ("name", .text()), ("otherName?", .text()), ("region?", .text()), ("country", country), ("lon", .longitude),
        ("lat", .latitude), ("population?", .integer(1...Int.max)),
    ]).named("NamedPlace")
}

extension APITag {
    fileprivate static let places = APITag("places", "Names of places")
}
