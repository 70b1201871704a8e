import CMicroHTTPD
import Glibc
import HTTPCore

/// The C callbacks of libmicrohttpd; each calls the event loop in its context.
///
/// The event loop outlives its daemon, which it stops itself. The library keeps a reference to a connection from its
/// start to its end.
enum Callbacks {
    /// Memory per connection: our longest target and headers, the library's data for each header, and the response's
    /// headers. Beyond it the library refuses the request itself. It clears this memory after each request, so a larger
    /// size costs time.
    private static let connectionBytes = 32 * 1024

    /// Starts a daemon that accepts connections from a socket and calls an event loop, which then runs it.
    static func start(_ eventLoop: EventLoop, on socket: ListeningSocket) throws(ListenError) {
        // A duplicate instead of another socket with SO_REUSEPORT: with that option, a second server could start on the
        // same port unnoticed, and a loop that closes its socket would reset the connections that wait in its queue.
        let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .notStarted }
        let daemon = unsafe tileserve_start_daemon(
            descriptor, UInt32(eventLoop.connectionLimit), UInt32(eventLoop.limits.idleSeconds), connectionBytes,
            { context, address, _ in unsafe Callbacks.accept(context, address) },
            { context, connection, _, method, version, block, blockBytes, request in
                unsafe Callbacks.access(context, connection, method, version, block, blockBytes, request)
            },
            { context, text, connection in unsafe Callbacks.target(context, text, connection) },
            { context, _, request, code in unsafe Callbacks.completed(context, request, code) },
            { context, connection, memory, code in unsafe Callbacks.notify(context, connection, memory, code) },
            { context, _, _ in unsafe Callbacks.requestRejected(context) },
            Unmanaged.passUnretained(eventLoop).toOpaque())
        guard let daemon = unsafe daemon else {
            close(descriptor)
            throw .notStarted
        }
        unsafe try eventLoop.start(daemon)
    }

    private static func eventLoop(_ context: UnsafeMutableRawPointer) -> EventLoop {
        unsafe Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    }

    private static func connection(_ context: UnsafeMutableRawPointer) -> OpenConnection {
        unsafe Unmanaged<OpenConnection>.fromOpaque(context).takeUnretainedValue()
    }

    private static func accept(_ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?) -> MHD_Result {
        guard let context = unsafe context, let address = unsafe address,
            let peer = unsafe SocketAddress.read(address)?.address
        else { return .NO }
        return unsafe eventLoop(context).accepts(peer) ? .YES : .NO
    }

    private static func notify(
        _ context: UnsafeMutableRawPointer?, _ native: OpaquePointer?,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
    ) {
        guard let context = unsafe context, let memory = unsafe memory else { return }
        switch code {
        case .CONNECTION_NOTIFY_STARTED:
            guard let native = unsafe native, let address = unsafe tileserve_peer(native),
                let peer = unsafe SocketAddress.read(address)?.address
            else { return }
            let connection = unsafe eventLoop(context).connectionStarted(
                native, descriptor: tileserve_socket(native), peer: peer)
            unsafe memory.pointee = Unmanaged.passRetained(connection).toOpaque()
        default:
            guard let held = unsafe memory.pointee else { return }
            unsafe memory.pointee = nil
            unsafe eventLoop(context).connectionEnded(Unmanaged<OpenConnection>.fromOpaque(held).takeRetainedValue())
        }
    }

    private static func requestRejected(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        unsafe eventLoop(context).libraryRejectedRequest()
    }

    private static func target(
        _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ native: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context, let text = unsafe text, let native = unsafe native,
            let memory = unsafe tileserve_context(native)
        else { return nil }
        unsafe eventLoop(context).lineRead(connection(memory), target: text)
        return unsafe memory
    }

    private static func access(
        _ context: UnsafeMutableRawPointer?, _ native: OpaquePointer?, _ method: UnsafePointer<CChar>?,
        _ version: UnsafePointer<CChar>?, _ block: UnsafePointer<CChar>?, _ blockBytes: UnsafeMutablePointer<Int>?,
        _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let context = unsafe context, let native = unsafe native, let method = unsafe method,
            let version = unsafe version, let memory = unsafe request?.pointee
        else { return .NO }
        if let blockBytes = unsafe blockBytes, unsafe blockBytes.pointee > 0 {
            let block = unsafe UnsafeRawBufferPointer(start: block, count: blockBytes.pointee)
            switch unsafe eventLoop(context).receive(block, connection(memory), native) {
            case .taken: unsafe blockBytes.pointee = 0
            case .postponed: break
            case .refused: return .NO
            }
            return .YES
        }
        return unsafe eventLoop(context).proceed(connection(memory), native, method: method, version: version)
            ? .YES : .NO
    }

    private static func completed(
        _ context: UnsafeMutableRawPointer?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ code: MHD_RequestTerminationCode
    ) {
        guard let context = unsafe context, let memory = unsafe request?.pointee else { return }
        unsafe request?.pointee = nil
        unsafe eventLoop(context).completed(
            connection(memory), isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK)
    }
}
