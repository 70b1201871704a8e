/// An answer to a request.
public struct Response: Sendable {
    public var status: Status
    /// The headers, in sending order; the listener adds `Date`, `Connection` and `Content-Length`.
    public var headers: [ResponseHeader]
    public var body: Body
    /// For logs: whether the response came from a cache.
    public var cacheResult: CacheResult?

    public init(
        status: Status, headers: [ResponseHeader] = [], body: Body = .empty, cacheResult: CacheResult? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.cacheResult = cacheResult
    }

    /// The body of a response.
    public enum Body: Sendable {
        case empty
        /// Bytes, shared with other holders of the array, not copied.
        case bytes([UInt8])
        /// A stream produced while it is sent; used by one response only.
        case events(EventChannel)

        /// The size in bytes if it is known before sending; 0 for a stream.
        public var byteCount: Int {
            switch self {
            case .empty, .events: 0
            case .bytes(let bytes): bytes.count
            }
        }
    }

    /// The value of the first header with this name.
    public subscript(name: HeaderName) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Sets a header, replacing earlier values.
    public mutating func set(_ name: HeaderName, _ value: String) {
        headers.removeAll { $0.name == name }
        headers.append(ResponseHeader(name, value))
    }

    /// Adds `token` to `Vary` if it is missing.
    public mutating func vary(by token: String) {
        guard let present = self[.vary] else { return headers.append(ResponseHeader(.vary, token)) }
        let tokens = present.split(separator: ",").map { $0.filter { $0 != " " } }
        if !tokens.contains(token) { set(.vary, "\(present), \(token)") }
    }

    /// Adds `Origin` to `Vary`: the CORS headers differ, see `OriginPolicy`.
    mutating func varyByOrigin() { vary(by: "Origin") }

    /// A `200` with UTF-8 text of this media type.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
        Response(status: .ok, headers: [ResponseHeader(.contentType, type)], body: .bytes(Array(text.utf8)))
    }
}

/// One header of a response.
public struct ResponseHeader: Hashable, Sendable {
    public let name: HeaderName
    /// Its value, without line breaks.
    public let value: String

    /// Line breaks and NULs in the value become spaces, so that a value cannot inject another header.
    public init(_ name: HeaderName, _ value: String) {
        self.name = name
        let isPlain = value.utf8.allSatisfy { $0 != 0x0a && $0 != 0x0d && $0 != 0 }
        self.value = isPlain ? value : String(value.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }
}

/// A status code of HTTP.
public struct Status: Hashable, Sendable, CustomStringConvertible {
    /// 100–999.
    public let code: Int
    /// The reason phrase of RFC 9110, used as the title of problems.
    public let phrase: String

    private init(_ code: Int, _ phrase: String) {
        self.code = code
        self.phrase = phrase
    }

    public static let ok = Status(200, "OK")
    public static let created = Status(201, "Created")
    public static let accepted = Status(202, "Accepted")
    public static let noContent = Status(204, "No Content")
    public static let notModified = Status(304, "Not Modified")
    public static let movedPermanently = Status(301, "Moved Permanently")
    public static let permanentRedirect = Status(308, "Permanent Redirect")
    public static let badRequest = Status(400, "Bad Request")
    public static let unauthorized = Status(401, "Unauthorized")
    public static let forbidden = Status(403, "Forbidden")
    public static let notFound = Status(404, "Not Found")
    public static let methodNotAllowed = Status(405, "Method Not Allowed")
    public static let conflict = Status(409, "Conflict")
    public static let preconditionFailed = Status(412, "Precondition Failed")
    public static let contentTooLarge = Status(413, "Content Too Large")
    public static let uriTooLong = Status(414, "URI Too Long")
    public static let unsupportedMediaType = Status(415, "Unsupported Media Type")
    public static let misdirectedRequest = Status(421, "Misdirected Request")
    public static let unprocessable = Status(422, "Unprocessable Content")
    public static let tooManyRequests = Status(429, "Too Many Requests")
    public static let headersTooLarge = Status(431, "Request Header Fields Too Large")
    public static let internalServerError = Status(500, "Internal Server Error")
    public static let serviceUnavailable = Status(503, "Service Unavailable")
    public static let insufficientStorage = Status(507, "Insufficient Storage")

    public var description: String { "\(code) \(phrase)" }
}

/// Where a cacheable response came from.
public enum CacheResult: String, Sendable {
    /// The memory cache.
    case hit
    /// The disk cache.
    case disk
    /// It was produced for this request, or for an identical one at the same time.
    case miss
}
