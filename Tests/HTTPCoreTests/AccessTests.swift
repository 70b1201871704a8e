import Foundation
import HTTPCore
import Testing

@Suite struct AccessTests {
    /// Tokens whose text is the name of their role.
    private struct Register: TokenRegistry {
        var isReadable = true

        func authorization(for token: String) -> Authorization? {
            let callers: [String: Caller] = [
                "owner": .owner, "recorder": .recorder(device: "phone", person: nil), "viewer": .viewer,
                "member": .member(person: "bea"),
            ]
            return callers[token].map { Authorization(tokenID: token, caller: $0) }
        }

        func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {
            if authorization.tokenID == "viewer" { channel.close() }
        }
    }

    private enum Way: CaseIterable {
        case bearer, basic, key
    }

    private static let targets: [(String, Permission)] = [
        ("/open", .nothing), ("/read", .read), ("/record", .record), ("/session", .session),
        ("/change", .change), ("/contribute", .contribute), ("/inspect", .inspect), ("/request", .request),
    ]
    private static let methods: [Method] = [.get, .head, .post, .patch, .delete]

    /// A router whose routes answer with the caller.
    private func gate(
        _ address: String, publicURL: String? = nil, publicReading: Bool = false, readableTokens: Bool = true
    ) throws -> RequestFilter {
        let addresses = [try #require(IPAddress(address))]
        let urls = publicURL.flatMap { WebOrigin($0) }.map { [$0] } ?? []
        var routes = RouterBuilder<Void>()
        for (target, need) in Self.targets {
            for method in Self.methods where method != .head {
                routes.on(method, target, for: need) { request, _ in .response(.text("\(request.caller)")) }
            }
        }
        routes.on(.get, "/events", for: .read) { _, _ in
            .response(Response(status: .ok, body: .events(EventChannel())))
        }
        let access = AccessControl(
            listening: addresses, publicURLs: urls, publicReading: publicReading,
            tokens: Register(isReadable: readableTokens))
        return RequestFilter(
            routes.build(access: access), limits: Limits(),
            hosts: HostPolicy(listening: addresses, port: 8080, publicURLs: urls), origins: OriginPolicy())
    }

    private func answer(_ gate: RequestFilter, _ request: Request) throws -> Response {
        guard case .ready(let reply) = gate.answer(request) else { throw Problem.internalServerError }
        return reply.response
    }

    private func basic(_ token: String) -> String {
        "Basic " + Data("anybody:\(token)".utf8).base64EncodedString()
    }

    private func status(
        _ gate: RequestFilter, _ method: Method, _ target: String, _ headers: [(HeaderName, String)] = [],
        host: String = "localhost:8080"
    ) throws -> Int {
        try answer(gate, Request(method, target, headers: [(.host, host)] + headers)).status.code
    }

    @Test func `a token that cannot be checked gets 503, so that an app sends its points again`() throws {
        let gate = try gate("192.0.2.1", readableTokens: false)
        for (method, target): (Method, String) in [(.post, "/record"), (.post, "/change"), (.get, "/read")] {
            let host = (HeaderName.host, "192.0.2.1")
            let known = Request(method, target, headers: [host, (.authorization, "Bearer owner")])
            #expect(try answer(gate, known).status == .ok)
            let unknown = try answer(gate, Request(method, target, headers: [host, (.authorization, "Bearer x")]))
            #expect(unknown.status == .serviceUnavailable && unknown[.retryAfter] != nil)
            #expect(try answer(gate, Request(method, target, headers: [host])).status == .unauthorized)
        }
    }

    @Test func `permissions for every role, route, method, listener and way of sending a token`() throws {
        let ranks = ["viewer": 1, "recorder": 2, "member": 3, "owner": 4]
        for (address, isPublic) in [("127.0.0.1", false), ("::1", true), ("192.0.2.1", false), ("0.0.0.0", true)] {
            let isLoopback = address == "127.0.0.1" || address == "::1"
            let gate = try gate(address, publicReading: isPublic)
            for token in ["viewer", "recorder", "member", "owner", "unknown", nil] {
                for way in Way.allCases {
                    for method in Self.methods {
                        for (target, need) in Self.targets {
                            var headers: [(HeaderName, String)] = []
                            var query = ""
                            switch (token, way) {
                            case (let token?, .bearer): headers = [(.authorization, "bearer \(token)")]
                            case (let token?, .basic): headers = [(.authorization, basic(token))]
                            case (let token?, .key): query = "?a=b&key=\(token)"
                            case (nil, _): break
                            }
                            let isGet = method == .get || method == .head
                            // A key in the query may read, and may record, because some apps know no other way.
                            let isSeen =
                                way != .key || need == .record || need == .session
                                || (isGet && ![.change, .contribute, .request].contains(need))
                            let shown = isSeen ? token : nil
                            let isFree =
                                switch need {
                                case .nothing: true
                                case .read: isLoopback || isPublic
                                // The handler checks what is sent without a token.
                                case .session: shown == nil
                                // An unknown token is ignored, as in reading; another one than the owner's is not.
                                case .inspect: isLoopback && shown.flatMap { ranks[$0] } == nil
                                case .request, .record, .change, .contribute: isLoopback && !isGet && shown == nil
                                }
                            let needed =
                                [
                                    .read: 1, .request: 1, .record: 2, .session: 2, .contribute: 3, .change: 4,
                                    .inspect: 4,
                                ][need] ?? 0
                            let rank = shown.flatMap { ranks[$0] }
                            // Where everybody may read, everybody is a viewer.
                            let unknown = need == .inspect && isPublic ? 403 : 401
                            let expected = isFree ? 200 : rank.map { $0 >= needed ? 200 : 403 } ?? unknown
                            let seen = try status(gate, method, target + query, headers)
                            #expect(
                                seen == expected, "\(address) \(isPublic) \(token ?? "-") \(way) \(method) \(target)")
                        }
                    }
                }
            }
        }
    }

    @Test func `a refusal says which token is needed, and the body is not read`() throws {
        let gate = try gate("192.0.2.1")
        let refused = try answer(gate, Request(.get, "/read"))
        #expect(refused[HeaderName("WWW-Authenticate")]?.hasPrefix("Bearer, Basic realm=") == true)
        let sent = Request(.post, "/change", content: .bytes([1]))
        guard case .refused(let reply) = gate.bodyDecision(of: sent) else {
            Issue.record("the body is not taken")
            return
        }
        #expect(reply.response.status == .unauthorized)
    }

    @Test func `a handler knows the caller`() throws {
        func caller(_ address: String, _ headers: [(HeaderName, String)], publicReading: Bool = false) throws -> String
        {
            let response = try answer(
                try gate(address, publicReading: publicReading),
                Request(.get, "/open", headers: [(.host, "localhost")] + headers))
            guard case .bytes(let bytes) = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try caller("127.0.0.1", []) == "local")
        #expect(try caller("192.0.2.1", []) == "anonymous")
        #expect(try caller("192.0.2.1", [], publicReading: true) == "viewer")
        #expect(try caller("192.0.2.1", [(.authorization, "Bearer owner")]) == "owner")
        #expect(
            try caller("127.0.0.1", [(.authorization, "Bearer recorder")])
                == "\(Caller.recorder(device: "phone", person: nil))")
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Basic !!!", "Basic b3duZXI=", "Digest owner", "owner", "", "Bearer owner, Bearer owner",
    ])
    func `a malformed Authorization header gives no access`(header: String) throws {
        let headers = [(HeaderName.authorization, header)]
        #expect(try status(gate("192.0.2.1"), .get, "/read", headers) == 401)
        #expect(try status(gate("127.0.0.1"), .post, "/change", headers) == 401)
    }

    @Test func `a page of another site cannot make changes, even with the browser's stored password`() throws {
        let gate = try gate("127.0.0.1")
        let site = HeaderName.secFetchSite
        for (headers, isOurs) in [
            ([(site, "same-origin")], true), ([(site, "none")], true), ([(site, "cross-site")], false),
            ([(site, "same-site")], false), ([(site, "")], false),
            ([(.origin, "http://localhost:8080")], true), ([(.origin, "http://localhost:8081")], false),
            ([(.origin, "https://localhost:8080")], false), ([(.origin, "http://evil.example")], false),
            ([(.origin, "null")], false),
            ([(site, "same-origin"), (.origin, "http://localhost:8080")], true),
            ([(site, "same-origin"), (.origin, "http://evil.example")], false),
            ([(site, "cross-site"), (.origin, "http://localhost:8080")], false),
        ] as [([(HeaderName, String)], Bool)] {
            for target in ["/record", "/change"] {
                #expect(try status(gate, .post, target, headers) == (isOurs ? 200 : 401), "\(headers)")
                let known = headers + [(.authorization, basic("owner"))]
                #expect(try status(gate, .post, target, known) == (isOurs ? 200 : 403), "\(headers)")
                // A page that knows a token was given it by its user.
                let given = headers + [(.authorization, "Bearer owner")]
                #expect(try status(gate, .post, target, given) == 200, "\(headers)")
            }
            #expect(try status(gate, .get, "/read", headers) == 200)
        }
    }

    @Test func `a request through a proxy is not local`() throws {
        let bare = try gate("127.0.0.1")
        for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"] {
            let headers = [(HeaderName(name), "192.0.2.7")]
            #expect(try status(bare, .get, "/read", headers) == 401)
            #expect(try status(bare, .delete, "/change", headers) == 401)
            #expect(try status(bare, .get, "/read", headers + [(.authorization, "Bearer viewer")]) == 200)
        }
        // nginx forwards with HTTP/1.0 and without any such header, unless configured otherwise.
        var fields = HeaderFields()
        fields.add(.host, "127.0.0.1:8080")
        let old = Request(
            method: .get, target: RequestTarget("/read"), version: .http10, headers: fields, peer: .loopback,
            body: .none)
        #expect(try answer(bare, old).status == .unauthorized)
    }

    @Test(arguments: ["https://maps.example", "http://localhost:9", "https://maps.example/heat/"])
    func `with a public URL every request needs a token, whatever the proxy passes on`(url: String) throws {
        let gate = try gate("127.0.0.1", publicURL: url)
        let origin = [(HeaderName.origin, url.split(separator: "/").prefix(2).joined(separator: "//"))]
        for host in ["maps.example", "maps.example:443", "127.0.0.1:8080", "localhost:8080", "[::1]:8080"]
        where !host.hasPrefix("maps") || url.contains("maps") {
            #expect(try status(gate, .get, "/open", host: host) == 200)
            #expect(try status(gate, .get, "/read", host: host) == 401)
            #expect(try status(gate, .head, "/read", host: host) == 401)
            #expect(try status(gate, .post, "/change", host: host) == 401)
            #expect(try status(gate, .get, "/read?key=viewer", host: host) == 200)
            #expect(
                try status(gate, .post, "/change", origin + [(.authorization, basic("owner"))], host: host) == 200)
        }
        let open = try self.gate("127.0.0.1", publicURL: url, publicReading: true)
        #expect(try status(open, .get, "/read") == 200)
        #expect(try status(open, .post, "/change") == 401)
    }

    @Test func `shared caches may keep only what everybody may read, and not the responses to a token`() throws {
        func audience(_ publicReading: Bool, _ target: String, _ headers: [(HeaderName, String)] = []) throws -> String
        {
            var routes = RouterBuilder<Void>()
            for (pattern, permission) in Self.targets {
                routes.on(.get, pattern, for: permission) { request, _ in .response(.text(request.audience.rawValue)) }
            }
            let access = AccessControl(listening: [.loopback], publicReading: publicReading, tokens: Register())
            let request = Request(.get, target, headers: headers)
            guard case .ready(let reply) = routes.build(access: access).answer(request),
                case .bytes(let bytes) = reply.response.body
            else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try audience(true, "/read") == "public")
        #expect(try audience(false, "/read") == "private")
        #expect(try audience(true, "/read?key=viewer") == "private")
        #expect(try audience(true, "/read", [(.authorization, "Bearer owner")]) == "private")
        #expect(try audience(true, "/read", [(.authorization, "Bearer nobody")]) == "private")
        #expect(try audience(true, "/open") == "private")
    }

    @Test func `tokens that apps put into the path or an account are read and kept out of logs`() throws {
        for (target, token, shown) in [
            ("/apps/phonetrack/logGet/secret/phone?lat=1", "secret", "/apps/phonetrack/logGet/-/phone?lat=1"),
            ("/index.php/apps/phonetrack/logPost/secret/a%20b", "secret", "/index.php/apps/phonetrack/logPost/-/a%20b"),
            ("/maps/apps/phonetrack/log/osmand/s%2Dt/phone", "s-t", "/maps/apps/phonetrack/log/osmand/-/phone"),
            ("/apps/phonetrack/log/traccar/secret", "secret", "/apps/phonetrack/log/traccar/-"),
            ("/apps/phonetrack/logGet/x/phone?key=secret", "secret", "/apps/phonetrack/logGet/-/phone"),
            ("/gprmc/Data?id=a&acct=secret&alt=1", "secret", "/gprmc/Data?id=a&alt=1"),
            ("/maps/gprmc/Data?acct=secret", "secret", "/maps/gprmc/Data"),
            ("/reitti/api/v1/ingest/overland?token=secret", "secret", "/reitti/api/v1/ingest/overland"),
        ] {
            let target = RequestTarget(target)
            #expect(target.secret == token && target.redacted == shown, "\(target.redacted)")
        }
        for target in [
            "/apps/phonetrack/", "/apps/phonetrack/x/secret", "/osmand?acct=a", "/apps/phonetrack/log/osmand",
        ] {
            let target = RequestTarget(target)
            #expect(target.secret == nil && target.redacted == String(decoding: target.bytes, as: UTF8.self))
        }
    }

    @Test func `keys are read from the query and kept out of logs`() throws {
        for (target, key) in [
            ("/?key=a", "a"), ("/?a=b&key=a%2Db", "a-b"), ("/?api_key=a", "a"), ("/?key=a&key=b", "a"), ("/?key=", ""),
        ] {
            let target = RequestTarget(target)
            #expect(target.secret == key)
            #expect(!target.redacted.contains("key"))
        }
        for target in ["/", "/?", "/?key", "/?xkey=a", "/key=a", "/?key=%zz"] {
            #expect(RequestTarget(target).secret == nil)
        }
    }

    @Test func `a stream is registered with the token that opened it`() throws {
        let gate = try gate("192.0.2.1")
        for (token, isClosed) in [("viewer", true), ("owner", false)] {
            let response = try answer(
                gate, Request(.get, "/events?key=\(token)", headers: [(.host, "192.0.2.1")]))
            guard case .events(let channel) = response.body else { throw Problem.internalServerError }
            #expect(channel.isClosed == isClosed)
        }
    }
}
