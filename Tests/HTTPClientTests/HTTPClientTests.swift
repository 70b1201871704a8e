import Foundation
import HTTPClient
import HTTPCore
import Locking
import Testing

@Suite struct HTTPClientTests {
    private func client(timeout: Int = 10_000, limit: Int = 1 << 20) -> HTTPClient {
        var client = HTTPClient(userAgent: "tileserve/test")
        client.timeoutMilliseconds = timeout
        client.byteLimit = limit
        return client
    }

    private func response(_ head: String, _ body: String = "") -> String {
        "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    @Test func `A response has its status and its body, and the request names the program`() throws {
        let server = try RawServer { [self] _ in [.send(response("200 OK", "{\"a\":1}"))] }
        let answer = try client().get(server.url("/reverse?lat=1&lon=2"))
        #expect(answer == HTTPClientResponse(status: 200, body: Array("{\"a\":1}".utf8)))
        let request = try #require(server.requests.withLock { $0.first })
        #expect(request.hasPrefix("GET /reverse?lat=1&lon=2 HTTP/1.1\r\n"))
        #expect(request.contains("\r\nUser-Agent: tileserve/test\r\n"))
        #expect(!request.contains("Cookie") && !request.contains("Referer"))
    }

    @Test(arguments: ["7", "date", "past", "soon", "-5"]) func `Retry-After may be seconds or a date`(
        _ kind: String
    ) throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let value =
            switch kind {
            case "date": format.string(from: Date(timeIntervalSinceNow: 100))
            case "past": format.string(from: Date(timeIntervalSinceNow: -100))
            default: kind
            }
        let server = try RawServer { [self] _ in
            [.send(response("429 Too Many Requests\r\nRetry-After: \(value)", "no"))]
        }
        let answer = try client().get(server.url())
        #expect(answer.status == 429)
        switch kind {
        case "7": #expect(answer.retryAfterSeconds == 7)
        case "date": #expect((90...100).contains(answer.retryAfterSeconds ?? 0))
        default: #expect(answer.retryAfterSeconds == nil)
        }
    }

    @Test func `A redirect is reported as an absolute URL, and not followed`() throws {
        let server = try RawServer { [self] request in
            let target = request.contains("/other") ? "https://other.example/x?y=1" : "/here?y=1"
            return [.send(response("302 Found\r\nLocation: \(target)"))]
        }
        #expect(try client().get(server.url("/same")).redirect == server.url("/here?y=1"))
        #expect(try client().get(server.url("/other")).redirect == "https://other.example/x?y=1")
        #expect(server.requests.withLock { $0.count } == 2)
    }

    @Test(arguments: [true, false]) func `A body that is too large is an error`(isEndless: Bool) throws {
        let part = String(repeating: "x", count: 10_000)
        let server = try RawServer { [self] _ in
            isEndless
                ? [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .sendForever(part)]
                : [.send(response("200 OK", part + "y"))]
        }
        let error = #expect(throws: HTTPClientError.self) { try client(limit: 10_000).get(server.url()) }
        #expect(error?.description.contains("too large") == true)
        guard !isEndless else { return }
        #expect(try client(limit: 10_001).get(server.url()).body.count == 10_001)
    }

    @Test(arguments: ["silent", "slow"]) func `A request ends when its time is over`(_ kind: String) throws {
        let server = try RawServer { _ in
            let begin = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            let byte: [RawServer.Step] = [.send("x"), .wait(50)]
            return kind == "silent" ? [.wait(2_000)] : [begin] + Array(repeating: byte, count: 40).flatMap { $0 }
        }
        let start = ContinuousClock.now
        #expect(throws: HTTPClientError.self) { try client(timeout: 300).get(server.url()) }
        #expect(ContinuousClock.now - start >= .milliseconds(250))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `A request ends when it is cancelled`() throws {
        let server = try RawServer { _ in [.wait(4_000)] }
        let asked = Locked(0)
        let start = ContinuousClock.now
        #expect(throws: HTTPClientError.self) {
            try client(timeout: 60_000).get(server.url()) {
                asked.withLock {
                    $0 += 1
                    return $0 > 1
                }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(asked.withLock { $0 } > 1)
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]) func `What is no complete HTTP response is an error`(_ text: String) throws {
        let server = try RawServer { _ in [.send(text)] }
        let error = #expect(throws: HTTPClientError.self) { try client(timeout: 5_000).get(server.url()) }
        #expect(error?.description.isEmpty == false)
    }

    @Test func `Only HTTP is spoken, and a port without a server is an error`() throws {
        for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "", "http://", "gopher://127.0.0.1/"] {
            #expect(throws: HTTPClientError.self) { try client().get(url) }
        }
        let port = try RawServer { _ in [] }.port
        #expect(throws: HTTPClientError.self) { try client().get("http://127.0.0.1:\(port)/") }
    }
}
