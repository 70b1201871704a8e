import Foundation

/// The token that a request carries, before it is checked.
struct Credentials: Hashable {
    /// How the token was sent.
    enum Kind: Hashable {
        case bearer
        /// A browser that has stored it sends it with every request to this site, also those caused by other sites'
        /// pages.
        case basic
        case query
        case session
        /// An `Authorization` header that cannot be parsed: treated as a token that is not valid.
        case malformed

        /// Whether a browser sends it by itself, also with requests that pages of other sites cause.
        var isSentByBrowsers: Bool { self == .basic || self == .session }
    }

    let kind: Kind
    let token: String

    private init(_ kind: Kind, _ token: String) {
        self.kind = kind
        self.token = token
    }

    /// The header of Reitti's apps. Pages of other sites cannot send it.
    private static let tokenHeader = HeaderName("X-API-Token")

    /// Reads the headers, else a key in the URL if `acceptsQueryKey`; nil if the request has neither.
    init?(_ request: Request, acceptsQueryKey: Bool) {
        if let header = request.headers[.authorization] {
            self = Self.read(header)
        } else if let token = request.headers[Self.tokenHeader] {
            self.init(.bearer, token)
        } else if acceptsQueryKey, let key = request.target.secret {
            self.init(.query, key)
        } else {
            return nil
        }
    }

    /// The token in the cookie that a login has set; nil if there is none.
    init?(session request: Request) {
        guard let cookies = request.headers[SessionCookie.header] else { return nil }
        guard let token = SessionCookie.token(in: cookies) else { return nil }
        self.init(.session, token)
    }

    private static func read(_ header: String) -> Credentials {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return Credentials(.malformed, "") }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "bearer": return Credentials(.bearer, value)
        case "basic":
            // Any user name is accepted: the password is the token.
            guard let data = Data(base64Encoded: value), let text = String(data: data, encoding: .utf8),
                let colon = text.firstIndex(of: ":")
            else { return Credentials(.malformed, "") }
            return Credentials(.basic, String(text[text.index(after: colon)...]))
        default: return Credentials(.malformed, "")
        }
    }
}
