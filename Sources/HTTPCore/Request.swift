/// A request whose headers have been read.
public struct Request: Sendable {
    public let method: Method
    public internal(set) var target: RequestTarget
    public let version: ProtocolVersion
    public let headers: HeaderFields
    /// The client's address.
    public let peer: IPAddress
    /// What the headers say about a body.
    public let body: DeclaredBody
    /// The caller, identified as far as the route's permission requires; set before a handler runs.
    public internal(set) var caller = Caller.anonymous
    /// Who may cache the response; set before a handler runs.
    public internal(set) var audience = CacheControl.Audience.reader
    /// The body, once it has been received.
    public var content = RequestContent.none

    /// A request as read by a listener, before its body.
    public init(
        method: Method, target: RequestTarget, version: ProtocolVersion, headers: HeaderFields, peer: IPAddress,
        body: DeclaredBody
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.peer = peer
        self.body = body
    }

    /// A request from this machine to `localhost`, for tests and prerendering.
    public init(
        _ method: Method = .get, _ target: String, headers: [(HeaderName, String)] = [(.host, "localhost")],
        content: RequestContent = .none
    ) {
        var fields = HeaderFields()
        for (name, value) in headers { fields.add(name, value) }
        self.init(
            method: method, target: RequestTarget(target), version: .http11, headers: fields, peer: .loopback,
            body: content.byteCount == 0 ? .none : .length(UInt64(content.byteCount)))
        self.content = content
    }
}
