/// Answers the requests for one of several libraries.
public protocol LibraryResponder: Responder {
    /// The methods of the request's path; nil if there is no such resource.
    func methods(for request: Request) -> [Method]?
}

extension Router: LibraryResponder {}

/// A request with the responder that answers it; its target may be another one, as seen by that responder.
public struct RoutedRequest: Sendable {
    let responder: any LibraryResponder
    let request: Request

    public init(_ request: Request, to responder: any LibraryResponder) {
        self.request = request
        self.responder = responder
    }

    /// The request without a prefix of its path, which ends before a slash; nil if the path does not begin with it.
    public init?(_ request: Request, droppingPrefix prefix: [UInt8], to responder: any LibraryResponder) {
        guard let target = request.target.droppingPrefix(prefix) else { return nil }
        var inner = request
        inner.target = target
        self.init(inner, to: responder)
    }
}

/// The checks before every route: size limits, Host, `OPTIONS`; it adds the CORS headers to every response.
public struct RequestFilter: Responder {
    private let router: Router
    private let other: @Sendable (Request) throws(Problem) -> RoutedRequest?
    private let limits: Limits
    private let hosts: HostPolicy
    private let origins: OriginPolicy
    private let pathPrefixes: [[UInt8]]

    /// Filters requests to `router`, or to the responder that `other` returns for a request. A path may begin with one of
    /// the `pathPrefixes`, which a proxy may leave in place or remove.
    public init(
        _ router: Router, limits: Limits, hosts: HostPolicy, origins: OriginPolicy, pathPrefixes: [String] = [],
        other: @escaping @Sendable (Request) throws(Problem) -> RoutedRequest? = { _ in nil }
    ) {
        self.router = router
        self.other = other
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
        return routed(request).map { origins.apply(to: $0, for: request) }
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
        do {
            let routed = try route(request)
            switch routed.responder.bodyDecision(of: routed.request) {
            case .refused(let reply): return .refused(origins.apply(to: reply, for: request))
            case .taken(let rule): return .taken(rule)
            }
        } catch {
            return .refused(origins.apply(to: .response(error.response), for: request))
        }
    }

    private func routed(_ request: Request) -> HandlerResult {
        do {
            let routed = try route(request)
            return request.method == .options ? options(routed) : routed.responder.answer(routed.request)
        } catch {
            return .response(error.response)
        }
    }

    private func route(_ request: Request) throws(Problem) -> RoutedRequest {
        try other(request) ?? RoutedRequest(request, to: router)
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

    private func options(_ routed: RoutedRequest) -> HandlerResult {
        guard let methods = routed.responder.methods(for: routed.request) else {
            return .response(Problem.notFound("no resource at this path").response)
        }
        return .response(origins.options(methods, for: routed.request))
    }
}
