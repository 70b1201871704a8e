import Caching
import HTTPCore
import Locking
import RequestHandling
import TileMath

/// Answers with tiles of an archive, in memory: reading a tile takes a change of threads and a digest, which is as long again
/// as sending it.
struct ArchiveTileMemory: Sendable {
    /// What decides about an answer to a client that has no tile yet.
    private struct Key: Hashable {
        var tile: TileCoordinate
        var audience: CacheControl.Audience
        /// Whether the client takes gzip, in which vector tiles are stored.
        var acceptsGzip: Bool

        init(_ tile: TileCoordinate, _ request: Request) {
            (self.tile, audience, acceptsGzip) = (tile, request.audience, request.acceptsGzip)
        }
    }

    /// The limit of an archive's tiles in memory: some 25,000 tiles of a kilobyte.
    static let byteLimit = 64 << 20
    /// The estimated overhead of an answer besides its tile: key, headers in two forms.
    private static let entryOverheadBytes = 1280

    private let answers = Locked(BoundedCache<Key, PreparedResponse>(costLimit: byteLimit))

    /// The answer to a request; nil if there is none, or if the client asks whether its tile has changed.
    func find(_ tile: TileCoordinate, _ request: Request) -> OutgoingResponse? {
        guard request.headers[.ifNoneMatch] == nil else { return nil }
        return answers.withLock { $0.use(Key(tile, request)) }.map { .prepared($0) }
    }

    /// Keeps an answer with a tile.
    func store(_ answer: OutgoingResponse, _ tile: TileCoordinate, _ request: Request) {
        guard request.headers[.ifNoneMatch] == nil, case .response(let plain) = answer, plain.status == .ok else {
            return
        }
        var response = CompressingResponder.form(of: plain, for: request)
        response.cacheResult = .hit
        let prepared = PreparedResponse(response)
        let cost = response.body.byteCount + Self.entryOverheadBytes
        answers.withLock { _ = $0.store(prepared, for: Key(tile, request), cost: cost) }
    }
}
