import HTTPCore
import Locking
import TileDrawing
import TrackStore

/// What the handlers of a server share. Each handler adds its routes with `add(to:)`.
struct HandlerContext: Sendable {
    let library: Library
    let renderer: TileRenderer
    let configuration: ServerConfiguration
    let queues: RequestQueues
    let watch: LibraryWatch
    let serverStatus: Locked<ServerStatus>

    /// What is served now.
    var status: ServerStatus { serverStatus.withLock { $0 } }

    /// Throws a `503` while there are no tiles.
    func checkReadiness() throws(Problem) { try status.checkReadiness() }
}
