import HTTPCore
import Locking
import PrimaryStore
import TrackStore

/// The server of a library's inbox. Requests for the layer `inbox` are answered by it with the same code, so that
/// tiles, legends, lists and replays work as for any library.
final class InboxServer: Sendable {
    private let library: Library
    private let styleFolder: StyleFolder?
    private let configuration: ServerConfiguration
    private let server = Locked<TileServer?>(nil)

    /// Divisor of the memory and the queue limits: an inbox has few tracks and few readers.
    private static let share = 8

    /// The inbox of `library`, with limits derived from those of the library's own server. Reading is never public:
    /// nobody without a token may see what is not accepted.
    init(of library: Library, _ styleFolder: StyleFolder?, _ configuration: ServerConfiguration) {
        self.library = library
        self.styleFolder = styleFolder
        var configuration = configuration
        configuration.cacheBytes /= Self.share
        configuration.waitingLimit = max(1, configuration.waitingLimit / Self.share)
        configuration.eventStreams = max(1, configuration.eventStreams / Self.share)
        configuration.disk = nil
        configuration.allowsPublicReading = false
        // A service learns nothing of tracks that are not accepted.
        configuration.geocoding = nil
        self.configuration = configuration
    }

    /// Whether the inbox has no tracks.
    var isEmpty: Bool { (server.withLock { $0 }?.tracks ?? 0) == 0 }

    /// The router of the inbox for a request that names its layer; nil for other requests, and while there is no inbox.
    func router(for request: Request) -> Router? {
        guard let server = server.withLock({ $0 }), Self.asksForInbox(request) else { return nil }
        return server.router
    }

    /// Starts the server once an inbox exists. Called by each poll for changes; cheap while there is no inbox.
    func poll() throws {
        guard server.withLock({ $0 == nil }), let inbox = try library.inbox() else { return }
        let made = try TileServer(library: inbox, styleFolder: styleFolder, configuration: configuration)
        try made.start()
        server.withLock { $0 = made }
    }

    /// Prevents new changes that would delay the shutdown.
    func beginStopping() {
        server.withLock { $0 }?.beginStopping()
    }

    /// Stops polling for changes.
    func stop() {
        server.withLock { $0 }?.stop()
    }

    private static func asksForInbox(_ request: Request) -> Bool {
        guard request.target.query != nil, let parameters = try? request.target.parameters() else { return false }
        return parameters.contains { $0.name == "layer" && $0.value == LayerDefinition.inbox }
    }
}
