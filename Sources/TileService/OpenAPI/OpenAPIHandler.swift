import HTTPCore
import Locking
import RequestHandling

/// Answers `/openapi.json`: the routes as OpenAPI 3.1, written at the first request.
struct OpenAPIHandler: Sendable {
    private let context: HandlerContext
    private let written = Locked<[UInt8]?>(nil)

    init(_ context: HandlerContext) { self.context = context }

    private static let route = RouteDescription(.get, "/openapi.json", .nothing)

    /// Adds the route. The document describes the routes that were added before, and this one.
    func add(to routes: inout RouterBuilder) {
        let described = routes.descriptions + [Self.route]
        let handler = self
        routes.on(Self.route.method, Self.route.pattern, for: Self.route.permission) { request, _ in
            handler.context.queues.reading.answer {
                let bytes = handler.written.withLock { written in
                    let bytes = written ?? handler.document(described)
                    written = bytes
                    return bytes
                }
                return validated(JSONResponse.response(bytes: bytes), for: request)
            }
        }
    }

    private func document(_ routes: [RouteDescription]) -> [UInt8] {
        OpenAPIDocument(routes: routes, version: context.tiles.version).bytes
    }
}
