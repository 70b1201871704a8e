import HTTPCore
import Locking
import OpenAPI
import RequestHandling

/// Answers `/openapi.json`: the routes as OpenAPI 3.1, written at the first request.
struct OpenAPIHandler: RequestHandler {
    private struct Content: Sendable {
        var routes: [RouteDescription<APIOperation>] = []
        var bytes: [UInt8]?
    }

    let context: HandlerContext
    private let content = Locked(Content())

    /// The document describes the routes that were added before, and this one.
    func add(to routes: inout Routes) {
        routes.on(
            .get, "/openapi.json", for: .nothing,
            as: APIOperation(
                "this interface as OpenAPI 3.1", .server, answers: [APIResponse("This document", .json)],
                traits: .hasETag)
        ) { [self] request, _ in
            context.queues.reading.answer { validated(JSONResponse.response(bytes: bytes), for: request) }
        }
        content.withLock { $0.routes = routes.descriptions }
    }

    private var bytes: [UInt8] {
        content.withLock { content in
            let bytes =
                content.bytes
                ?? OpenAPIDocument(
                    content.routes, title: "tileserve", version: context.tiles.version, introduction: Self.introduction
                ).bytes
            content.bytes = bytes
            return bytes
        }
    }

    private static let introduction = """
        GET also answers HEAD, and every path answers OPTIONS. Errors are problems (RFC 9457). Without a token, requests \
        from the server's own machine may read, and make changes that no page of another site can cause; with \
        --public-read everybody may read. Parameters that are not listed are ignored.
        """
}
