/// The name of a header, compared case-insensitively.
///
/// Names that tileserve reads or writes have a numeric code, so that comparing two of them compares one byte.
public struct HeaderName: Hashable, Sendable, CustomStringConvertible {
    /// 0 for names without a code.
    let code: UInt8
    private let text: String

    private init(_ code: UInt8, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The name `text`, in any letter case.
    public init(_ text: String) {
        let bytes = Array(text.utf8)
        let code = Self.code(of: bytes.span)
        self.init(code, code == 0 ? text.lowercased() : Self.known[Int(code) - 1].text)
    }

    public var description: String { text }

    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && (left.code != 0 || left.text == right.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        if code == 0 { hasher.combine(text) }
    }

    public static var host: HeaderName { HeaderName(1, "Host") }
    public static var ifNoneMatch: HeaderName { HeaderName(2, "If-None-Match") }
    public static var origin: HeaderName { HeaderName(3, "Origin") }
    public static var accept: HeaderName { HeaderName(4, "Accept") }
    public static var authorization: HeaderName { HeaderName(5, "Authorization") }
    public static var secFetchSite: HeaderName { HeaderName(6, "Sec-Fetch-Site") }
    public static var contentLength: HeaderName { HeaderName(7, "Content-Length") }
    public static var transferEncoding: HeaderName { HeaderName(8, "Transfer-Encoding") }
    public static var lastEventID: HeaderName { HeaderName(9, "Last-Event-ID") }
    public static var requestedMethod: HeaderName { HeaderName(10, "Access-Control-Request-Method") }
    public static var requestedHeaders: HeaderName { HeaderName(11, "Access-Control-Request-Headers") }
    public static var requestedPrivateNetwork: HeaderName { HeaderName(12, "Access-Control-Request-Private-Network") }
    public static var allowOrigin: HeaderName { HeaderName(13, "Access-Control-Allow-Origin") }
    public static var allowMethods: HeaderName { HeaderName(14, "Access-Control-Allow-Methods") }
    public static var allowHeaders: HeaderName { HeaderName(15, "Access-Control-Allow-Headers") }
    public static var allowPrivateNetwork: HeaderName { HeaderName(16, "Access-Control-Allow-Private-Network") }
    public static var exposeHeaders: HeaderName { HeaderName(17, "Access-Control-Expose-Headers") }
    public static var maxAge: HeaderName { HeaderName(18, "Access-Control-Max-Age") }
    public static var allow: HeaderName { HeaderName(19, "Allow") }
    public static var cacheControl: HeaderName { HeaderName(20, "Cache-Control") }
    public static var connection: HeaderName { HeaderName(21, "Connection") }
    public static var contentType: HeaderName { HeaderName(22, "Content-Type") }
    public static var contentTypeOptions: HeaderName { HeaderName(23, "X-Content-Type-Options") }
    public static var eTag: HeaderName { HeaderName(24, "ETag") }
    public static var retryAfter: HeaderName { HeaderName(25, "Retry-After") }
    public static var serverTiming: HeaderName { HeaderName(26, "Server-Timing") }
    public static var vary: HeaderName { HeaderName(27, "Vary") }
    public static var userAgent: HeaderName { HeaderName(28, "User-Agent") }
    public static var contentEncoding: HeaderName { HeaderName(29, "Content-Encoding") }
    public static var authenticate: HeaderName { HeaderName(30, "WWW-Authenticate") }
    public static var disposition: HeaderName { HeaderName(36, "Content-Disposition") }
    public static var acceptEncoding: HeaderName { HeaderName(37, "Accept-Encoding") }
    public static var ifMatch: HeaderName { HeaderName(38, "If-Match") }
    public static var location: HeaderName { HeaderName(39, "Location") }
    static var forwarded: HeaderName { HeaderName(31, "Forwarded") }
    static var forwardedFor: HeaderName { HeaderName(32, "X-Forwarded-For") }
    public static var forwardedHost: HeaderName { HeaderName(33, "X-Forwarded-Host") }
    static var realAddress: HeaderName { HeaderName(34, "X-Real-IP") }
    static var via: HeaderName { HeaderName(35, "Via") }

    /// Headers that proxies add to requests that they forward.
    static let proxyHeaders = [forwarded, forwardedFor, forwardedHost, realAddress, via]

    /// Ordered by code; the name with code 1 is at index 0.
    private static let known: [HeaderName] = [
        host, ifNoneMatch, origin, accept, authorization, secFetchSite, contentLength, transferEncoding, lastEventID,
        requestedMethod, requestedHeaders, requestedPrivateNetwork, allowOrigin, allowMethods, allowHeaders,
        allowPrivateNetwork, exposeHeaders, maxAge, allow, cacheControl, connection, contentType, contentTypeOptions,
        eTag, retryAfter, serverTiming, vary, userAgent, contentEncoding, authenticate, forwarded, forwardedFor,
        forwardedHost, realAddress, via, disposition, acceptEncoding, ifMatch, location,
    ]

    /// Lower-case spellings of `known`, indexed by their length in bytes.
    private static let codesByLength: [[(code: UInt8, spelling: [UInt8])]] = {
        var table: [[(code: UInt8, spelling: [UInt8])]] = []
        for name in known {
            let spelling = Array(name.text.lowercased().utf8)
            while table.count <= spelling.count { table.append([]) }
            table[spelling.count].append((name.code, spelling))
        }
        return table
    }()

    /// The code of the name `bytes`; 0 if it has none.
    static func code(of bytes: Span<UInt8>) -> UInt8 {
        let table = codesByLength
        guard bytes.count < table.count else { return 0 }
        candidates: for (code, spelling) in table[bytes.count] {
            for index in 0..<bytes.count where bytes[index].lowercasedASCII != spelling[index] {
                continue candidates
            }
            return code
        }
        return 0
    }
}

extension UInt8 {
    /// The lower-case letter of an ASCII capital; any other byte unchanged.
    var lowercasedASCII: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
