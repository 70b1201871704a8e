import CMicroHTTPD
import HTTPCore

/// A connection's event stream in the form that libmicrohttpd reads; released with the library's response.
///
/// Safe: the connection outlives the response that it sends, and it is only suspended and resumed with the channel's
/// lock held, alternately.
@safe
final class EventStreamBody: @unchecked Sendable {
    let channel: EventChannel
    private let native: OpaquePointer

    /// Bytes that the library requests at a time.
    private static let blockBytes = 16 * 1024
    /// The callback's results for the end of the body, and for an error that closes the connection.
    private static let endOfStream = -1
    private static let endWithError = -2

    init(_ channel: EventChannel, on native: OpaquePointer) {
        self.channel = channel
        unsafe self.native = native
    }

    /// Resumes the connection.
    func resume() {
        unsafe MHD_resume_connection(native)
    }

    /// A response that reads from the channel; nil if there is no memory. The channel is closed when it is released.
    func response() -> OpaquePointer? {
        let hold = unsafe Unmanaged.passRetained(self)
        let response = unsafe MHD_create_response_from_callback(
            UInt64.max, Self.blockBytes,
            { context, _, buffer, capacity in
                guard let context = unsafe context, let buffer = unsafe buffer else {
                    return EventStreamBody.endWithError
                }
                let body = unsafe Unmanaged<EventStreamBody>.fromOpaque(context).takeUnretainedValue()
                return unsafe body.fill(UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, hold.toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                let body = unsafe Unmanaged<EventStreamBody>.fromOpaque(context).takeRetainedValue()
                body.channel.close()
            })
        if unsafe response == nil { unsafe hold.release() }
        return unsafe response
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let result = channel.take(upTo: buffer.count) { unsafe MHD_suspend_connection(native) }
        switch result {
        case .bytes(let bytes):
            unsafe buffer.copyBytes(from: bytes)
            return bytes.count
        case .waiting: return 0
        case .ended: return Self.endOfStream
        case .closed: return Self.endWithError
        }
    }
}
