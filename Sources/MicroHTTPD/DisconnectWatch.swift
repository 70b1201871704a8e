import CMicroHTTPD
import Dispatch
import Glibc

/// Detects suspended connections whose client has disconnected: libmicrohttpd does not watch a socket while its
/// connection is suspended.
///
/// A client that has closed its sending side counts as disconnected, as in nginx: there is no other difference between
/// a browser that has given up a tile and one that waits.
final class DisconnectWatch {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// Nil if the system has no descriptor left. `gone` is called on `queue` with the descriptor of a watched socket.
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

    /// Starts watching a socket; false if the system refuses.
    func watch(_ socket: Int32) -> Bool {
        tileserve_watch_add(descriptor, socket) == 0
    }

    /// Stops watching a socket.
    func unwatch(_ socket: Int32) {
        tileserve_watch_remove(descriptor, socket)
    }

    /// Stops watching all sockets and closes the descriptor.
    func cancel() {
        source.cancel()
    }
}
