/// Decides what each request may do, from its token or from the address it comes from.
public struct AccessControl: Sendable {
    private let acceptsLocalCallers: Bool
    private let publicOrigins: Set<WebOrigin>
    private let allowsPublicReading: Bool
    /// Who may cache what is answered to requests without a token.
    public let audience: CacheControl.Audience
    private let tokens: (any TokenRegistry)?

    /// Access rules for a listener at `addresses`. If all of them are loopback addresses, requests without a token may
    /// read, and may make changes that a page of another site could not cause. That does not hold for requests that a
    /// proxy has forwarded. Where there is a public URL there is a proxy, which need not say that it forwards, and may
    /// rewrite Host: then every request needs a token. `publicReading` lets everybody read.
    public init(
        listening addresses: [IPAddress], publicURLs: [WebOrigin] = [], publicReading: Bool = false,
        tokens: (any TokenRegistry)? = nil
    ) {
        acceptsLocalCallers = publicURLs.isEmpty && addresses.allSatisfy(\.isLoopback)
        publicOrigins = Set(publicURLs)
        allowsPublicReading = publicReading
        audience = publicReading ? .everyone : .reader
        self.tokens = tokens
    }

    /// Everybody who gets here may read, and nobody may do anything else. `audience` tells who may cache the answers: not
    /// everybody where only those get here who have a link.
    public init(readingOnlyFor audience: CacheControl.Audience) {
        acceptsLocalCallers = false
        publicOrigins = []
        allowsPublicReading = true
        self.audience = audience
        tokens = nil
    }

    /// Whether nothing in a request says who makes it, and where it comes from gives it no rights.
    public func isAnonymous(_ request: Request) -> Bool {
        Credentials(request, acceptsQueryKey: true) == nil && Credentials(session: request) == nil
            && identify(request).caller == .anonymous
    }

    /// The token of a request, if it is one that shows an edition only.
    public func editionToken(of request: Request) -> Authorization? {
        guard let credentials = Credentials(request, acceptsQueryKey: true),
            let authorization = tokens?.authorization(for: credentials.token), authorization.edition != nil
        else { return nil }
        return authorization
    }

    /// Closes an event stream when the token that opened it is removed.
    public func close(_ channel: EventChannel, whenRevoked authorization: Authorization) {
        tokens?.closeWhenRevoked(channel, openedBy: authorization)
    }

    /// The caller of a request, and the token it used.
    struct AuthorizedCaller {
        var caller: Caller
        var authorization: Authorization?
    }

    /// The caller of a request that needs this permission. Throws a problem if the caller does not have it: `401`
    /// without a valid token, `403` with a token that does not include it, `503` with a token that cannot be checked.
    func authorize(_ request: Request, to permission: Permission) throws(Problem) -> AuthorizedCaller {
        switch permission {
        case .nothing: return identify(request)
        case .read, .inspect:
            let authorized = identify(request)
            guard authorized.caller.canRead else {
                let hasToken = Credentials(request, acceptsQueryKey: true) != nil
                throw hasToken && tokens?.isReadable == false
                    ? Self.unreadableTokens : Self.unauthorized("reading needs a token")
            }
            guard authorized.caller.has(permission) else {
                throw Problem(.forbidden, "only the library's owner may see this; use the owner's token")
            }
            return authorized
        case .request, .record, .contribute, .change:
            // Some recording apps can only be given a URL, so recording accepts a key in the query. No other link may
            // change data.
            let credentials = Credentials(request, acceptsQueryKey: permission == .record)
            return try authorizeChange(request, credentials, to: permission)
        case .session:
            let credentials = Credentials(request, acceptsQueryKey: true) ?? Credentials(session: request)
            guard credentials != nil || mayChangeWithoutToken(request) else {
                return AuthorizedCaller(caller: .anonymous)
            }
            return try authorizeChange(request, credentials, to: .record)
        }
    }

    /// Closes the event stream in `reply`, if there is one, when the token that opened it is removed.
    func closeWhenRevoked(_ reply: OutgoingResponse, openedBy authorization: Authorization?) {
        guard let authorization, case .response(let response) = reply, case .events(let channel) = response.body else {
            return
        }
        tokens?.closeWhenRevoked(channel, openedBy: authorization)
    }

    /// Who may cache a readable response: the reader alone if the request carries a token.
    func audience(of request: Request) -> CacheControl.Audience {
        Credentials(request, acceptsQueryKey: true) == nil ? audience : .reader
    }

    private func identify(_ request: Request) -> AuthorizedCaller {
        let isGet = request.method == .get || request.method == .head
        if let authorization = Credentials(request, acceptsQueryKey: isGet).flatMap({
            tokens?.authorization(for: $0.token)
        }) {
            return AuthorizedCaller(caller: authorization.caller, authorization: authorization)
        }
        if isLocal(request) { return AuthorizedCaller(caller: .local) }
        return AuthorizedCaller(caller: allowsPublicReading ? .viewer : .anonymous)
    }

    private func authorizeChange(
        _ request: Request, _ credentials: Credentials?, to permission: Permission
    ) throws(Problem) -> AuthorizedCaller {
        guard let credentials else {
            guard mayChangeWithoutToken(request) else { throw Self.unauthorized("changes need a token") }
            return AuthorizedCaller(caller: .local)
        }
        let authorization = try authorization(for: credentials.token, to: permission)
        guard !credentials.kind.isSentByBrowsers || isSameOrigin(request) else {
            throw Problem(
                .forbidden,
                "a page of another site may not make changes here; send the token as 'Authorization: Bearer'")
        }
        return AuthorizedCaller(caller: authorization.caller, authorization: authorization)
    }

    /// The rights of a token that a login has sent in its body. Throws as `authorize` does.
    public func authorization(for token: String, to permission: Permission) throws(Problem) -> Authorization {
        guard let authorization = tokens?.authorization(for: token) else {
            throw tokens?.isReadable == false ? Self.unreadableTokens : Self.unauthorized("the token is not valid")
        }
        guard authorization.caller.has(permission) else {
            throw Self.forbidden(permission)
        }
        return authorization
    }

    /// Whether the request comes from this machine, and no page of another site can have caused it.
    private func mayChangeWithoutToken(_ request: Request) -> Bool {
        isLocal(request) && request.method != .get && request.method != .head && isSameOrigin(request)
    }

    /// The answer to a token that cannot be checked: a recording app sends its points again, instead of giving up.
    private static let unreadableTokens = Problem.unavailable(
        "the server cannot read its tokens; try again", retryAfterSeconds: 5)

    private static func forbidden(_ permission: Permission) -> Problem {
        Problem(.forbidden, "this token does not permit this; use \(requiredToken(permission))")
    }

    private static func requiredToken(_ permission: Permission) -> String {
        switch permission {
        case .record: "the token of a recorder, a member or the owner"
        case .contribute: "a member's token or the owner's token"
        default: "the owner's token"
        }
    }

    private static func unauthorized(_ detail: String) -> Problem {
        Problem(
            .unauthorized, detail,
            headers: [ResponseHeader(.authenticate, "Bearer, Basic realm=\"tileserve\", charset=\"UTF-8\"")])
    }

    // MARK: Origin of a request

    /// Whether the request can only have come from this machine, judged by its address and headers.
    private func isLocal(_ request: Request) -> Bool {
        acceptsLocalCallers && !request.wasForwarded
    }

    /// Whether the request was not caused by a page of another site in a browser.
    private func isSameOrigin(_ request: Request) -> Bool {
        // Current browsers say where a request comes from. Older ones send at least Origin with every method but GET
        // and HEAD (Fetch, 3.2), so a change without it comes from another program.
        if let site = request.headers[.secFetchSite], site != "none", site != "same-origin" { return false }
        guard let text = request.headers[.origin] else { return true }
        guard let origin = WebOrigin(text) else { return false }
        if publicOrigins.contains(origin) { return true }
        let host = request.target.authority ?? request.headers[.host] ?? ""
        // The server speaks plain HTTP; a page loaded over HTTPS has one of the public URLs.
        return origin.scheme == "http" && origin.authority == Authority(host)
    }
}

extension Request {
    /// Whether the request shows that a proxy forwarded it: by a header, or by HTTP/1.0, which nginx uses unless
    /// configured otherwise, and browsers do not.
    package var wasForwarded: Bool {
        version == .http10 || HeaderName.proxyHeaders.contains { headers.count(of: $0) > 0 }
    }
}
