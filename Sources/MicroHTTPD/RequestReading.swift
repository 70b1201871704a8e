import CMicroHTTPD
import Glibc
import HTTPCore

/// Converts libmicrohttpd's view of a request to a `Request`.
enum RequestReading {
    /// The request whose headers `connection` has read.
    static func request(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        target: RequestTarget, peer: IPAddress
    ) -> Request {
        let headers = unsafe headers(of: connection)
        return Request(
            method: unsafe Method(rawValue: String(cString: method)) ?? .other, target: target,
            version: unsafe ProtocolVersion(rawValue: String(cString: version)) ?? .http10, headers: headers,
            peer: peer, body: body(headers))
    }

    /// The target as received in the request line, and its position in the buffer.
    static func target(_ text: UnsafePointer<CChar>) -> (target: RequestTarget, place: (start: UInt, end: UInt)) {
        let count = unsafe strlen(text)
        let target = unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            unsafe RequestTarget(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
        }
        let start = UInt(bitPattern: text)
        return (target, (start, start + UInt(count)))
    }

    /// Whether the head of the request, its target at `place`, is well-formed; true without a check if the library
    /// parses strictly itself.
    static func isHeadWellFormed(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        target place: (start: UInt, end: UInt)
    ) -> Bool {
        guard tileserve_parses_strictly() == 0 else { return true }
        let start = UInt(bitPattern: method)
        // One blank on each side of the target, and no NUL in it.
        guard unsafe place.start == start + UInt(strlen(method)) + 1, UInt(bitPattern: version) == place.end + 1 else {
            return false
        }
        let head = unsafe UnsafeRawBufferPointer(start: method, count: tileserve_head_bytes(connection))
        let count = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, nil, nil)
        return unsafe RequestHead.isWellFormed(
            head.bindMemory(to: UInt8.self).span, version: Int(place.end + 1 - start), headers: Int(count))
    }

    private static let typicalHeaderBytes = 512

    private static func headers(of connection: OpaquePointer) -> HeaderFields {
        let count = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, nil, nil)
        var fields = HeaderFields()
        fields.reserve(count: Int(count), byteCount: typicalHeaderBytes)
        unsafe withUnsafeMutablePointer(to: &fields) { fields in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameBytes, value, valueBytes in
                    guard let context = unsafe context, let name = unsafe name else { return .YES }
                    let fields = unsafe context.assumingMemoryBound(to: HeaderFields.self)
                    unsafe fields.pointee.add(
                        name: UnsafeRawBufferPointer(start: name, count: nameBytes).bindMemory(to: UInt8.self).span,
                        value: UnsafeRawBufferPointer(start: value, count: valueBytes).bindMemory(to: UInt8.self).span)
                    return .YES
                }, fields)
        }
        return fields
    }

    private static func body(_ headers: HeaderFields) -> DeclaredBody {
        // Transfer-Encoding overrides Content-Length (RFC 9112 6.3).
        if headers.count(of: .transferEncoding) > 0 { return .unknownLength }
        guard headers.count(of: .contentLength) > 0 else { return .none }
        guard let text = headers.single(.contentLength),
            let length = UInt64(String(decoding: text, as: UTF8.self))
        else { return .unknownLength }
        return length == 0 ? .none : .length(length)
    }
}
