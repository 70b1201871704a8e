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

    /// Shows a stored change in tiles, and returns when they show it.
    ///
    /// If that fails, the change is stored all the same, and a client must not send it again: the error is returned and
    /// recorded for `/health`, and the watch tries again later.
    @discardableResult
    func showChange() -> (any Error)? {
        do { try library.catchUp() } catch {
            watch.recordError(error)
            return error
        }
        watch.pollNow()
        return nil
    }
}
