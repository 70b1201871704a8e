import Dispatch
import Glibc
import HTTPCore
import Locking
import MicroHTTPD
import Testing

/// Ambiguous requests: each is refused, and nothing after it is read.
@Suite struct StrictnessTests {
    private static let inner = "GET /ready/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Heads and what follows them, as bytes; `¶` means CRLF, `␀` means NUL.
    private static let requests: [String] = [
        // Blanks before a colon.
        "GET /ready/a HTTP/1.1¶Host: localhost¶Content-Length : 10¶¶",
        "GET /ready/a HTTP/1.1¶Host : localhost¶¶", "GET /ready/a HTTP/1.1¶Host\t: localhost¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X-Forwarded-For : 1.2.3.4¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding : chunked¶¶0¶¶",
        // NUL and control characters.
        "GET /ready/a␀b HTTP/1.1¶Host: localhost¶¶", "GET /ready/a␀ HTTP/1.1¶Host: localhost¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost␀.evil¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶X: a␀b¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X: a␀␀Y␀b¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶X␀: a¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X: a\u{01}b¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶X: a\u{7f}¶¶",
        "GET /ready/a\u{01} HTTP/1.1¶Host: localhost¶¶", "GET /ready/a\tb HTTP/1.1¶Host: localhost¶¶",
        "GET /ready/a b HTTP/1.1¶Host: localhost¶¶",
        // Blanks in the request line.
        "GET  /ready/a HTTP/1.1¶Host: localhost¶¶", "GET /ready/a  HTTP/1.1¶Host: localhost¶¶",
        // Line breaks.
        "GET /ready/a HTTP/1.1\nHost: localhost¶¶", "GET /ready/a HTTP/1.1¶Host: localhost\n¶",
        "GET /ready/a HTTP/1.1¶Host: localhost\n\n", "GET /ready/a HTTP/1.1¶Host: localhost¶\n",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X: a\nY: b¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶X: a\rY: b¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X: a\r¶¶",
        // Folded lines, and invalid header names.
        "GET /ready/a HTTP/1.1¶Host: localhost¶X: a¶ b¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶X: a¶\tb¶¶",
        "GET /ready/a HTTP/1.1¶ Host: localhost¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶: a¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶X(Y): a¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶no colon¶¶",
        // Lengths.
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: +0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: +5¶¶hello",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: -0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 0x5¶¶hello",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 5, 5¶¶hello",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: ¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 5 5¶¶hello",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 99999999999999999999999¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 5¶Content-Length: 5¶¶hello",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 0¶Content-Length: 48¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶Content-Length: 0¶Content-Length: 0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 5¶Transfer-Encoding: chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶Content-Length: 5¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: +5¶Transfer-Encoding: chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶Transfer-Encoding: chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: identity¶Transfer-Encoding: chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: gzip, chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked, identity¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: xchunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked;q=1¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: \"chunked\"¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding:\u{0b}chunked¶¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: ¶¶0¶¶",
        "POST /memory HTTP/1.0¶Host: localhost¶Transfer-Encoding: chunked¶¶0¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶Transfer-Encoding: gzip¶¶",
        // Hosts.
        "GET /ready/a HTTP/1.1¶¶", "GET /ready/a HTTP/1.1¶Host: localhost¶Host: localhost¶¶",
        "GET /ready/a HTTP/1.1¶Host: localhost¶Host: evil.example¶¶",
        "GET http://localhost/ready/a HTTP/1.1¶¶", "GET http://localhost/ready/a HTTP/1.1¶Host: evil.example¶¶",
        "GET http://evil@localhost/ready/a HTTP/1.1¶Host: localhost¶¶",
        "GET http:///ready/a HTTP/1.1¶Host: localhost¶¶",
        // Targets and versions.
        "GET ready/a HTTP/1.1¶Host: localhost¶¶", "GET * HTTP/1.1¶Host: localhost¶¶",
        "GET ftp://localhost/ready/a HTTP/1.1¶Host: localhost¶¶", "CONNECT localhost:80 HTTP/1.1¶Host: localhost¶¶",
        "GET /ready/a¶Host: localhost¶¶", "GET /ready/a http/1.1¶Host: localhost¶¶",
        "GET /ready/a HTTP/1.1x¶Host: localhost¶¶", "GET /ready/a HTTP/1.1 ¶Host: localhost¶¶",
        "G(T /ready/a HTTP/1.1¶Host: localhost¶¶", "G␀ET /ready/a HTTP/1.1¶Host: localhost¶¶",
        // Chunks.
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶¶0x5¶hello¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶¶ 5¶hello¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶¶5¶helloworld¶0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: chunked¶¶-1¶hello¶0¶¶",
    ]

    private static func bytes(_ text: String) -> [UInt8] {
        Array(text.replacing("¶", with: "\r\n").replacing("␀", with: "\0").utf8)
    }

    @Test(arguments: requests)
    func `an ambiguous request is refused once, and nothing after it is read`(request: String) async throws {
        let server = try Server(eventLoops: 1)
        // Sent in one write, and split so that the library reads a part first.
        for cut in [0, 25] {
            let client = try server.client()
            let all = Self.bytes(request) + Array(Self.inner.utf8)
            client.send(Array(all.prefix(cut)))
            if cut > 0 { usleep(5_000) }
            client.send(Array(all.dropFirst(cut)))
            let said = try client.everything()
            #expect(said.hasPrefix("HTTP/1.1 400 "), "\(said)")
            #expect(said.components(of: "HTTP/1.1 ") == 1 && said.components(of: "HTTP/1.0 ") == 0, "\(said)")
            #expect(said.lowercased().contains("connection: close"), "\(said)")
        }
        await server.listener.stop()
        #expect(server.state.records.withLock { $0.allSatisfy { $0.status != 200 } })
        #expect(server.state.bodies.withLock { $0 } == 0)
    }

    @Test(arguments: [
        "GET /ready/a HTTP/1.1¶Host: localhost¶¶", "¶¶GET /ready/a HTTP/1.1¶Host: localhost¶¶",
        "GET /ready/a HTTP/1.1¶hOST:localhost¶¶", "GET /ready/a HTTP/1.1¶Host:\t  localhost¶X:¶Y: ¶Z: é\t|~¶¶",
        "GET http://localhost/ready/a HTTP/1.1¶Host: localhost¶¶",
        "GET http://LOCALHOST/ready/a?x=%00&y HTTP/1.1¶Host: localhost¶¶",
        "GET /ready/a?a=b&c=%20d+e&&f HTTP/1.1¶Host: localhost¶Cookie: a=b; c=\"d\"¶¶",
        "GET /ready/%61 HTTP/1.1¶Host: localhost¶!#$%&'*+-.^_`|~9: x¶¶", "GET /ready/a HTTP/1.0¶¶",
        "POST /memory HTTP/1.1¶Host: localhost¶Content-Length: 1¶¶a",
        "POST /memory HTTP/1.1¶Host: localhost¶content-length: 0001¶¶a",
        "POST /memory HTTP/1.1¶Host: localhost¶Transfer-Encoding: Chunked¶¶1;x=y¶a¶0¶¶",
    ])
    func `well-formed requests are answered`(request: String) async throws {
        let server = try Server(eventLoops: 1)
        for cut in [0, 25] {
            let client = try server.client()
            let all = Self.bytes(request)
            client.send(Array(all.prefix(cut)))
            if cut > 0 { usleep(5_000) }
            client.send(Array(all.dropFirst(cut)))
            let answer = try client.answer()
            #expect(answer.status == 200 && answer.text == "a")
        }
        await server.listener.stop()
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
