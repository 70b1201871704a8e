/// The checks before every route: size limits, Host, `OPTIONS`; it adds the CORS headers to every response.
public struct RequestFilter: Responder {
    private let router: Router
    private let otherRouter: @Sendable (Request) -> Router?
    private let limits: Limits
    private let hosts: HostPolicy
    private let origins: OriginPolicy

    /// Filters requests to `router`, or to the router that `other` returns for a request.
    public init(
        _ router: Router, limits: Limits, hosts: HostPolicy, origins: OriginPolicy,
        other: @escaping @Sendable (Request) -> Router? = { _ in nil }
    ) {
        self.router = router
        otherRouter = other
        self.limits = limits
        self.hosts = hosts
        self.origins = origins
    }

    public func answer(_ request: Request) -> Answer {
        do {
            try check(request)
        } catch {
            return .response(error.response)
        }
        let origins = origins
        let answer = request.method == .options ? options(request) : router(for: request).answer(request)
        return answer.map { origins.apply(to: $0, for: request) }
    }

    public func bodyDecision(of request: Request) -> BodyDecision {
        do {
            try check(request)
        } catch {
            return .refused(.response(error.response))
        }
        guard request.method != .options else {
            return .refused(origins.apply(to: .response(BodyPolicy.nothing.tooLongProblem.response), for: request))
        }
        switch router(for: request).bodyDecision(of: request) {
        case .refused(let reply): return .refused(origins.apply(to: reply, for: request))
        case .taken(let rule): return .taken(rule)
        }
    }

    private func router(for request: Request) -> Router {
        otherRouter(request) ?? router
    }

    private func check(_ request: Request) throws(Problem) {
        guard request.target.bytes.count <= limits.targetBytes else {
            throw Problem(.uriTooLong, "the URL has more than \(limits.targetBytes) bytes")
        }
        guard request.headers.byteCount <= limits.headerBytes else {
            throw Problem(.headersTooLarge, "the headers have more than \(limits.headerBytes) bytes")
        }
        try hosts.check(request)
    }

    private func options(_ request: Request) -> Answer {
        guard let methods = router(for: request).methods(for: request) else {
            return .response(Problem.notFound("no resource at this path").response)
        }
        return .response(origins.options(methods, for: request))
    }
}

/// Decides what each request may do, from its token or from the address it comes from.
public struct AccessControl: Sendable {
    private let isLoopback: Bool
    private let publicHosts: Set<Authority.Host>
    private let publicOrigins: Set<WebOrigin>
    private let allowsPublicReading: Bool
    private let tokens: (any TokenRegistry)?

    /// Access rules for a listener at `addresses`. If all of them are loopback addresses, requests without a token may
    /// read, and may make changes that a page of another site could not cause. That does not hold for requests sent to
    /// the host of one of the `publicURLs`, or forwarded by a proxy, which also runs on this machine. `publicReading`
    /// lets everybody read.
    public init(
        listening addresses: [IPAddress], publicURLs: [WebOrigin] = [], publicReading: Bool = false,
        tokens: (any TokenRegistry)? = nil
    ) {
        isLoopback = addresses.allSatisfy(\.isLoopback)
        let others = publicURLs.filter { !$0.authority.isLoopback }
        publicHosts = Set(others.map(\.authority.host))
        publicOrigins = Set(publicURLs)
        allowsPublicReading = publicReading
        self.tokens = tokens
    }

    /// The caller of a request, and the token it used.
    struct AuthorizedCaller {
        var caller: Caller
        var authorization: Authorization?
    }

    /// The caller of a request that needs this permission. Throws a problem if the caller does not have it: `401`
    /// without a valid token, `403` with a token that does not include it.
    func authorize(_ request: Request, to permission: Permission) throws(Problem) -> AuthorizedCaller {
        switch permission {
        case .nothing: return identify(request)
        case .read:
            let authorized = identify(request)
            guard authorized.caller.canRead else { throw Self.unauthorized("reading needs a token") }
            return authorized
        case .record, .change: return try authorizeChange(request, permission)
        }
    }

    /// Closes the event stream in `reply`, if there is one, when the token that opened it is removed.
    func closeWhenRevoked(_ reply: Reply, openedBy authorization: Authorization?) {
        guard let authorization, case .response(let response) = reply, case .events(let channel) = response.body else {
            return
        }
        tokens?.closeWhenRevoked(channel, openedBy: authorization)
    }

    private func identify(_ request: Request) -> AuthorizedCaller {
        let isGet = request.method == .get || request.method == .head
        if let authorization = Credentials(request, acceptsQueryKey: isGet).flatMap({
            tokens?.authorization(for: $0.token)
        }) {
            return AuthorizedCaller(caller: authorization.caller, authorization: authorization)
        }
        if isLocal(request) { return AuthorizedCaller(caller: .local) }
        return AuthorizedCaller(caller: allowsPublicReading ? .viewer : .nobody)
    }

    private func authorizeChange(_ request: Request, _ permission: Permission) throws(Problem) -> AuthorizedCaller {
        // Some recording apps can only be given a URL, so recording accepts a key in the query. No other link may
        // change data.
        guard let credentials = Credentials(request, acceptsQueryKey: permission == .record) else {
            // A proxy need not identify itself, and where there is a public URL there may be a proxy.
            guard isLocal(request), publicHosts.isEmpty, request.method != .get, request.method != .head,
                isSameOrigin(request)
            else { throw Self.unauthorized("changes need a token") }
            return AuthorizedCaller(caller: .local)
        }
        guard let authorization = tokens?.authorization(for: credentials.token) else {
            throw Self.unauthorized("the token is not valid")
        }
        guard Self.caller(authorization.caller, may: permission) else {
            throw Problem(.forbidden, "this token does not permit this; use \(Self.requiredToken(permission))")
        }
        guard credentials.kind != .basic || isSameOrigin(request) else {
            throw Problem(
                .forbidden,
                "a page of another site may not make changes here; send the token as 'Authorization: Bearer'")
        }
        return AuthorizedCaller(caller: authorization.caller, authorization: authorization)
    }

    private static func caller(_ caller: Caller, may permission: Permission) -> Bool {
        switch (caller, permission) {
        case (.owner, _), (.recorder, .record): true
        default: false
        }
    }

    private static func requiredToken(_ permission: Permission) -> String {
        permission == .record ? "a recorder's token or the owner's token" : "the owner's token"
    }

    private static func unauthorized(_ detail: String) -> Problem {
        Problem(
            .unauthorized, detail,
            headers: [ResponseHeader(.authenticate, "Bearer, Basic realm=\"tileserve\", charset=\"UTF-8\"")])
    }

    // MARK: Origin of a request

    /// Whether the request can only have come from this machine, judged by its address and headers.
    private func isLocal(_ request: Request) -> Bool {
        guard isLoopback, !request.headers.wasForwarded else { return false }
        guard !publicHosts.isEmpty else { return true }
        let host = request.target.authority ?? request.headers[.host] ?? ""
        return Authority(host).map { !publicHosts.contains($0.host) } ?? true
    }

    /// Whether the request was not caused by a page of another site in a browser.
    private func isSameOrigin(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite], site != "none", site != "same-origin" { return false }
        guard let text = request.headers[.origin] else { return true }
        guard let origin = WebOrigin(text) else { return false }
        if publicOrigins.contains(origin) { return true }
        let host = request.target.authority ?? request.headers[.host] ?? ""
        return origin.scheme == "http" && origin.authority == Authority(host)
    }
}

extension HeaderFields {
    /// Whether a header shows that a proxy forwarded the request.
    fileprivate var wasForwarded: Bool {
        HeaderName.proxyHeaders.contains { count(of: $0) > 0 }
    }
}
