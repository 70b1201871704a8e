/// A request whose headers have been read.
public struct Request: Sendable {
    /// What is to be done.
    public let method: Method
    /// With what.
    public let target: RequestTarget
    /// The version spoken.
    public let version: ProtocolVersion
    /// The headers sent.
    public let headers: HeaderFields
    /// Where it comes from.
    public let peer: IPAddress
    /// What the headers say about a body.
    public let body: DeclaredBody
    /// Who asks, as far as the route's need tells them apart; known to handlers.
    public internal(set) var caller = Caller.nobody
    /// The body, once it has been taken in.
    public var content = RequestContent.none

    /// A request as read by a listener, its body still to come.
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

    /// A request from this machine to `localhost`, as tests and prerendering make them.
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
