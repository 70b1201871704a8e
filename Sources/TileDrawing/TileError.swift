/// Why a tile cannot be drawn. Each text is a sentence for the client; it names no path and no statement.
package enum TileError: Error, Hashable, Sendable {
    /// The request names a style, layer or track that does not exist.
    case notFound(String)
    /// The request asks for something that its style cannot show.
    case badRequest(String)
    /// The grid is being built or updated; the same request succeeds later.
    case unavailable(String, retryAfterSeconds: Int = TileError.buildingRetrySeconds)
    /// The grid contradicts itself.
    case inconsistent

    /// When a client asks again for what is being built: long enough that many clients cost nothing.
    package static let buildingRetrySeconds = 5
}
