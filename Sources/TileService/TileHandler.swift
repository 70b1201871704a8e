public import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileDrawing
import TileMath

/// Answers requests for tiles.
struct TileHandler: RequestHandler {
    let renderer: TileRenderer
    let cache: TileCache<TileRequest>
    let context: HandlerContext
    let audience: CacheControl.Audience

    func add(to routes: inout Routes) {
        routes.on(.get, "/tiles/**.png", for: .read, as: Self.tile) { request, _ in
            var target = try TileTarget(request.target)
            if negotiates(target), request.accepts("image/webp", over: "image/png") { target.request.encoding = .webp }
            return try answer(request, target)
        }
        routes.on(.get, "/tiles/**.webp", for: .read, as: Self.webPTile) { request, _ in
            try answer(request, TileTarget(request.target, as: .webp))
        }
    }

    /// Whether the header `Accept` decides about the format of a PNG's URL: only where it saves much.
    private func negotiates(_ target: TileTarget) -> Bool {
        renderer.styles[target.request.style]?.isLargeAsPNG ?? false
    }

    /// Answers a request of any path with a tile: from memory at once, otherwise when it is drawn.
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
                        completion(reply(outcome, to: request, target, isCurrent: isCurrent))
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
        let response = response(picture, of: request)
        var tile = CachedTile(
            eTag: ETag(picture.digest), response: prepared(response, cacheControl(isCurrent: false)),
            immutableResponse: prepared(response, cacheControl(isCurrent: true)))
        tile.timing = picture.timing
        return tile
    }

    private func reply(
        _ outcome: TileResult, to request: Request, _ target: TileTarget, isCurrent: Bool
    ) -> OutgoingResponse {
        switch outcome {
        case .tile(let tile, .hit): return tile.reply(to: request, isCurrent: isCurrent)
        case .tile(let tile, _):
            var response = tile.reply(to: request, isCurrent: isCurrent).response
            response.set(.serverTiming, tile.timing.header)
            response.cacheResult = tile.timing.fromDisk ? .disk : .miss
            return .response(response)
        case .unchanged(let tag):
            var response = Response(
                status: .notModified,
                headers: [
                    ResponseHeader(.eTag, tag.description),
                    ResponseHeader(.cacheControl, cacheControl(isCurrent: isCurrent).description),
                    ResponseHeader(.serverTiming, "cache;desc=miss"),
                ], cacheResult: .miss)
            if negotiates(target) { response.vary(by: "Accept") }
            return .response(response)
        case .failed(let problem): return .response(problem.response)
        }
    }

    private func cacheControl(isCurrent: Bool) -> CacheControl {
        context.tiles.cacheControl(audience, isCurrent: isCurrent)
    }

    private func response(_ picture: TilePicture, of request: TileRequest) -> Response {
        var response = Response.content(picture.bytes, type: request.encoding.mediaType)
        response.set(.eTag, ETag(picture.digest).description)
        guard renderer.styles[request.style]?.isLargeAsPNG == true else { return response }
        response.vary(by: "Accept")
        // Who saves the answer to a URL that ends with .png gets a name that fits.
        if request.encoding == .webp {
            let tile = request.tile
            response.set(.disposition, "inline; filename=\"\(tile.zoom)-\(tile.x)-\(tile.y).webp\"")
        }
        return response
    }

    private func prepared(_ response: Response, _ cacheControl: CacheControl) -> PreparedResponse {
        var response = response
        response.set(.cacheControl, cacheControl.description)
        response.set(.serverTiming, TileTiming.cachedHeader)
        response.cacheResult = .hit
        return PreparedResponse(response)
    }

    private static let tile = operation(
        .png, [.png, .webp],
        "256 pixels, or 512 with `@2x`. A tile without data is transparent. For styles with lines or points, clients whose header "
            + "`Accept` names `image/webp` get WebP.")

    private static let webPTile = operation(.webp, [.webp], "As the PNG, pixel by pixel, in WebP without loss.")

    private static func operation(_ ending: TileEncoding, _ types: [TileEncoding], _ detail: String) -> APIOperation {
        APIOperation(
            "a tile: `/tiles/[STYLE/]Z/X/Y[@2x].\(ending.rawValue)`", .tiles, detail: detail,
            parameters: [.style] + .tile + .selection + .appearance + [
                APIParameter("v", .text(), "A revision: while it is the current one, the tile may be cached for ever")
            ], answers: [APIResponse("The tile", types.map { APIContent($0.mediaType) })],
            traits: [.canBeMissing, .hasETag]
        ).at(
            ["", "{style}/"].flatMap { style in
                ["", "@2x"].map { "/tiles/\(style){z}/{x}/{y}\($0).\(ending.rawValue)" }
            })
    }
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
