import HTTPCore
import Locking
import PrimaryStore
import TrackStore

/// The server of one library, as its inbox needs it.
protocol LibraryServer: Sendable {
    /// The number of tracks served.
    var tracks: Int { get }
    /// Answers requests that have passed the request filter.
    var router: Router { get }

    func start() throws
    func beginStopping()
    func stop()
}

/// The server of a library's inbox. Requests for the layer `inbox` are answered by it with the same code, so that
/// tiles, legends, lists and replays work as for any library.
final class InboxServer: Sendable {
    private let library: Library
    private let serve: @Sendable (_ inbox: Library) throws -> any LibraryServer
    private let server = Locked<(any LibraryServer)?>(nil)

    /// The inbox of `library`, which `serve` makes a server of.
    init(of library: Library, serve: @escaping @Sendable (_ inbox: Library) throws -> any LibraryServer) {
        self.library = library
        self.serve = serve
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
        let made = try serve(inbox)
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
