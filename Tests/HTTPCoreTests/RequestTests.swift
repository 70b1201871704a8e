import HTTPCore
import Testing

@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/", [""]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/a%2Fb/c%20d?x=1", ["a/b", "c d"]),
        ("/%C3%A9", ["é"]), ("http://host:1/a?b", ["a"]),
    ])
    func `a path is split into decoded segments`(target: String, segments: [String]) {
        #expect(RequestTarget(target).segments == segments)
    }

    @Test(arguments: ["", "a", "/%", "/%4", "/%zz", "/%00", "/%0a", "/%ff", "/%C3", "*", "http://host", "http://h?x"])
    func `a path that is not valid, or not valid text after decoding, has no segments`(target: String) {
        #expect(RequestTarget(target).segments == nil)
    }

    @Test func `a target in absolute form contains its host`() {
        #expect(RequestTarget("http://evil.example:80/tiles").authority == "evil.example:80")
        #expect(RequestTarget("HTTPS://a/b").authority == "a")
        #expect(RequestTarget("/http://a/b").authority == nil)
    }

    @Test func `parameters keep their order, repetitions and empty values`() throws {
        let parameters = try RequestTarget("/?b=1&a=x+y%2B&&b=2&c&d=e=f").parameters()
        #expect(parameters.map(\.name) == ["b", "a", "b", "c", "d"])
        #expect(parameters.map(\.value) == ["1", "x y+", "2", "", "e=f"])
        #expect(throws: Problem.self) { try RequestTarget("/?a=%f").parameters() }
    }

    @Test(arguments: [
        ("/a?key=secret", "/a"), ("/a?x=1&key=secret&y=2", "/a?x=1&y=2"), ("/a?%6bey=secret", "/a"),
        ("/a?k%65y=secret&b", "/a?b"), ("/a?%zz=secret&b", "/a?b"), ("/key=1", "/key=1"),
        ("/a?monkey=1", "/a?monkey=1"),
        ("/a", "/a"),
    ])
    func `no log shows a key, however it is spelt`(target: String, shown: String) {
        #expect(RequestTarget(target).redacted == shown)
    }
}

@Suite struct HeaderFieldsTests {
    @Test func `header names are case-insensitive`() {
        let request = Request(.get, "/", headers: [(HeaderName("hOST"), "a"), (HeaderName("x-Some"), "1")])
        #expect(request.headers[.host] == "a")
        #expect(request.headers[HeaderName("X-SOME")] == "1")
        #expect(request.headers[HeaderName("X-Others")] == nil)
        #expect(HeaderName("ETAG") == .eTag && HeaderName("etag").description == "ETag")
    }

    @Test func `a repeated header is a list, not a single value`() {
        let request = Request(.get, "/", headers: [(.ifNoneMatch, "\"a\""), (.ifNoneMatch, "\"b\"")])
        #expect(request.headers[.ifNoneMatch] == "\"a\", \"b\"")
        #expect(request.headers.single(.ifNoneMatch) == nil)
        #expect(request.headers.count(of: .ifNoneMatch) == 2)
    }
}

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:10.1.2.3", "10.1.2.3"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"), ("fe80::1:0", "fe80::1:0"),
    ])
    func `addresses are parsed and written in their usual form`(text: String, usual: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == usual)
        #expect(IPAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "+1.2.3.4", ":::", "1::2::3", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "12345::", "g::", "1:2:3:4::5:6:7:8", "::1%eth0", "+1::", "[::1]",
    ])
    func `invalid addresses are rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `loopback and any addresses are detected in IPv4 and IPv6`() throws {
        #expect(try #require(IPAddress("127.9.9.9")).isLoopback)
        #expect(try #require(IPAddress("::1")).isLoopback)
        #expect(try #require(IPAddress("::ffff:127.0.0.1")).isLoopback)
        #expect(try !#require(IPAddress("10.0.0.1")).isLoopback)
        #expect(try #require(IPAddress("::")).isAny && #require(IPAddress("0.0.0.0")).isAny)
        #expect(try !#require(IPAddress("::1")).isAny)
    }
}

@Suite struct ContentCodingTests {
    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("br, gzip", true), ("br,x-gzip;q=0.1", true),
            ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=x", false), ("*", true), ("*;q=0", false),
            ("*, gzip;q=0", false), ("*;q=0, gzip", true), ("br", false), ("identity", false), ("gzipped", false),
            ("gzip;q=1.0, *;q=0", true), (";q=1", false), (",", false),
            // Both names of the coding: the proper one decides.
            ("x-gzip;q=0, gzip", true), ("gzip, x-gzip;q=0", true), ("gzip;q=0, x-gzip", false),
            ("X-GZIP;Q=0", false), ("x-gzip;q=0, *", false), ("*, x-gzip;q=0", false), ("x-gzip", true),
            // The preference for no compression.
            ("gzip;q=0.5, identity", false), ("identity, gzip", true), ("identity;q=0.5, gzip;q=1.0", true),
            ("identity;q=0", false), ("identity;q=0, gzip;q=0.1", true), ("*, identity", true),
            ("identity;q=0, *", true), ("gzip;q=0.1, *;q=0.9", true),
            ("\tgzip ;\t q=0.3 , br", true), ("gzip ; q=0", false), ("g zip", false), ("gzip;q=nan", false),
            ("gzip;q=0x1", false), ("gzip;q=2", false), ("gzip;q=-1", false), ("gzip;q=", false), ("gzip;", true),
        ] as [(String?, Bool)])
    func `gzip is used if the client accepts it`(header: String?, isAccepted: Bool) {
        let headers = header.map { [(HeaderName.acceptEncoding, $0)] } ?? []
        #expect(Request(.get, "/", headers: headers).acceptsGzip == isAccepted)
    }
}
