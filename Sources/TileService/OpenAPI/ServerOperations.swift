import HTTPCore

extension APIOperations {
    private static func file(_ summary: String, _ type: String, canBeMissing: Bool = true) -> APIOperation {
        APIOperation(
            summary: summary, tag: .server, answers: [APIResponse("The file", APIContent(type))],
            traits: canBeMissing ? [.canBeMissing, .hasETag] : .hasETag)
    }

    /// The web page and the state of the server.
    static let server: Table = [
        Route(.get, "/"): file("the web page", "text/html", canBeMissing: false),
        Route(.get, "/assets/{name}"): file("files of the web page", "*/*"),
        Route(.get, "/assets/leaflet/{name}"): file("files of Leaflet", "*/*"),
        Route(.get, "/assets/leaflet/images/{name}"): file("pictures of Leaflet", "image/png"),
        Route(.get, "/health"): APIOperation(
            summary: "the state of the server; totals and the caller's permissions for readers only", tag: .server,
            answers: [
                APIResponse("Tiles can be served", .json(.named("Health"))),
                APIResponse("The grid is being built", .json(.named("Health")), status: .serviceUnavailable),
            ]),
        Route(.get, "/metrics"): APIOperation(
            summary: "counters in the text format of Prometheus", tag: .server,
            answers: [APIResponse("The counters", APIContent("text/plain"))]),
        Route(.get, "/openapi.json"): APIOperation(
            summary: "this interface as OpenAPI 3.1", tag: .server, answers: [APIResponse("This document", json)],
            traits: .hasETag),
    ]
}
