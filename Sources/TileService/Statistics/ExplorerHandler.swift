import Charts
import HTTPCore
import RequestHandling
import Statistics
import Styling
import TileDrawing
import TileMath
import TrackStore
import Tracks

/// Answers `/v1/explorer`, the missing tiles of a box, and the tiles `/tiles/explorer/…` and `/tiles/explorer-17/…`.
/// One
/// computation serves figures and pictures.
struct ExplorerHandler: Sendable {
    private let context: HandlerContext
    private let maps: ExplorerMaps

    /// The tile styles, by zoom level.
    static let styles = [14: "explorer", 17: "explorer-17"]

    init(_ context: HandlerContext, _ maps: ExplorerMaps) {
        self.context = context
        self.maps = maps
    }

    /// Adds the routes.
    func add(to routes: inout RouterBuilder) {
        routes.on(.get, "/v1/explorer", for: .read) { request, _ in try figures(request) }
        for format in MissingTilesFormat.allCases {
            routes.on(.get, "/v1/explorer/missing.\(format.rawValue)", for: .read) { request, _ in
                try missing(request, as: format)
            }
        }
        for (zoom, style) in Self.styles {
            routes.on(.get, "/tiles/\(style)/**.png", for: .read) { request, _ in try tile(request, style, zoom: zoom) }
            routes.on(.get, "/tiles/\(style).json", for: .read) { request, _ in
                try description(of: request, style: style, title: "Visited tiles of zoom level \(zoom)")
            }
        }
    }

    /// The figures.
    private func figures(_ request: Request) throws -> HandlerResult {
        try context.checkReadiness()
        let parameters = try QueryParameters(request.target)
        return context.queues.reading.answer {
            let map = try maps.answer(to: try parameters.explorer(try context.library.calendar()))
            return validated(JSONResponse.response(bytes: map.json), for: request)
        }
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
