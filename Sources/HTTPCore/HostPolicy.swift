/// Which names this server answers to; others are `421`, so that a foreign name that was made to point here (DNS
/// rebinding) opens nothing to the page that carries it.
public struct HostPolicy: Sendable {
    private let names: Set<Authority.Host>
    private let takesAnyAddress: Bool
    /// Spellings that most requests use, so that they are not read anew each time.
    private let usual: [[UInt8]]

    /// Answers to loopback names, to the addresses listened on, and to the hosts of `publicURLs`. Ports are not looked
    /// at: they may be forwarded.
    public init(listening addresses: [IPAddress], port: Int, publicURLs: [WebOrigin] = []) {
        var names = Set(publicURLs.map(\.authority.host))
        names.formUnion(addresses.map { .address($0) })
        self.names = names
        // Where every address is listened on, any address will do: it is names that can be rebound.
        takesAnyAddress = addresses.contains(where: \.isAny)
        usual = ["localhost", "127.0.0.1", "[::1]"].map { Array("\($0):\(port)".utf8) }
    }

    /// Whether the request is meant for this server.
    public func check(_ request: Request) throws(Problem) {
        if let authority = request.target.authority {
            return try check(authority)
        }
        if let host = request.headers.single(.host) {
            if usual.contains(where: { $0.elementsEqual(host) }) { return }
            return try check(String(decoding: host, as: UTF8.self))
        }
        // Programs of HTTP/1.0 know no Host; every browser sends one.
        guard request.version == .http10, request.headers.count(of: .host) == 0 else {
            throw Problem.badRequest("a request has one Host header")
        }
    }

    private func check(_ text: String) throws(Problem) {
        guard let authority = Authority(text) else { throw Problem.badRequest("the Host header is no host") }
        if authority.isLoopback || names.contains(authority.host) { return }
        if takesAnyAddress, case .address = authority.host { return }
        throw Problem(
            .misdirectedRequest, "this server does not answer to that name; --public-url tells it the names it has")
    }
}
