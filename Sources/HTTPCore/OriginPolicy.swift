/// Which web pages may read answers (CORS): those of loopback origins and those the operator names.
///
/// Where somebody has been is private; without this a page from anywhere could read a server on its reader's machine.
public struct OriginPolicy: Sendable {
    private let allowed: Set<WebOrigin>
    private let allowsAny: Bool
    /// Seconds for which a browser may remember a preflight; browsers cap it at two hours or less.
    private static let preflightSeconds = 600
    static let variesBy = "Origin"

    /// Allows loopback origins, the `allowed` ones, and with `any` all.
    public init(allowed: Set<WebOrigin> = [], any: Bool = false) {
        self.allowed = allowed
        allowsAny = any
    }

    /// Whether a page of this origin may read answers.
    public func allows(_ origin: String) -> Bool {
        if allowsAny { return true }
        guard let origin = WebOrigin(origin) else { return false }
        return origin.authority.isLoopback || allowed.contains(origin)
    }

    /// The answer with what this request's page needs to read it, and `Vary: Origin` whether or not it names an origin:
    /// a browser must not give a page what it kept from an `<img>`.
    public func apply(to reply: Reply, for request: Request) -> Reply {
        let origin = request.headers[.origin]
        if origin == nil, reply.isPrepared { return reply }
        var response = reply.response
        response.vary(by: Self.variesBy)
        guard let origin else { return .response(response) }
        if allows(origin) {
            response.set(.allowOrigin, allowsAny ? "*" : origin)
            response.set(.exposeHeaders, "ETag, Server-Timing, Retry-After")
        }
        return .response(response)
    }

    /// The answer to `OPTIONS` where `methods` are to be had: what is allowed here, and to a preflight also to whom.
    public func options(_ methods: [Method], for request: Request) -> Response {
        let names = methods.map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, headers: [ResponseHeader(.allow, names)])
        guard let origin = request.headers[.origin], request.headers.count(of: .requestedMethod) > 0, allows(origin)
        else { return response }
        response.set(.allowMethods, names)
        if let headers = request.headers[.requestedHeaders] { response.set(.allowHeaders, headers) }
        if request.headers.count(of: .requestedPrivateNetwork) > 0 { response.set(.allowPrivateNetwork, "true") }
        response.set(.maxAge, "\(Self.preflightSeconds)")
        response.vary(by: "Access-Control-Request-Headers")
        return response
    }
}
