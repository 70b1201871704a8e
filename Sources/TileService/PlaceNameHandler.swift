import HTTPCore
import Places
import TileDrawing
import TileMath

/// Answers `/v1/address` and `/v1/places` from the embedded table of places. They depend on the program only, not on the
/// library.
struct PlaceNameHandler: Sendable {
    static let defaultLimit = 8
    static let maxLimit = 50

    /// The table changes with versions of the program only.
    private static let freshSeconds = 86_400

    private struct Address: Encodable, Sendable {
        var place: String
        var region: String?
        var country: String
        /// The distance of the place's centre.
        var metres: Int
        var kind = "nearest"
        var source = Gazetteer.source
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

    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/address", for: .read) { request, _ in try address(request) }
        routes.on(.get, "/v1/places", for: .read) { request, _ in try places(request) }
    }

    private func address(_ request: Request) throws -> HandlerResult {
        let position = try PlaceQuery.position(try request.target.values(of: ["lon", "lat"]))
        // Not on the listener: the first request reads the table.
        return answer(request) {
            let (index, metres) = Gazetteer.embedded.nearest(to: position)
            let place = Gazetteer.embedded[index]
            return Address(
                place: place.name, region: place.region, country: place.country, metres: Int(metres.rounded()))
        }
    }

    private func places(_ request: Request) throws -> HandlerResult {
        let values = try request.target.values(of: ["q", "limit"])
        guard let text = values["q"], text.count <= PlaceSearch.longestText else {
            throw Problem.badRequest("q has to be the beginning of a name, up to \(PlaceSearch.longestText) characters")
        }
        guard let limit = values["limit"].map({ Int($0) }) ?? Self.defaultLimit, (1...Self.maxLimit).contains(limit)
        else { throw Problem.badRequest("limit has to be a number, 1 to \(Self.maxLimit)") }
        return answer(request) {
            List(
                places: PlaceSearch.embedded.places(matching: text, limit: limit).map { match in
                    Found(
                        name: match.place.name, otherName: match.otherName, region: match.place.region,
                        country: match.place.country, lon: match.place.position.longitude,
                        lat: match.place.position.latitude, population: match.place.population)
                })
        }
    }

    private func answer<Value: Encodable & Sendable>(
        _ request: Request, _ make: @escaping @Sendable () -> Value
    ) -> HandlerResult {
        context.queues.reading.answer {
            var response = try JSONResponse.response(make())
            response.set(
                .cacheControl, CacheControl(request.audience, .seconds(Self.freshSeconds)).description)
            return validated(response, for: request)
        }
    }
}

extension RequestTarget {
    /// The values of some parameters of the query; one that is sent twice is a `400`.
    func values(of names: Set<String>) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for parameter in try parameters() where names.contains(parameter.name) {
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw Problem.badRequest("\(parameter.name) is given twice")
            }
        }
        return values
    }
}
