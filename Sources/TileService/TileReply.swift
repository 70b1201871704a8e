public import HTTPCore

extension CachedTile {
    /// The answer to `request`: `304` if the reader has the tile already, else the tile; to be kept for ever where the URL
    /// names the current revision.
    public func reply(to request: Request, isCurrent: Bool = false) -> Reply {
        let response = isCurrent ? lasting : response
        return request.alreadyHas(eTag) ? .notModified(response) : .prepared(response)
    }
}
