import HTTPCore
import Locking
import TileDrawing

/// Answers requests for tiles.
struct TileHandler: Sendable {
    let renderer: TileRenderer
    let cache: TileCache<TileRequest>
    let serverStatus: Locked<ServerStatus>
    let cacheControl: CacheControl

    /// Answers from memory at once; otherwise when the tile is drawn.
    func answer(_ request: Request) throws(Problem) -> Answer {
        let target = try TileTarget(request.target)
        // Checked before the cache is read: what is in memory afterwards belongs to this revision.
        let isCurrent = isCurrent(target.revision)
        if let tile = cache.find(target.request) {
            return .ready(tile.reply(to: request, isCurrent: isCurrent))
        }
        try serverStatus.withLock { $0 }.checkReadiness()
        do { try renderer.check(target.request) } catch { throw Problem.problem(of: error) }
        return .deferred(
            Deferred { [self] completion in
                cache.draw(
                    target.request, plan: { try plan(target.request) }, has: { request.alreadyHas($0) },
                    reply: { outcome in
                        // The grid may have changed while the tile was drawn from its previous state.
                        let isCurrent = isCurrent && self.isCurrent(target.revision)
                        completion(reply(outcome, to: request, isCurrent: isCurrent))
                    })
            })
    }

    private func isCurrent(_ revision: String?) -> Bool {
        guard let revision else { return false }
        return serverStatus.withLock { $0.revision == revision }
    }

    private func plan(_ request: TileRequest) throws -> TilePlan {
        // A request from just before the start of a rebuild is answered like one after it.
        try serverStatus.withLock { $0 }.checkReadiness()
        return TilePlan(eTag: ETag(try renderer.digest(of: request))) {
            let picture = try renderer.picture(request)
            let tag = ETag(picture.digest)
            var tile = CachedTile(
                eTag: tag, response: prepared(picture.bytes, tag, cacheControl),
                immutableResponse: prepared(picture.bytes, tag, lastingControl))
            tile.timing = picture.timing
            return tile
        }
    }

    private func reply(_ outcome: TileOutcome, to request: Request, isCurrent: Bool) -> Reply {
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
                        ResponseHeader(.cacheControl, (isCurrent ? lastingControl : cacheControl).description),
                        ResponseHeader(.serverTiming, "cache;desc=miss"),
                    ], cacheResult: .miss))
        case .failed(let problem): return .response(problem.response)
        }
    }

    /// For URLs with the current revision: cacheable for ever, unless caching is disabled.
    private var lastingControl: CacheControl {
        cacheControl.freshness == .none ? cacheControl : CacheControl(cacheControl.audience, .immutable)
    }

    private func prepared(_ picture: [UInt8], _ tag: ETag, _ cacheControl: CacheControl) -> PreparedResponse {
        PreparedResponse(
            Response(
                status: .ok,
                headers: [
                    ResponseHeader(.contentType, "image/png"), ResponseHeader(.eTag, tag.description),
                    ResponseHeader(.cacheControl, cacheControl.description),
                    ResponseHeader(.serverTiming, "cache;desc=hit"),
                ], body: .bytes(picture), cacheResult: .hit))
    }
}

extension TileTiming {
    /// The header `Server-Timing`: milliseconds, to a thousandth.
    var header: String {
        guard !fromDisk else { return "cache;desc=disk, grid;dur=\(Self.text(grid))" }
        return "cache;desc=miss, grid;dur=\(Self.text(grid)), draw;dur=\(Self.text(draw)), "
            + "encode;dur=\(Self.text(encode))"
    }

    private static func text(_ milliseconds: Double) -> String {
        let microseconds = Int((milliseconds * 1000).rounded())
        return "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())"
    }
}
