import HTTPCore
import Locking
import TrackStore

/// The server of a library's inbox: what asks for the layer `inbox` is answered from there, by the same code, so that tiles,
/// legends, lists and replays of it are all there are of any library.
final class InboxServer: Sendable {
    private let library: Library
    private let styleFolder: StyleFolder?
    private let configuration: ServerConfiguration
    private let server = Locked<TileServer?>(nil)

    /// Of what a server spends on memory and waiting: an inbox has few tracks and few readers.
    private static let share = 8

    /// The inbox of `library`, whose own server is set up so. What is not accepted is nobody's to see who needs no token.
    init(of library: Library, _ styleFolder: StyleFolder?, _ configuration: ServerConfiguration) {
        self.library = library
        self.styleFolder = styleFolder
        var configuration = configuration
        configuration.cacheBytes /= Self.share
        configuration.waitingLimit = max(1, configuration.waitingLimit / Self.share)
        configuration.eventStreams = max(1, configuration.eventStreams / Self.share)
        configuration.disk = nil
        configuration.isReadingPublic = false
        self.configuration = configuration
    }

    /// Whether there is something in it.
    var isEmpty: Bool { (server.withLock { $0 }?.tracks ?? 0) == 0 }

    /// What answers a request that asks for the inbox; nil for any other, and where nothing was ever put in.
    func router(for request: Request) -> Router? {
        guard let server = server.withLock({ $0 }), Self.asksForInbox(request) else { return nil }
        return server.router
    }

    /// Begins once there is an inbox; looked for with each look for changes. Cheap where there is none.
    func look() throws {
        guard server.withLock({ $0 == nil }), let inbox = try library.inbox() else { return }
        let made = try TileServer(library: inbox, styleFolder: styleFolder, configuration: configuration)
        try made.start()
        server.withLock { $0 = made }
    }

    /// Lets no change begin that would hold up the end.
    func beginStopping() {
        server.withLock { $0 }?.beginStopping()
    }

    /// Looks for changes no more.
    func stop() {
        server.withLock { $0 }?.stop()
    }

    private static func asksForInbox(_ request: Request) -> Bool {
        guard request.target.query != nil, let parameters = try? request.target.parameters() else { return false }
        return parameters.contains { $0.name == "layer" && $0.value == Library.inboxName }
    }
}
