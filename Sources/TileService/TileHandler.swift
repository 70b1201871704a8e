public import HTTPCore
import OpenAPI
import RequestHandling
import TileDrawing

/// Answers requests for tiles.
struct TileHandler: RequestHandler {
    let renderer: TileRenderer
    let cache: TileCache<TileRequest>
    let context: HandlerContext
    let audience: CacheControl.Audience

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/**.png", for: .read, as: Self.tile, answer)
    }

    /// Answers from memory at once; otherwise when the tile is drawn.
    private func answer(_ request: Request) throws(Problem) -> HandlerResult {
        try answer(request, TileTarget(request.target))
    }

    /// Answers a request of any path with a tile.
    func answer(_ request: Request, _ target: TileTarget) throws(Problem) -> HandlerResult {
        // Checked before the cache is read: what is in memory afterwards belongs to this revision.
        let isCurrent = isCurrent(target.revision)
        if let tile = cache.find(target.request) {
            return .ready(tile.reply(to: request, isCurrent: isCurrent))
        }
        try context.checkReadiness()
        do { try renderer.check(target.request) } catch { throw Problem.problem(of: error) }
        return .deferred(
            Deferred { [self] completion in
                cache.draw(
                    target.request, by: { try draw(target.request, unless: $0) }, has: { request.alreadyHas($0) },
                    reply: { outcome in
                        // The grid may have changed while the tile was drawn from its previous state.
                        let isCurrent = isCurrent && self.isCurrent(target.revision)
                        completion(reply(outcome, to: request, isCurrent: isCurrent))
                    })
            })
    }

    private func isCurrent(_ revision: String?) -> Bool {
        revision.map(context.isCurrent) ?? false
    }

    private func draw(_ request: TileRequest, unless isUnneeded: (ETag) -> Bool) throws -> CachedTile? {
        // A request from just before the start of a rebuild is answered like one after it.
        try context.checkReadiness()
        guard let picture = try renderer.picture(request, unless: { isUnneeded(ETag($0)) }) else { return nil }
        let tag = ETag(picture.digest)
        var tile = CachedTile(
            eTag: tag, response: prepared(picture.bytes, tag, cacheControl(isCurrent: false)),
            immutableResponse: prepared(picture.bytes, tag, cacheControl(isCurrent: true)))
        tile.timing = picture.timing
        return tile
    }

    private func reply(_ outcome: TileResult, to request: Request, isCurrent: Bool) -> OutgoingResponse {
        switch outcome {
        case .tile(let tile, .hit): return tile.reply(to: request, isCurrent: isCurrent)
        case .tile(let tile, _):
            var response = tile.reply(to: request, isCurrent: isCurrent).response
            response.set(.serverTiming, tile.timing.header)
            response.cacheResult = tile.timing.fromDisk ? .disk : .miss
            return .response(response)
        case .unchanged(let tag):
            return .response(
                Response(
                    status: .notModified,
                    headers: [
                        ResponseHeader(.eTag, tag.description),
                        ResponseHeader(.cacheControl, cacheControl(isCurrent: isCurrent).description),
                        ResponseHeader(.serverTiming, "cache;desc=miss"),
                    ], cacheResult: .miss))
        case .failed(let problem): return .response(problem.response)
        }
    }

    private func cacheControl(isCurrent: Bool) -> CacheControl {
        context.tiles.cacheControl(audience, isCurrent: isCurrent)
    }

    private func prepared(_ picture: [UInt8], _ tag: ETag, _ cacheControl: CacheControl) -> PreparedResponse {
        var response = Response.png(picture, tag: tag, cacheControl)
        response.set(.serverTiming, TileTiming.cachedHeader)
        response.cacheResult = .hit
        return PreparedResponse(response)
    }

    private static let tile = APIOperation(
        "a tile: `/tiles/[STYLE/]Z/X/Y[@2x].png`", .tiles,
        detail: "256 pixels, or 512 with `@2x`. A tile without data is transparent.",
        parameters: [.style] + .tile + .selection + .appearance + [
            APIParameter("v", .text(), "A revision: while it is the current one, the tile may be cached for ever")
        ], answers: [APIResponse("The tile", .png)], traits: [.canBeMissing, .hasETag]
    ).at(
        ["", "{style}/"].flatMap { ["/tiles/\($0){z}/{x}/{y}.png", "/tiles/\($0){z}/{x}/{y}@2x.png"] })
}

extension CachedTile {
    /// The response to `request`: `304` if the client has the tile already, else the tile; cacheable for ever if the
    /// URL has the current revision.
    public func reply(to request: Request, isCurrent: Bool = false) -> OutgoingResponse {
        let response = isCurrent ? immutableResponse : response
        return request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
    }
}

extension APITag {
    static let tiles = APITag("tiles", "Heat maps and lines as tiles, their styles, layers and legends")
}
