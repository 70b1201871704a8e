/// The checks before every route: size limits, Host, `OPTIONS`; it adds the CORS headers to every response.
public struct RequestFilter: Responder {
    private let router: Router
    private let otherRouter: @Sendable (Request) -> Router?
    private let limits: Limits
    private let hosts: HostPolicy
    private let origins: OriginPolicy
    private let pathPrefixes: [[UInt8]]

    /// Filters requests to `router`, or to the router that `other` returns for a request. A path may begin with one of
    /// the `pathPrefixes`, which a proxy may leave in place or remove.
    public init(
        _ router: Router, limits: Limits, hosts: HostPolicy, origins: OriginPolicy, pathPrefixes: [String] = [],
        other: @escaping @Sendable (Request) -> Router? = { _ in nil }
    ) {
        self.router = router
        otherRouter = other
        self.limits = limits
        self.hosts = hosts
        self.origins = origins
        self.pathPrefixes = Set(pathPrefixes).sorted { $0.utf8.count > $1.utf8.count }.map { Array($0.utf8) }
    }

    public func answer(_ request: Request) -> HandlerResult {
        do {
            try check(request)
        } catch {
            return .response(error.response)
        }
        let request = withoutPrefix(request)
        if let redirect = redirectToFolder(request) { return .response(redirect) }
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
        let request = withoutPrefix(request)
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

    /// The request without a path prefix; as it is if it names a resource with it.
    private func withoutPrefix(_ request: Request) -> Request {
        guard !pathPrefixes.isEmpty, router.methods(for: request) == nil,
            let target = pathPrefixes.lazy.compactMap({ request.target.droppingPrefix($0) }).first
        else { return request }
        var request = request
        request.target = target
        return request
    }

    /// The page's URLs are relative, so a prefix without a slash at its end is redirected to the one with it.
    private func redirectToFolder(_ request: Request) -> Response? {
        guard request.method == .get || request.method == .head,
            let prefix = pathPrefixes.first(where: { request.target.path.elementsEqual($0) }),
            let folder = prefix.split(separator: Characters.slash).last
        else { return nil }
        let query = request.target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        return Response(
            status: .permanentRedirect,
            headers: [ResponseHeader(.location, String(decoding: folder, as: UTF8.self) + "/" + query)])
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

    private func options(_ request: Request) -> HandlerResult {
        guard let methods = router(for: request).methods(for: request) else {
            return .response(Problem.notFound("no resource at this path").response)
        }
        return .response(origins.options(methods, for: request))
    }
}
