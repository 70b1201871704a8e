/// Who may do what: each request is somebody's, by its token or by where it comes from.
public struct AccessControl: Sendable {
    private let isLoopback: Bool
    private let publicHosts: Set<Authority.Host>
    private let publicOrigins: Set<WebOrigin>
    private let isReadingPublic: Bool
    private let tokens: (any TokenRegister)?

    /// Guards a listener at `addresses`. Where all of them are this machine's own, those without a token may read, and change
    /// what no foreign page could; not those who came by one of the `publicURLs` or were passed on by a proxy, which stands
    /// on this machine, too. `publicReading` lets everybody read.
    public init(
        listening addresses: [IPAddress], publicURLs: [WebOrigin] = [], publicReading: Bool = false,
        tokens: (any TokenRegister)? = nil
    ) {
        isLoopback = addresses.allSatisfy(\.isLoopback)
        let others = publicURLs.filter { !$0.authority.isLoopback }
        publicHosts = Set(others.map(\.authority.host))
        publicOrigins = Set(publicURLs)
        isReadingPublic = publicReading
        self.tokens = tokens
    }

    /// Who asks, and by which token.
    struct AuthorizedCaller {
        var caller: Caller
        var grant: Authorization?
    }

    /// Who asks for something that has this need; throws a problem where they may not: `401` without a token that is known,
    /// `403` with one that opens less.
    func admit(_ request: Request, to need: Permission) throws(Problem) -> AuthorizedCaller {
        switch need {
        case .nothing: return reader(request)
        case .read:
            let asking = reader(request)
            guard asking.caller.mayRead else { throw Self.unauthorized("looking here needs a token") }
            return asking
        case .record, .change: return try changer(request, need)
        }
    }

    /// Closes what `reply` goes on to tell when the token that opened it is removed.
    func follow(_ reply: Reply, openedBy grant: Authorization?) {
        guard let grant, case .response(let response) = reply, case .events(let channel) = response.body else { return }
        tokens?.follow(channel, openedBy: grant)
    }

    private func reader(_ request: Request) -> AuthorizedCaller {
        let isGet = request.method == .get || request.method == .head
        if let grant = Credentials(request, takesKeys: isGet).flatMap({ tokens?.grant(for: $0.token) }) {
            return AuthorizedCaller(caller: grant.caller, grant: grant)
        }
        if isLocal(request) { return AuthorizedCaller(caller: .local) }
        return AuthorizedCaller(caller: isReadingPublic ? .viewer : .nobody)
    }

    private func changer(_ request: Request, _ need: Permission) throws(Problem) -> AuthorizedCaller {
        // Some programs that record can be given a URL and nothing else. Elsewhere no link is to change anything.
        guard let shown = Credentials(request, takesKeys: need == .record) else {
            // A proxy need not say that it is one, and where there is a public URL, there may be one.
            guard isLocal(request), publicHosts.isEmpty, request.method != .get, request.method != .head,
                comesFromHere(request)
            else { throw Self.unauthorized("changing anything here needs a token") }
            return AuthorizedCaller(caller: .local)
        }
        guard let grant = tokens?.grant(for: shown.token) else { throw Self.unauthorized("no token is like this one") }
        guard Self.caller(grant.caller, may: need) else {
            throw Problem(.forbidden, "this token does not open that; \(Self.opening(need)) does")
        }
        guard shown.way != .basic || comesFromHere(request) else {
            throw Problem(.forbidden, "a page from elsewhere may not change anything here")
        }
        return AuthorizedCaller(caller: grant.caller, grant: grant)
    }

    private static func caller(_ caller: Caller, may need: Permission) -> Bool {
        switch (caller, need) {
        case (.owner, _), (.recorder, .record): true
        default: false
        }
    }

    private static func opening(_ need: Permission) -> String {
        need == .record ? "a recorder's or the owner's" : "the owner's"
    }

    private static func unauthorized(_ detail: String) -> Problem {
        Problem(
            .unauthorized, detail,
            headers: [ResponseHeader(.authenticate, "Bearer, Basic realm=\"tileserve\", charset=\"UTF-8\"")])
    }

    // MARK: Where requests come from

    /// Whether only somebody at this machine can have asked, as far as it shows.
    private func isLocal(_ request: Request) -> Bool {
        guard isLoopback, !request.headers.wasForwarded else { return false }
        guard !publicHosts.isEmpty else { return true }
        let host = request.target.authority ?? request.headers[.host] ?? ""
        return Authority(host).map { !publicHosts.contains($0.host) } ?? true
    }

    /// Whether no page of another site has made a browser ask.
    private func comesFromHere(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite], site != "none", site != "same-origin" { return false }
        guard let text = request.headers[.origin] else { return true }
        guard let origin = WebOrigin(text) else { return false }
        if publicOrigins.contains(origin) { return true }
        let host = request.target.authority ?? request.headers[.host] ?? ""
        return origin.scheme == "http" && origin.authority == Authority(host)
    }
}

extension HeaderFields {
    /// Whether a proxy says that it has passed the request on.
    fileprivate var wasForwarded: Bool {
        HeaderName.ofProxies.contains { count(of: $0) > 0 }
    }
}
