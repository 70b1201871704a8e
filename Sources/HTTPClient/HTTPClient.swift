internal import CCURL
internal import Glibc
public import HTTPCore

/// Why a request got no response: the message of libcurl.
public struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// Makes requests to other servers with libcurl. The environment variables of libcurl name proxies.
public struct HTTPClient: Sendable {
    /// Sent as `User-Agent`.
    public var userAgent: String
    /// A request ends after this time, from connecting to the last byte.
    public var timeoutMilliseconds = 10_000
    /// Responses of more bytes are errors.
    public var byteLimit = 1 << 20

    public init(userAgent: String) { self.userAgent = userAgent }

    /// The loaded libcurl; nil if it is not installed.
    nonisolated(unsafe) private static let library = unsafe curl_shim_load()

    /// Returns whether a request must end.
    private final class Cancellation {
        let isCancelled: @Sendable () -> Bool

        init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
    }

    /// GETs a URL of `http` or `https`; the thread waits. `isCancelled` is asked at least once a second.
    public func get(
        _ url: String, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(HTTPClientError) -> HTTPClientResponse {
        guard let library = unsafe Self.library else { throw HTTPClientError(description: "libcurl cannot be loaded") }
        guard !url.utf8.contains(0), !userAgent.utf8.contains(0) else {
            throw HTTPClientError(description: "the URL is invalid")
        }
        var response = unsafe curl_shim_response()
        let cancellation = Cancellation(isCancelled)
        let status = withExtendedLifetime(cancellation) {
            unsafe curl_shim_get(
                library, url, userAgent, timeoutMilliseconds, byteLimit,
                { context in
                    guard let context = unsafe context else { return 0 }
                    let cancellation = unsafe Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
                    return cancellation.isCancelled() ? 1 : 0
                }, Unmanaged.passUnretained(cancellation).toOpaque(), &response)
        }
        defer {
            unsafe free(response.bytes)
            unsafe free(response.redirect)
        }
        guard status == 0 else { throw HTTPClientError(description: unsafe Self.message(&response.message)) }
        var result = unsafe HTTPClientResponse(status: response.status)
        if unsafe response.retry_after > 0 { result.retryAfterSeconds = unsafe Int(clamping: response.retry_after) }
        if let redirect = unsafe response.redirect { result.redirect = unsafe String(cString: redirect) }
        if let bytes = unsafe response.bytes {
            result.body = unsafe Array(UnsafeBufferPointer(start: bytes, count: response.count))
        }
        return result
    }

    private static func message<Buffer>(_ buffer: inout Buffer) -> String {
        unsafe withUnsafeBytes(of: &buffer) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
