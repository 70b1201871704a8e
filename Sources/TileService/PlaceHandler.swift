import HTTPCore
import TileDrawing
import TileMath

/// Answers `/v1/at`.
struct PlaceHandler: Sendable {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Adds the route.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/at", for: .read) { request, _ in try answer(request) }
    }

    /// Answers who passed the place of the query. Reads the disk, so it runs on the queue.
    private func answer(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let question = try PlaceQuery(request.target)
        return context.queues.reading.answer {
            var response = try JSONResponse.response(try context.renderer.visits(question))
            response.set(
                .cacheControl, CacheControl(request.audience, context.configuration.tileFreshness).description)
            return validated(response, for: request)
        }
    }
}

extension PlaceQuery {
    /// Reads `lon`, `lat`, `z`, `radius` and the parameters of tiles; one that is missing, malformed or sent twice is a
    /// `400`.
    init(_ target: RequestTarget) throws(Problem) {
        let values = try target.values(of: ["lon", "lat", "z", "radius"])
        let place = try Self.position(values)
        guard let zoom = Self.number(values["z"]).flatMap({ ZoomLevel($0) }) else {
            throw Problem.badRequest("z has to be a zoom level, 0 to \(ZoomLevel.deepest)")
        }
        guard let radius = values["radius"].map(Self.number) ?? Self.defaultRadius, Self.radii.contains(radius) else {
            throw Problem.badRequest("radius has to be a number of pixels, 0 to \(Self.radii.upperBound)")
        }
        let selection = try TileParameters(target).selection
        self.init(place: place, zoom: zoom, radius: radius, selection: selection)
    }

    /// The position of `lon` and `lat`.
    static func position(_ values: [String: String]) throws(Problem) -> GeoPoint {
        guard let longitude = degrees(values["lon"]), let latitude = degrees(values["lat"]),
            let position = GeoPoint(longitude: longitude, latitude: latitude)
        else { throw Problem.badRequest("lon and lat have to be degrees, -180 to 180 and -90 to 90") }
        return position
    }

    /// Reads a plain decimal number: no words such as `nan`, no exponents.
    private static func degrees(_ text: String?) -> Double? {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }) else {
            return nil
        }
        return Double(text)
    }

    private static func number(_ text: String?) -> Int? {
        guard let text, text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
