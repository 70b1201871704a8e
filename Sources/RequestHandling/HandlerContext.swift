package import GridStorage
package import HTTPCore
package import Locking
package import OpenAPI
package import TrackStore

/// Answers the requests of some routes.
package protocol RequestHandler: Sendable {
    /// Adds the routes to those of a server.
    func add(to routes: inout Routes)
}

/// What the handlers of a server share.
package struct HandlerContext: Sendable {
    package let library: Library
    package let queues: RequestQueues
    package let tiles: TileSettings
    package let changes: LibraryChanges
    /// Tells the operator of an error.
    package let report: @Sendable (any Error) -> Void
    private let serverStatus: Locked<ServerStatus>

    package init(
        library: Library, queues: RequestQueues, tiles: TileSettings, changes: LibraryChanges,
        serverStatus: Locked<ServerStatus>, report: @escaping @Sendable (any Error) -> Void
    ) {
        self.library = library
        self.queues = queues
        self.tiles = tiles
        self.changes = changes
        self.serverStatus = serverStatus
        self.report = report
    }

    /// What is served now.
    package var status: ServerStatus { serverStatus.withLock { $0 } }

    /// Whether a revision is that of what is served now. Asked for each tile, so nothing is copied.
    package func isCurrent(_ revision: String) -> Bool { serverStatus.withLock { $0.revision == revision } }

    /// Throws a `503` while there are no tiles.
    package func checkReadiness() throws(Problem) { try status.checkReadiness() }

    /// Shows a stored change in tiles, and returns when they show it.
    ///
    /// If that fails, the change is stored all the same, and a client must not send it again: the error is returned and
    /// recorded for `/health`, and the server tries again later.
    @discardableResult
    package func showChange() -> (any Error)? {
        do { try library.catchUp() } catch {
            changes.recordError(error)
            return error
        }
        changes.show()
        return nil
    }
}

/// What handlers tell their server about changes of the library, as functions: no handler depends on the server.
package struct LibraryChanges: Sendable {
    /// Shows changes that the grid has, and returns when tiles show them.
    package let show: @Sendable () -> Void
    /// Keeps the error of a change that is not shown yet.
    package let recordError: @Sendable (any Error) -> Void
    /// Drops the prerendered tiles that a change touches.
    package let dropPictures: @Sendable (GridChange) throws -> Void
    /// Calls a function each time before it is published that nothing in memory is older than the library.
    package let beforePublishing: @Sendable (@escaping @Sendable () throws -> Void) -> Void

    package init(
        show: @escaping @Sendable () -> Void, recordError: @escaping @Sendable (any Error) -> Void,
        dropPictures: @escaping @Sendable (GridChange) throws -> Void,
        beforePublishing: @escaping @Sendable (@escaping @Sendable () throws -> Void) -> Void
    ) {
        self.show = show
        self.recordError = recordError
        self.dropPictures = dropPictures
        self.beforePublishing = beforePublishing
    }
}
