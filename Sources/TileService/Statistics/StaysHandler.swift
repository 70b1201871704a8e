import Geocoding
import HTTPCore
import RequestHandling
import Stays
import TrackStore
import Tracks

/// Answers `/v1/stays`, where somebody stayed, and when, and `/v1/stays/places`.
struct StaysHandler: Sendable {
    private let context: HandlerContext
    private let stays: AllStays

    init(_ context: HandlerContext) {
        self.context = context
        stays = AllStays(context)
    }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/stays", for: .read) { request, _ in
            try answer(request) { PersonStays.json($0, addresses: $1) }
        }
        routes.on(.get, "/v1/stays/places", for: .read) { request, _ in
            try answer(request) { PersonStays.json(placesOf: $0, addresses: $1) }
        }
    }

    /// Answers with the stays that a request selects.
    private func answer(
        _ request: Request,
        _ json: @escaping @Sendable ([PersonStays], [GeocodingCell: PostalAddress]) -> [UInt8]
    ) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.reading.answer {
            let library = context.library
            var query = StaysQuery()
            (query.from, query.to) = try parameters.window(try library.calendar())
            query.person = parameters["person"]
            let selected = try library.selected(try stays.answer(to: .owner), query)
            let addresses = try library.addresses(of: selected)
            return validated(JSONResponse.response(bytes: json(selected, addresses)), for: request)
        }
    }
}
