import HTTPCore
import OpenAPI
import RequestHandling
import TileDrawing
import VectorTiles

/// Answers requests for vector tiles of tracks: `/tiles/{style}/{z}/{x}/{y}.mvt`.
///
/// They are not kept in memory, because making one takes about as long as reading it; what is read identifies it, so that
/// clients revalidate it without its being made.
struct VectorTileHandler: RequestHandler {
    let renderer: TileRenderer
    let context: HandlerContext
    let audience: CacheControl.Audience

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/**.mvt", for: .read, as: Self.tile) { request, _ in
            try answer(request, TileTarget(vector: request.target))
        }
    }

    /// Answers a request for a vector tile.
    func answer(_ request: Request, _ target: TileTarget) throws -> HandlerResult {
        try context.checkReadiness()
        try renderer.check(target.request)
        // Checked before and after, because the map may change meanwhile.
        let wasCurrent = isCurrent(target.revision)
        return context.queues.drawing.answer {
            // A request from just before the start of a rebuild is answered like one after it.
            try context.checkReadiness()
            var tag: ETag?
            let tile = try renderer.vectorTile(target.request) { digest in
                let known = ETag(digest)
                tag = known
                return request.alreadyHas(known)
            }
            guard let tag else { throw Problem(.internalServerError, "the tile has no digest") }
            let isCurrent = wasCurrent && isCurrent(target.revision)
            var response = Response.vectorTile([], context.tiles.cacheControl(audience, isCurrent: isCurrent))
            response.set(.serverTiming, tile?.timing.header ?? Self.notDrawn)
            response.cacheResult = .miss
            if let tile, tile.isThinned { response.set(Self.thinned, "kept=\(tile.features)") }
            return validated(response, for: request, tag: tag) { tile?.bytes ?? [] }.withoutContentIfEmpty
        }
    }

    private func isCurrent(_ revision: String?) -> Bool {
        revision.map(context.isCurrent) ?? false
    }

    private static let notDrawn = "cache;desc=miss"
    /// Tells that lines were left out, and how many features are there.
    private static let thinned = HeaderName("Thinned")

    private static let tile = APIOperation(
        "a vector tile of tracks: `/tiles/[STYLE/]Z/X/Y.mvt`", .tiles,
        detail: "Mapbox Vector Tile 2.1, with the layer `tracks`. 204 for a tile without lines. With the header "
            + "`Thinned`, lines were left out: the tile has the newest ones that show something new.",
        parameters: [.style] + .tile + .selection + [
            APIParameter("v", .text(), "A revision: while it is the current one, the tile may be cached for ever")
        ], answers: .vectorTile, traits: [.canBeMissing, .hasETag]
    ).at(["", "{style}/"].map { "/tiles/\($0){z}/{x}/{y}.mvt" })
}
