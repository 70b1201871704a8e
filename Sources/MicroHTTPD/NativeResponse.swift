import CMicroHTTPD
import HTTPCore

/// A response in libmicrohttpd's form; reference-counted there, so that many connections can send it at once.
///
/// `@unchecked Sendable`: it is not changed after `init`, and the library locks its reference count.
@safe
final class NativeResponse: @unchecked Sendable {
    let pointer: OpaquePointer
    let bodyBytes: Int

    /// Nil if there is no memory, or if the library does not accept a header. A stream reads from `events`; without it,
    /// the body of a stream is empty.
    init?(_ response: Response, events: EventStreamBody? = nil, closing: Bool = false) {
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

    /// A response that uses the array's own storage without a copy. The storage does not move while the array is
    /// referenced, and a shared array is copied before it is changed. The library releases its reference when it is
    /// done.
    private static func sharing(_ bytes: [UInt8]) -> OpaquePointer? {
        let hold = unsafe Unmanaged.passRetained(ArrayOwner(bytes))
        let response = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe MHD_create_response_from_buffer_with_free_callback_cls(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                { hold in
                    guard let hold = unsafe hold else { return }
                    unsafe Unmanaged<ArrayOwner>.fromOpaque(hold).release()
                }, hold.toOpaque())
        }
        if unsafe response == nil { unsafe hold.release() }
        return unsafe response
    }

    private final class ArrayOwner {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }
    }
}
