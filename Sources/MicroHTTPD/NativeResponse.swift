import CMicroHTTPD
import HTTPCore

/// An answer as libmicrohttpd sends it; counted there, so that many connections may be sending it.
///
/// Sendable by hand: it does not change once made, and the library locks its count.
@safe
final class NativeResponse: @unchecked Sendable {
    let pointer: OpaquePointer
    let bodyBytes: Int

    /// nil when there is no memory, or a header that the library does not take. Events are drawn from `events`; without it,
    /// a stream of them is empty.
    init?(_ response: Response, events: EventBody? = nil, closing: Bool = false) {
        switch response.body {
        case .events where events != nil:
            guard let pointer = unsafe events?.response() else { return nil }
            unsafe self.pointer = pointer
        case .bytes(let bytes) where !bytes.isEmpty:
            guard let pointer = unsafe Self.sharing(bytes) else { return nil }
            unsafe self.pointer = pointer
        default:
            guard let pointer = unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) else {
                return nil
            }
            unsafe self.pointer = pointer
        }
        bodyBytes = response.body.byteCount
        for header in response.headers {
            guard unsafe MHD_add_response_header(pointer, header.name.description, header.value) == .YES else {
                return nil
            }
        }
        if closing {
            guard unsafe MHD_add_response_header(pointer, HeaderName.connection.description, "close") == .YES else {
                return nil
            }
        }
    }

    deinit {
        unsafe MHD_destroy_response(pointer)
    }

    /// A response over the array's own storage. It stays where it is as long as somebody holds the array, and nobody
    /// changes an array that others hold: a change copies it first. The library gives up its hold when it is done.
    private static func sharing(_ bytes: [UInt8]) -> OpaquePointer? {
        let hold = unsafe Unmanaged.passRetained(Hold(bytes))
        let response = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe MHD_create_response_from_buffer_with_free_callback_cls(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                { hold in
                    guard let hold = unsafe hold else { return }
                    unsafe Unmanaged<Hold>.fromOpaque(hold).release()
                }, hold.toOpaque())
        }
        if unsafe response == nil { unsafe hold.release() }
        return unsafe response
    }

    private final class Hold {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }
}
