import HTTPCore
import Testing

@Suite struct HostPolicyTests {
    private func status(_ host: String?, listening: String = "127.0.0.1", publicURL: String? = nil) throws -> Int {
        let policy = HostPolicy(
            listening: [try #require(IPAddress(listening))], port: 8080,
            publicURLs: publicURL.flatMap(WebOrigin.init).map { [$0] } ?? [], names: ["server", "server.local"])
        let request = Request(.get, "/", headers: host.map { [(.host, $0)] } ?? [])
        do {
            try policy.check(request)
            return 200
        } catch {
            return error.status.code
        }
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "a.localhost:1", "127.0.0.1:8080", "127.5.5.5", "[::1]:8080",
        "[::1]",
        "localhost:",
    ])
    func `loopback names are accepted`(host: String) throws {
        #expect(try status(host) == 200)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1:8080", "[2001:db8::1]", "xlocalhost",
        "0.0.0.0",
    ])
    func `other names are answered with 421`(host: String) throws {
        #expect(try status(host) == 421)
    }

    @Test(arguments: ["", "a b", "[::1", "::1", "localhost:x", "localhost:99999", "user@localhost", "[127.0.0.1]"])
    func `an invalid host is a bad request`(host: String) throws {
        #expect(try status(host) == 400)
    }

    @Test func `the address listened on is accepted, and any address if all are listened on`() throws {
        #expect(try status("10.0.0.1:8080", listening: "10.0.0.1") == 200)
        #expect(try status("10.0.0.2:8080", listening: "10.0.0.1") == 421)
        #expect(try status("10.0.0.2:8080", listening: "0.0.0.0") == 200)
        #expect(try status("[2001:db8::1]:8080", listening: "::") == 200)
        #expect(try status("evil.example", listening: "0.0.0.0") == 421)
    }

    @Test func `the names of the machine are accepted, with any port`() throws {
        for host in ["server", "Server:8080", "server.local", "server.local.:80"] {
            #expect(try status(host, listening: "0.0.0.0") == 200, "\(host)")
        }
        for host in ["server.evil.example", "xserver", "server.lan", "local"] {
            #expect(try status(host, listening: "0.0.0.0") == 421, "\(host)")
        }
    }

    @Test func `the host of a public URL is accepted`() throws {
        #expect(try status("map.example", publicURL: "https://map.example/heat") == 200)
        #expect(try status("Map.Example:443", publicURL: "https://map.example") == 200)
        #expect(try status("other.example", publicURL: "https://map.example") == 421)
    }

    @Test func `a host in the request line takes precedence over the Host header`() throws {
        let policy = HostPolicy(listening: [.loopback], port: 8080)
        #expect(throws: Problem.self) { try policy.check(Request(.get, "http://evil.example/")) }
    }

    @Test func `an HTTP 1.1 request needs exactly one Host header`() throws {
        #expect(try status(nil) == 400)
        let policy = HostPolicy(listening: [.loopback], port: 8080)
        let twice = Request(.get, "/", headers: [(.host, "localhost"), (.host, "localhost")])
        #expect(throws: Problem.self) { try policy.check(twice) }
        let old = Request(
            method: .get, target: RequestTarget("/"), version: .http10, headers: HeaderFields(), peer: .loopback,
            body: .none)
        try policy.check(old)
    }
}

@Suite struct OriginPolicyTests {
    private let map = WebOrigin("https://map.example")

    @Test func `loopback origins and allowed origins may read`() {
        let policy = OriginPolicy(allowed: Set([map].compactMap(\.self)))
        for origin in ["http://localhost:5173", "http://127.0.0.1", "http://[::1]:3000", "https://map.example"] {
            #expect(policy.allows(origin), "\(origin)")
        }
        for origin in [
            "null", "", "https://evil.example", "http://map.example", "https://map.example:8443", "file://localhost",
            "http://localhost.evil.example", "https://a.map.example",
        ] {
            #expect(!policy.allows(origin), "\(origin)")
        }
    }

    @Test func `only allowed origins get CORS headers, and all responses have Vary`() {
        let policy = OriginPolicy()
        let reply = OutgoingResponse.response(Response(status: .ok))
        func answer(_ origin: String?) -> Response {
            policy.apply(to: reply, for: Request(.get, "/", headers: origin.map { [(.origin, $0)] } ?? [])).response
        }
        #expect(answer("http://localhost:1")[.allowOrigin] == "http://localhost:1")
        #expect(answer("https://evil.example")[.allowOrigin] == nil)
        for origin in ["http://localhost:1", "https://evil.example", nil] { #expect(answer(origin)[.vary] == "Origin") }
        #expect(PreparedResponse(Response(status: .ok)).response[.vary] == "Origin")
    }

    @Test func `with '*' every page may read`() {
        let reply = OriginPolicy(any: true).apply(
            to: .response(Response(status: .ok)), for: Request(.get, "/", headers: [(.origin, "https://x.example")]))
        #expect(reply.response[.allowOrigin] == "*")
    }
}
