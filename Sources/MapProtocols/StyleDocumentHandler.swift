import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileArchive

/// Answers `/styles/{style}/style.json`: a style of MapLibre (version 8 of its specification) that shows a style or an archive
/// above the base map, so that MapLibre, Maputnik and the like show it by one URL.
struct StyleDocumentHandler: RequestHandler {
    let tiles: StyleTiles

    func add(to routes: inout Routes) {
        routes.on(
            .get, "/styles/{style}/style.json", for: .read,
            as: APIOperation(
                "a style of MapLibre: the tiles of a style or an archive, above the base map", .protocols,
                detail:
                    "Sources have absolute URLs with the token of the request. Vector tiles are plain areas, lines and "
                    + "points, without letters.",
                parameters: [.style] + .selection + .appearance,
                answers: [
                    APIResponse(
                        "The style",
                        .json(
                            .object([
                                ("version", .integer(8...8)), ("name", .text()), ("sources", .object()),
                                ("layers", .list(.object())),
                            ]).named("MapStyle")))
                ], traits: [.canBeMissing, .hasETag])
        ) { request, path in try answer(request, path["style"]) }
    }

    private func answer(_ request: Request, _ name: String) throws -> HandlerResult {
        guard let source = tiles.source(named: name) else {
            throw Problem.notFound("no style or archive has this name; see /styles")
        }
        let parameters = try TileParameters(request.target)
        let document = StyleDocument(
            source: source, base: tiles.context.tiles.base(for: request),
            query: source.takesParameters ? try tiles.repeatedQuery(request) : try tiles.secretQuery(request),
            secret: try tiles.secretQuery(request), theme: parameters.theme)
        return .ready(validated(JSONResponse.response(bytes: document.bytes), for: request))
    }
}
