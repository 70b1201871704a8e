import Charts
import HTTPCore
import OpenAPI
import RequestHandling
import Statistics
import Styling
import TileDrawing
import TileMath
import TrackStore
import Tracks

/// Answers `/v1/explorer`, the missing tiles of a box, and the tiles `/tiles/explorer/…` and `/tiles/explorer-17/…`.
/// One computation serves figures and pictures.
struct ExplorerHandler: RequestHandler {
    let context: HandlerContext
    let maps: ExplorerMaps

    /// The tile styles, by zoom level.
    private static let styles = [(14, "explorer"), (17, "explorer-17")]

    func add(to routes: inout Routes) {
        routes.on(.get, "/v1/explorer", for: .read, as: Self.explorer, figures)
        for format in MissingTilesFormat.allCases {
            routes.on(
                .get, "/v1/explorer/missing.\(format.rawValue)", for: .read, as: Self.missingTiles(format)
            ) { request, _ in
                try missing(request, as: format)
            }
        }
        for (zoom, style) in Self.styles {
            routes.on(.get, "/tiles/\(style)/**.png", for: .read, as: Self.explorerTile(style, zoom)) { request, _ in
                try tile(request, style, zoom: zoom)
            }
            routes.on(.get, "/tiles/\(style).json", for: .read, as: Self.explorerTileJSON(zoom)) { request, _ in
                try description(of: request, style: style, title: "Visited tiles of zoom level \(zoom)")
            }
        }
    }

    /// The figures.
    private func figures(_ request: Request) throws -> HandlerResult {
        try context.answer(request) { try maps.answer(to: try $0.explorer($1)).json }
    }

    // MARK: Missing tiles

    private func missing(_ request: Request, as format: MissingTilesFormat) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        guard let box = try parameters.box("bbox") else { throw Problem.badRequest("bbox is missing") }
        return context.queues.reading.answer {
            let query = try parameters.explorer(try context.library.calendar())
            let area = TileBox(box, zoom: query.zoom)
            guard area.count <= MissingTiles.limit else {
                throw Problem.badRequest(
                    "the box has \(area.count) tiles of zoom level \(query.zoom), and the limit is "
                        + "\(MissingTiles.limit); ask for a smaller box")
            }
            let tiles = MissingTiles(in: area, of: try maps.answer(to: query).tiles)
            let response = Response.content(
                tiles.file(format), type: format.mediaType,
                fileName: "missing-tiles-\(query.zoom).\(format.rawValue)")
            return validated(response, for: request)
        }
    }

    // MARK: Tiles

    /// The TileJSON of a tile style; the query is repeated in the tiles' URL.
    private func description(of request: Request, style: String, title: String) throws -> HandlerResult {
        let status = context.status
        try status.checkReadiness()
        // What tiles would refuse is refused here, too.
        _ = try TileParameters(request.target)
        let url = try context.tiles.url(request, style: style, revision: status.revision)
        return try JSONResponse.answer(
            context.tiles.description(name: title, url: url, box: status.bounds), to: request)
    }

    private func tile(_ request: Request, _ style: String, zoom: Int) throws -> HandlerResult {
        let target = try TileTarget(request.target, name: style)
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.drawing.answer {
            var query = try parameters.explorer(try context.library.calendar(), isTile: true)
            query.zoom = zoom
            let map = try maps.answer(to: query)
            // Without a window, every tile is new.
            let areNew = query.from == nil && query.to == nil ? [] : map.areNew
            let picture = ExplorerPicture(map.tiles, areNew: areNew, theme: target.request.theme)
            let bytes = try picture.png(of: target.request.tile, scale: target.request.scale.rawValue)
            return validated(.png(bytes, context.tiles.cacheControl(for: request)), for: request)
        }
    }

    private static let zoom = APIParameter(
        "zoom", .choice(ExplorerQuery.zooms.map { "\($0)" }, default: "14"), "The zoom level of the tiles")
    private static let tileParameters = [.layer, .theme("The map below")] + .window

    private static let explorer = APIOperation(
        "figures of the visited tiles", .statistics, detail: "Without a window, every visited tile is new.",
        parameters: [zoom, .layer] + .window, answers: [APIResponse("The figures", .json(explorerSchema))],
        traits: [.canBeMissing, .hasETag])

    private static func missingTiles(_ format: MissingTilesFormat) -> APIOperation {
        let name = format == .geojson ? "GeoJSON" : format.rawValue.uppercased()
        return APIOperation(
            "the tiles of a box that were not visited, \(name)", .statistics,
            detail: "A box of at most \(MissingTiles.limit) tiles.",
            parameters: [.box(example: "13.3,52.4,13.5,52.6"), zoom, .layer] + .window,
            answers: [APIResponse("The tiles", APIContent(format.mediaType))], traits: [.canBeMissing, .hasETag])
    }

    private static func explorerTile(_ style: String, _ zoom: Int) -> APIOperation {
        .tiles(
            style, "visited tiles of zoom level \(zoom)", .statistics,
            detail: "With a window, the tiles that were visited for the first time in it have a colour of their own.",
            parameters: tileParameters)
    }

    private static func explorerTileJSON(_ zoom: Int) -> APIOperation {
        APIOperation(
            "the TileJSON of visited tiles of zoom level \(zoom)", .statistics, parameters: tileParameters,
            answers: .tileJSON, traits: .hasETag)
    }

    private static let coordinate = APISchema.integer(0...131_071).orNull

    private static let explorerSchema = APISchema.object([
        ("zoom", .integer(14...17)), ("tiles", .count), ("cluster", .count),
        ("square", .object([("side", .count), ("x", coordinate), ("y", coordinate)])), ("new", .count),
    ]).named("Explorer")
}

extension QueryParameters {
    /// Reads `zoom`, `from`, `to`, `asof` and `layer`; the zoom level of tiles is part of their style.
    fileprivate func explorer(_ calendar: DayCalendar, isTile: Bool = false) throws(Problem) -> ExplorerQuery {
        var query = ExplorerQuery()
        if !isTile, let zoom = try explorerZoom("zoom") { query.zoom = zoom }
        (query.from, query.to) = try window(calendar, takesAsOf: true)
        query.tracks.layer = self["layer"] ?? query.tracks.layer
        return query
    }
}
