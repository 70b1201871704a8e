import CMicroHTTPD
import Dispatch
import Glibc

/// Tells which suspended connections have lost their reader: libmicrohttpd looks away from a socket while its
/// connection is suspended.
///
/// A reader that has closed its half counts as gone, as it does for nginx: nothing else tells a browser that gave a
/// tile up from one that waits.
final class DisconnectWatch {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// nil when the system has no descriptor left. `gone` is called on `queue` with a descriptor that was watched.
    init?(queue: DispatchQueue, gone: @escaping @Sendable (Int32) -> Void) {
        let descriptor = tileserve_watch_create()
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            while true {
                let socket = tileserve_watch_next(descriptor)
                guard socket >= 0 else { return }
                gone(socket)
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    /// Begins to watch a socket; false when the system refuses.
    func watch(_ socket: Int32) -> Bool {
        tileserve_watch_add(descriptor, socket) == 0
    }

    /// Ends watching a socket.
    func forget(_ socket: Int32) {
        tileserve_watch_remove(descriptor, socket)
    }

    /// Ends it all.
    func cancel() {
        source.cancel()
    }
}
