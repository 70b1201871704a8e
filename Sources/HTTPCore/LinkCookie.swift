/// The cookie of a browser that has opened a link. It is sent only below the path of links, so that it gives nothing to the pages
/// of the owner, and no page of another site can use it.
public enum LinkCookie {
    /// Its name.
    public static let name = "tileserve-link"
    /// The path below which links are answered, without a slash at its end.
    public static let path = "/s"
    /// The same as it stands in requests.
    public static let pathBytes = Array(path.utf8)

    /// The header that sets the cookie, until the browser is closed. `base` is the URL under which the client has reached the
    /// server: with `https`, the cookie is kept from connections without TLS.
    public static func setting(_ value: String, below base: String) -> ResponseHeader {
        let secure = base.hasPrefix("https://") ? "; Secure" : ""
        // Scheme, nothing, authority, and the path prefix of a proxy.
        let prefix = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first
        let below = prefix.map { "/\($0)" } ?? ""
        return ResponseHeader(
            SessionCookie.setting, "\(name)=\(value); Path=\(below)\(path)/\(secure); HttpOnly; SameSite=Strict")
    }

    /// The cookie of a request; nil if it has none.
    public static func value(of request: Request) -> String? {
        request.headers[SessionCookie.header].flatMap { SessionCookie.value(of: name, in: $0) }
    }
}
