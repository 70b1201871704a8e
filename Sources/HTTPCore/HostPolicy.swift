/// The host names that this server accepts. Others get `421`, so that a foreign name that resolves to this server
/// (DNS rebinding) gives its page no access.
public struct HostPolicy: Sendable {
    private let names: Set<Authority.Host>
    private let acceptsAnyAddress: Bool
    /// The usual Host values, compared as bytes so that most requests need no parsing.
    private let commonHosts: [[UInt8]]

    /// Accepts loopback names, the addresses listened on, the hosts of `publicURLs`, and `names` of this machine. Ports
    /// are ignored, because they may be forwarded.
    public init(listening addresses: [IPAddress], port: Int, publicURLs: [WebOrigin] = [], names given: [String] = []) {
        var names = Set(publicURLs.map(\.authority.host))
        names.formUnion(given.compactMap { Authority($0)?.host })
        names.formUnion(addresses.map { .address($0) })
        self.names = names
        // If every address is listened on, any literal address is accepted: only names can be rebound.
        acceptsAnyAddress = addresses.contains(where: \.isAny)
        commonHosts = ["localhost", "127.0.0.1", "[::1]"].map { Array("\($0):\(port)".utf8) }
    }

    /// Throws a problem unless the request is addressed to this server.
    public func check(_ request: Request) throws(Problem) {
        if let authority = request.target.authority {
            return try check(authority)
        }
        if let host = request.headers.single(.host) {
            if commonHosts.contains(where: { $0.elementsEqual(host) }) { return }
            return try check(String(decoding: host, as: UTF8.self))
        }
        // HTTP/1.0 clients may not send Host; every browser does.
        guard request.version == .http10, request.headers.count(of: .host) == 0 else {
            throw Problem.badRequest("a request must have exactly one Host header")
        }
    }

    private func check(_ text: String) throws(Problem) {
        guard let authority = Authority(text) else {
            throw Problem.badRequest("the Host header is not a valid host name")
        }
        if authority.isLoopback || names.contains(authority.host) { return }
        if acceptsAnyAddress, case .address = authority.host { return }
        throw Problem(
            .misdirectedRequest,
            "the server does not know this host name; open it by its address or by the name of its machine, or start it "
                + "with --public-url and the URL that clients open")
    }
}
