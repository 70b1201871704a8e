import CMicroHTTPD
import HTTPCore

/// A connection's stream of events, as libmicrohttpd asks for it; held by the library's response until that is let go.
///
/// Safe: the connection outlives the response that it is sending, and is suspended and resumed under the channel's lock
/// alone, in turn.
@safe
final class EventBody: @unchecked Sendable {
    let channel: EventChannel
    private let native: OpaquePointer

    /// Bytes that the library asks for at a time.
    private static let blockBytes = 16 * 1024
    /// What the library takes for the end of the body, and for an error that closes the connection.
    private static let endOfStream = -1
    private static let endWithError = -2

    init(_ channel: EventChannel, on native: OpaquePointer) {
        self.channel = channel
        unsafe self.native = native
    }

    /// Wakes the connection.
    func resume() {
        unsafe MHD_resume_connection(native)
    }

    /// A response that draws on the channel; nil when there is no memory. The channel is closed with it.
    func response() -> OpaquePointer? {
        let hold = unsafe Unmanaged.passRetained(self)
        let response = unsafe MHD_create_response_from_callback(
            UInt64.max, Self.blockBytes,
            { context, _, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else { return EventBody.endWithError }
                let body = unsafe Unmanaged<EventBody>.fromOpaque(context).takeUnretainedValue()
                return unsafe body.fill(UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, hold.toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                let body = unsafe Unmanaged<EventBody>.fromOpaque(context).takeRetainedValue()
                body.channel.close()
            })
        if unsafe response == nil { unsafe hold.release() }
        return unsafe response
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let portion = channel.take(upTo: buffer.count) { unsafe MHD_suspend_connection(native) }
        switch portion {
        case .bytes(let bytes):
            unsafe buffer.copyBytes(from: bytes)
            return bytes.count
        case .waiting: return 0
        case .ended: return Self.endOfStream
        case .closed: return Self.endWithError
        }
    }
}
