/// Which web pages may read responses (CORS): those of loopback origins and those that the operator names.
///
/// Recorded places are private; without this check any web page could read the server on its reader's machine.
public struct OriginPolicy: Sendable {
    private let allowed: Set<WebOrigin>
    private let allowsAny: Bool
    /// Seconds for which a browser may cache a preflight response; browsers cap it at two hours or less.
    private static let preflightSeconds = 600

    /// Allows loopback origins and the `allowed` ones; with `any`, every origin.
    public init(allowed: Set<WebOrigin> = [], any: Bool = false) {
        self.allowed = allowed
        allowsAny = any
    }

    /// Whether a page of this origin may read responses.
    public func allows(_ origin: String) -> Bool {
        if allowsAny { return true }
        guard let origin = WebOrigin(origin) else { return false }
        return origin.authority.isLoopback || allowed.contains(origin)
    }

    /// Adds the CORS headers for the request's origin, and always `Vary: Origin`: a browser must not serve a script
    /// from the cached response to an `<img>`, which sends no origin.
    public func apply(to reply: OutgoingResponse, for request: Request) -> OutgoingResponse {
        let origin = request.headers[.origin]
        if origin == nil, reply.isPrepared { return reply }
        var response = reply.response
        response.varyByOrigin()
        guard let origin else { return .response(response) }
        if allows(origin) {
            response.set(.allowOrigin, allowsAny ? "*" : origin)
            response.set(.exposeHeaders, "ETag, Server-Timing, Retry-After")
        }
        return .response(response)
    }

    /// The response to `OPTIONS` for a path with these methods; a preflight also gets the CORS headers.
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
