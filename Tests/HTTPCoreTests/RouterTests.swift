import HTTPCore
import Testing

@Suite struct RouterTests {
    private struct Broken: Error {}

    private var gate: RequestFilter {
        var routes = RouterBuilder<Void>()
        routes.on(.get, "/", for: .nothing) { _, _ in .response(.text("root")) }
        routes.on(.get, "/things/{id}", for: .nothing) { _, parameters in .response(.text(parameters["id"])) }
        routes.on(.delete, "/things/{id}", for: .nothing) { _, _ in .response(Response(status: .noContent)) }
        routes.on(.get, "/broken", for: .nothing) { _, _ in throw Broken() }
        routes.on(.get, "/later", for: .nothing) { _, _ in
            .deferred(
                Deferred { completion in
                    completion(.response(.text("later")))
                    return .none
                })
        }
        routes.on(.get, "/tiles/{style}.json", for: .nothing) { _, parameters in
            .response(.text(parameters["style"]))
        }
        routes.on(.get, "/tiles/**.png", for: .nothing) { request, _ in
            .response(.text(String(decoding: request.target.path, as: UTF8.self)))
        }
        return RequestFilter(
            routes.build(access: AccessControl(listening: [.loopback])), limits: Limits(),
            hosts: HostPolicy(listening: [.loopback], port: 8080),
            origins: OriginPolicy())
    }

    private func answer(_ request: Request) throws -> Response {
        guard case .ready(let reply) = gate.answer(request) else {
            throw Problem.internalServerError
        }
        return reply.response
    }

    private func text(_ target: String) throws -> String {
        guard case .bytes(let bytes) = try answer(Request(.get, target)).body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `paths find their routes`() throws {
        #expect(try text("/") == "root")
        #expect(try text("/?x=1") == "root")
        #expect(try text("/things/a%2Fb") == "a/b")
        #expect(try text("/tiles/x/%79.png?z") == "/tiles/x/%79.png")
        #expect(try text("/tiles/he%61t.json") == "heat")
    }

    @Test(arguments: [
        "/nothing", "/things", "/things/", "/things/1/2", "//", "/tiles", "/tiles/a", "/tiles/.json", "/tilespng", "*",
        "", "/%zz",
    ])
    func `paths without a route are not found`(target: String) throws {
        #expect(try answer(Request(.get, target)).status == .notFound)
    }

    @Test func `HEAD is answered like GET, other methods get 405 with Allow`() throws {
        #expect(try answer(Request(.head, "/things/1")).status == .ok)
        let refused = try answer(Request(.post, "/things/1"))
        #expect(refused.status == .methodNotAllowed)
        #expect(refused[.allow] == "GET, HEAD, OPTIONS, DELETE")
        #expect(try answer(Request(.other, "/tiles/x.png")).status == .methodNotAllowed)
        #expect(try answer(Request(.post, "/nothing")).status == .notFound)
    }

    @Test func `OPTIONS lists the allowed methods`() throws {
        let plain = try answer(Request(.options, "/things/1"))
        #expect(plain.status == .noContent && plain[.allow] == "GET, HEAD, OPTIONS, DELETE")
        #expect(plain[.allowMethods] == nil)
        let preflight = try answer(
            Request(
                .options, "/things/1",
                headers: [
                    (.host, "localhost"), (.origin, "http://localhost:1"), (.requestedMethod, "DELETE"),
                    (.requestedHeaders, "authorization"),
                ]))
        #expect(preflight[.allowMethods] == "GET, HEAD, OPTIONS, DELETE")
        #expect(preflight[.allowOrigin] == "http://localhost:1")
        #expect(preflight[.allowHeaders] == "authorization")
        let foreign = try answer(
            Request(
                .options, "/things/1",
                headers: [(.host, "localhost"), (.origin, "https://evil.example"), (.requestedMethod, "DELETE")]))
        #expect(foreign[.allowMethods] == nil && foreign[.allowOrigin] == nil)
    }

    @Test func `OPTIONS lists the methods of the router that answers the request`() throws {
        var routes = RouterBuilder<Void>()
        routes.on(.get, "/a", for: .nothing) { _, _ in .response(.text("main")) }
        var others = RouterBuilder<Void>()
        others.on(.post, "/a", for: .nothing) { _, _ in .response(.text("other")) }
        others.on(.get, "/b", for: .nothing) { _, _ in .response(.text("other")) }
        let access = AccessControl(listening: [.loopback])
        let other = others.build(access: access)
        let filter = RequestFilter(
            routes.build(access: access), limits: Limits(), hosts: HostPolicy(listening: [.loopback], port: 8080),
            origins: OriginPolicy()
        ) { request throws(Problem) in request.target.query == nil ? nil : RoutedRequest(request, to: other) }
        func methods(_ target: String) throws -> String? {
            guard case .ready(let reply) = filter.answer(Request(.options, target)) else { return nil }
            return reply.response.status == .noContent ? reply.response[.allow] : "\(reply.response.status.code)"
        }
        #expect(try methods("/a") == "GET, HEAD, OPTIONS")
        #expect(try methods("/a?other") == "OPTIONS, POST")
        #expect(try methods("/b") == "404")
        #expect(try methods("/b?other") == "GET, HEAD, OPTIONS")
    }

    @Test func `the most specific pattern answers, in whatever order the routes were added`() throws {
        let patterns = ["/x/{id}", "/x/{id}.json", "/x/{id}.geo.json", "/x/list", "/x/{id}/more", "/{kind}/list", "/x"]
        for shift in patterns.indices {
            for order in [patterns, patterns.reversed()] {
                var routes = RouterBuilder<Void>()
                for pattern in order[shift...] + order[..<shift] {
                    routes.on(.get, pattern, for: .nothing) { _, _ in .response(.text(pattern)) }
                }
                let router = routes.build(access: AccessControl(listening: [.loopback]))
                for (path, pattern) in [
                    ("/x/1", "/x/{id}"), ("/x/1.json", "/x/{id}.json"), ("/x/1.geo.json", "/x/{id}.geo.json"),
                    ("/x/list", "/x/list"), ("/x/list/more", "/x/{id}/more"), ("/y/list", "/{kind}/list"), ("/x", "/x"),
                ] {
                    guard case .ready(let reply) = router.answer(Request(.get, path)),
                        case .bytes(let bytes) = reply.response.body
                    else { throw Problem.internalServerError }
                    #expect(String(decoding: bytes, as: UTF8.self) == pattern)
                }
                #expect(Set(routes.descriptions.map(\.pattern)) == Set(patterns))
            }
        }
    }

    @Test func `an unknown error is a 500 without details`() throws {
        #expect(try answer(Request(.get, "/broken")).status == .internalServerError)
    }

    @Test func `a body is refused if the route takes none`() throws {
        let request = Request(
            method: .get, target: RequestTarget("/"), version: .http11, headers: Request(.get, "/").headers,
            peer: .loopback, body: .length(1))
        #expect(try answer(request).status == .contentTooLarge)
    }

    @Test func `a route's body policy applies, and its handler gets the whole body`() throws {
        var routes = RouterBuilder<Void>()
        routes.on(.post, "/memory", for: .nothing, takes: .memory(limit: 3)) { request, _ in
            .response(Response(status: .ok, body: .bytes(request.content.bytes)))
        }
        routes.on(.post, "/disk", for: .nothing, takes: .file(limit: 1 << 40)) { _, _ in .response(.text("disk")) }
        let gate = RequestFilter(
            routes.build(access: AccessControl(listening: [.loopback])), limits: Limits(),
            hosts: HostPolicy(listening: [.loopback], port: 8080),
            origins: OriginPolicy())
        /// The rule of the accepted body, or the status of the refusal.
        func bodyDecision(_ target: String, _ body: DeclaredBody, _ headers: [(HeaderName, String)] = []) -> String {
            let fields = Request(.post, target, headers: [(.host, "localhost")] + headers).headers
            let request = Request(
                method: .post, target: RequestTarget(target), version: .http11, headers: fields, peer: .loopback,
                body: body)
            switch gate.bodyDecision(of: request) {
            case .taken(let rule): return "\(rule)"
            case .refused(let reply): return "\(reply.response.status.code)"
            }
        }
        #expect(bodyDecision("/memory", .length(3)) == "memory(limit: 3)")
        #expect(bodyDecision("/memory", .length(4)) == "413")
        #expect(bodyDecision("/memory", .length(.max)) == "413")
        #expect(bodyDecision("/memory", .unknownLength) == "400")
        #expect(bodyDecision("/memory", .unknownLength, [(.transferEncoding, "Chunked")]) == "memory(limit: 3)")
        #expect(bodyDecision("/memory", .unknownLength, [(.contentLength, "x")]) == "400")
        #expect(bodyDecision("/memory", .length(3), [(.contentEncoding, "gzip")]) == "415")
        #expect(bodyDecision("/memory", .length(3), [(.contentEncoding, "identity")]) == "memory(limit: 3)")
        #expect(bodyDecision("/disk", .length(1 << 40), [(.contentEncoding, "gzip")]) == "file(limit: \(1 << 40))")
        #expect(bodyDecision("/nothing", .length(1)) == "404")
        guard case .ready(let reply) = gate.answer(Request(.post, "/memory", content: .bytes([1, 2, 3]))),
            case .bytes(let bytes) = reply.response.body
        else {
            Issue.record("it is answered at once")
            return
        }
        #expect(bytes == [1, 2, 3])
    }

    @Test func `size limits are exact`() throws {
        let limits = Limits()
        let fits = "/" + String(repeating: "a", count: limits.targetBytes - 1)
        #expect(try answer(Request(.get, fits)).status == .notFound)
        #expect(try answer(Request(.get, fits + "a")).status == .uriTooLong)
        let room = limits.headerBytes - "Hostlocalhostx-a".utf8.count
        func status(_ count: Int) throws -> Status {
            let value = String(repeating: "a", count: count)
            return try answer(Request(.get, "/", headers: [(.host, "localhost"), (HeaderName("x-a"), value)])).status
        }
        #expect(try status(room) == .ok)
        #expect(try status(room + 1) == .headersTooLarge)
    }

    @Test func `a foreign host name gives no access`() throws {
        #expect(try answer(Request(.get, "/", headers: [(.host, "evil.example")])).status == .misdirectedRequest)
    }

    @Test func `a deferred reply also has the CORS headers`() async {
        let request = Request(.get, "/later", headers: [(.host, "localhost"), (.origin, "http://localhost:1")])
        guard case .deferred(let deferred) = gate.answer(request) else {
            Issue.record("the answer comes later")
            return
        }
        let response = await withCheckedContinuation { continuation in
            _ = deferred.begin(Completion { continuation.resume(returning: $0.response) })
        }
        #expect(response[.allowOrigin] == "http://localhost:1")
    }
}

extension RouterBuilder<Void> {
    /// Adds a route without a description.
    mutating func on(
        _ method: Method, _ pattern: String, for permission: Permission, takes rule: BodyPolicy = .nothing,
        _ handler: @escaping Handler
    ) {
        on(method, pattern, for: permission, takes: rule, as: (), handler)
    }
}
