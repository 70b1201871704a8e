public import HTTPCore

extension CachedTile {
    /// The answer to `request`: `304` if the reader has the tile already, else the tile.
    public func reply(to request: Request) -> Reply {
        request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
    }
}

extension TileCache {
    /// The answer to `request` for the tile under `key`: at once from memory, else drawn by `plan`. `finish` makes the reply
    /// of what became of it, so that headers which differ from answer to answer (Server-Timing) can be set.
    public func answer(
        _ request: Request, _ key: Key, plan: @escaping @Sendable () throws -> TilePlan,
        finish: @escaping @Sendable (TileOutcome) -> Reply
    ) -> Answer {
        if let tile = find(key) { return .ready(tile.reply(to: request)) }
        return .deferred(
            Deferred { [self] completion in
                draw(
                    key, plan: plan, has: { request.alreadyHas($0) }, reply: { completion(finish($0)) })
            })
    }
}
