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
