import HTTPCore
import OpenAPI
import RequestHandling
import TileDrawing
import TileMath

/// Answers `/tiles.json` and `/tiles/{style}.json`.
struct TileJSONHandler: RequestHandler {
    let context: HandlerContext
    let renderer: TileRenderer

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles.json", for: .read, as: Self.tileJSON(of: "the default style")) { request, _ in
            try answer(request, style: TileRequest.defaultStyle)
        }
        routes.on(.get, "/tiles/{style}.json", for: .read, as: Self.tileJSON(of: "a style", [.style])) {
            request, path in
            try answer(request, style: path["style"])
        }
    }

    /// The TileJSON of a style; the query is repeated in the tiles' URL.
    private func answer(_ request: Request, style name: String) throws -> HandlerResult {
        let serverStatus = context.status
        try serverStatus.checkReadiness()
        let parameters = try TileParameters(request.target)
        let scale = try Self.scale(request)
        let format = try TileJSONFormat(request.target)
        let layer = parameters.selection.layer
        try renderer.check(
            TileRequest(style: name, layer: layer, tile: TileCoordinate(northWestOf: .deepestGrid)))
        if format == .mvt, parameters.minus != nil { throw Problem.badRequest(TileTarget.noDifferences) }
        let isVector = format == .mvt
        let url = try context.tiles.url(
            request, style: name, isVector ? .single : scale, revision: serverStatus.revision,
            repeating: isVector ? TileSettings.repeatedInVectorTiles : TileSettings.repeated, ending: format.ending)
        let layers = isVector ? Self.vectorLayers : []
        let selection = parameters.selection
        guard !selection.isWholeLayer || layer != TileSelection.defaultLayer else {
            return .ready(
                validated(
                    try response(style: name, layer: layer, url: url, box: serverStatus.bounds, layers), for: request))
        }
        return context.queues.reading.answerCancellably { isDisconnected in
            let box = try renderer.bounds(
                of: selection, everywhere: serverStatus.bounds, isCancelled: isDisconnected)
            return validated(try response(style: name, layer: layer, url: url, box: box, layers), for: request)
        }
    }

    /// The parameter `scale`: 2 for tiles of double size, for high-resolution screens.
    private static func scale(_ request: Request) throws(Problem) -> TileScale {
        try QueryParameters(request.target, ["scale"]).value("scale", "1 or 2") {
            ["1": TileScale.single, "2": .double][$0]
        } ?? .single
    }

    private func response(
        style name: String, layer: String, url: String, box: BoundingBox?, _ vectorLayers: [VectorLayerDescription]
    ) throws -> Response {
        let title = TileJSON.name(style: name, layer: layer, in: renderer.styles)
        return try JSONResponse.response(
            context.tiles.description(name: title, url: url, box: box, vectorLayers: vectorLayers))
    }

    private static let vectorLayers = [
        VectorLayerDescription(
            VectorTrackTile.layerName, "The lines of tracks: a feature is a track on one day", VectorTrackTile.fields)
    ]

    private static func tileJSON(of style: String, _ path: [APIParameter] = []) -> APIOperation {
        let scale = APIParameter("scale", .choice(["1", "2"], default: "1"), "2 for tiles of 512 pixels")
        return APIOperation(
            "the TileJSON of \(style)", .tiles, parameters: path + [scale, .tileFormat] + .selection + .appearance,
            answers: .tileJSON, traits: [.canBeMissing, .hasETag])
    }
}
