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
            routes.add(ExplorerOverlay(library: context.library, maps: maps, zoom: zoom, name: style), context)
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

    private static let zoom = APIParameter(
        "zoom", .choice(ExplorerQuery.zooms.map { "\($0)" }, default: "14"), "The zoom level of the tiles")

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

    private static let coordinate = APISchema.integer(0...131_071).orNull

    private static let explorerSchema = APISchema.object([
        ("zoom", .integer(14...17)), ("tiles", .count), ("cluster", .count),
        ("square", .object([("side", .count), ("x", coordinate), ("y", coordinate)])), ("new", .count),
    ]).named("Explorer")
}

/// The tiles `/tiles/explorer/…` and `/tiles/explorer-17/…`.
private struct ExplorerOverlay: Overlay {
    let library: Library
    let maps: ExplorerMaps
    let zoom: Int
    let name: String

    var description: OverlayDescription {
        var about = OverlayDescription(
            name, "Visited tiles of zoom level \(zoom)", of: "visited tiles of zoom level \(zoom)", .statistics,
            [.layer, .theme("The map below")] + .window)
        about.detail =
            "With a window, the tiles that were visited for the first time in it have a colour of their own."
        return about
    }

    func query(_ request: Request) throws(Problem) -> QueryParameters { try QueryParameters(request.target) }

    func content(_ parameters: QueryParameters) throws -> (map: ExplorerMap, hasWindow: Bool) {
        var query = try parameters.explorer(try library.calendar(), isTile: true)
        query.zoom = zoom
        return (try maps.answer(to: query), query.from != nil || query.to != nil)
    }

    func picture(_ tile: TileRequest, of content: (map: ExplorerMap, hasWindow: Bool)) throws -> OverlayPicture {
        // Without a window, every tile is new.
        let areNew = content.hasWindow ? content.map.areNew : []
        let picture = ExplorerPicture(content.map.tiles, areNew: areNew, theme: tile.theme)
        return .drawn(try picture.png(of: tile.tile, scale: tile.scale.rawValue))
    }
}

extension QueryParameters {
    /// Reads `zoom`, `from`, `to`, `asof` and `layer`; the zoom level of tiles is part of their style.
    fileprivate func explorer(_ calendar: DayCalendar, isTile: Bool = false) throws(Problem) -> ExplorerQuery {
        var query = ExplorerQuery()
        if !isTile, let zoom = try explorerZoom("zoom") { query.zoom = zoom }
        (query.from, query.to) = try window(calendar, takesAsOf: true)
        query.tracks.layer = try layer() ?? query.tracks.layer
        return query
    }
}
