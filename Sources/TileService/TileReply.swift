public import HTTPCore

extension CachedTile {
    /// The response to `request`: `304` if the client has the tile already, else the tile; cacheable for ever if the
    /// URL has the current revision.
    public func reply(to request: Request, isCurrent: Bool = false) -> Reply {
        let response = isCurrent ? immutableResponse : response
        return request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
    }
}
