/// The cookie of an app that logs in. It carries the token, so that a removed token ends the session, and a restart of
/// the server does not.
public enum SessionCookie {
    static let header = HeaderName("Cookie")
    static let setting = HeaderName("Set-Cookie")
    /// Its name.
    public static let name = "tileserve-session"

    /// The header that sets the cookie; nil if the token has characters that a cookie cannot have. Browsers do not send
    /// it with requests that pages of other sites cause.
    public static func setting(_ token: String) -> ResponseHeader? {
        // RFC 6265 4.1.1
        let isPlain = token.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\",;\\".utf8.contains($0) }
        guard isPlain, !token.isEmpty else { return nil }
        return ResponseHeader(setting, "\(name)=\(token); Path=/; HttpOnly; SameSite=Strict")
    }

    /// The token in a `Cookie` header.
    static func token(in header: String) -> String? {
        // Java's cookies of version 1 are quoted.
        value(of: name, in: header)?.filter { $0 != "\"" }
    }

    /// The value of a cookie in a `Cookie` header.
    static func value(of name: String, in header: String) -> String? {
        for part in header.split(separator: ";") {
            let cookie = part.drop { $0 == " " }
            if cookie.hasPrefix(name + "=") { return String(cookie.dropFirst(name.count + 1)) }
        }
        return nil
    }
}
