import Dispatch
import HTTPCore
import Locking
import MicroHTTPD
import Testing

@Suite struct ListenerTests {
    @Test func `a connection serves several requests in sequence`() async throws {
        let server = try Server()
        let client = try server.client()
        for number in 0..<3 {
            let answer = try client.get("/ready/\(number)")
            #expect(answer.status == 200 && answer.text == "\(number)")
            #expect(answer.headers["date"]?.hasSuffix("GMT") == true)
            #expect(answer.headers["content-length"] == "1")
            #expect(answer.headers["connection"] == nil)
        }
        await server.listener.stop()
    }

    @Test func `pipelined requests are answered in order, including deferred ones`() async throws {
        let server = try Server()
        let client = try server.client()
        let targets = ["/ready/1", "/drawn/2", "/eager", "/ready/4", "/drawn/5"]
        client.send(targets.map { Client.request($0) }.joined())
        var texts: [String] = []
        for _ in targets { texts.append(try client.answer().text) }
        #expect(texts == ["1", "2", "eager", "4", "5"])
        await server.listener.stop()
    }

    @Test func `HEAD has the headers of GET and no body`() async throws {
        let server = try Server()
        let client = try server.client()
        let get = try client.get("/tile")
        let head = try client.get("/tile", method: "HEAD")
        #expect(get.body.count == 20_000)
        #expect(head.headers["content-length"] == "20000" && head.headers["etag"] == "\"tag\"")
        // If a body had been sent, the next response would not parse.
        #expect(try client.get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `304 has the validators and no body`() async throws {
        let server = try Server()
        let client = try server.client()
        let answer = try client.get("/tile", headers: ["if-none-match: W/\"tag\""])
        #expect(answer.status == 304)
        #expect(answer.headers["etag"] == "\"tag\"" && answer.headers["vary"] == "Origin")
        #expect(answer.headers["content-length"] == "20000")
        #expect(try client.get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `a refusal gives the reason as problem+json, and the connection stays open`() async throws {
        let server = try Server()
        let client = try server.client()
        let missing = try client.get("/nothing")
        #expect(missing.status == 404)
        #expect(missing.headers["content-type"] == "application/problem+json")
        #expect(missing.text.contains("\"status\":404"))
        let refused = try client.get("/tile", method: "DELETE")
        #expect(refused.status == 405 && refused.headers["allow"] == "GET, HEAD, OPTIONS")
        #expect(try client.get("/forgotten").status == 500)
        client.send("GET /tile HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.answer().status == 421)
        #expect(try client.get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `the largest allowed request is answered, larger ones get the reason`() async throws {
        let server = try Server()
        let limits = Limits()
        let target = "/" + String(repeating: "a", count: limits.targetBytes - 1)
        let names = (100..<200).map { "x-\($0)" }
        let room = limits.headerBytes - "Hostlocalhost".count - names.map(\.count).reduce(0, +)
        let headers = names.map { "\($0): " + String(repeating: "b", count: room / names.count) }
        #expect(try server.client().get(target, headers: headers).status == 404)
        #expect(try server.client().get(target + "a").status == 414)
        #expect(
            try server.client().get("/", headers: headers + ["y: " + headers.joined(separator: "z").prefix(200)]).status
                == 431)
        let huge = try server.client().get("/" + String(repeating: "a", count: 100_000))
        #expect(huge.status == 414)
        await server.listener.stop()
    }

    @Test func `a refused body is not read, and not parsed as a request`() async throws {
        let server = try Server()
        let inner = Client.request("/ready/smuggled")
        for (method, status) in [("POST", 405), ("GET", 413), ("PATCH", 405), ("DELETE", 405), ("OPTIONS", 413)] {
            let client = try server.client()
            let answer = try client.get("/tile", method: method, headers: ["Content-Length: \(inner.utf8.count)"])
            #expect(answer.status == status && answer.headers["connection"] == "close")
            client.send(inner)
            #expect(try client.isClosedByPeer())
        }
        let chunked = try server.client()
        #expect(try chunked.get("/tile", headers: ["Transfer-Encoding: chunked"]).status == 413)
        #expect(try chunked.isClosedByPeer())
        await server.listener.stop()
        #expect(server.state.records.withLock { $0.count { $0.status == 200 } } == 0)
    }

    @Test func `an HTTP 1.0 request is answered and its connection closed`() async throws {
        let server = try Server()
        let client = try server.client()
        client.send("GET /ready/old HTTP/1.0\r\n\r\n")
        #expect(try client.answer().text == "old")
        #expect(try client.isClosedByPeer())
        await server.listener.stop()
    }

    @Test func `ready responses do not wait for deferred ones`() async throws {
        let server = try Server()
        let waiting = try (0..<200).map { _ in try server.client() }
        for client in waiting { client.send(Client.request("/held")) }
        for _ in waiting { server.state.begun.wait() }
        #expect(try server.client().get("/ready/now").text == "now")
        server.state.release("late")
        for client in waiting { #expect(try client.answer().text == "late") }
        await server.listener.stop()
    }

    @Test func `a reply is sent at once, not at the next timer tick`() async throws {
        let server = try Server()
        let client = try server.client()
        let start = ContinuousClock.now
        for _ in 0..<60 {
            #expect(try client.get("/drawn/a").text == "a")
            #expect(try client.get("/eager").text == "eager")
        }
        // With one timer tick for each request, this would take two minutes.
        #expect(ContinuousClock.now - start < .seconds(20))
        await server.listener.stop()
    }

    @Test func `an access record contains the request without its key, and the response`() async throws {
        let server = try Server()
        let client = try server.client()
        _ = try client.get("/tile?key=secret&a=1")
        server.state.recorded.wait()
        _ = try client.get("/tile", method: "HEAD")
        server.state.recorded.wait()
        let records = server.state.records.withLock { $0 }
        #expect(records.map(\.target.redacted) == ["/tile?a=1", "/tile"])
        #expect(records.map(\.method) == [.get, .head])
        #expect(records.map(\.bodyBytes) == [20_000, 0])
        #expect(
            records.allSatisfy { $0.status == 200 && $0.cacheResult == .hit && $0.isComplete && $0.peer.isLoopback })
        await server.listener.stop()
    }

    @Test func `an occupied port is reported`() async throws {
        let server = try Server()
        #expect(throws: ListenError.portInUse(host: "127.0.0.1", port: server.port)) {
            try ListeningSocket(host: "127.0.0.1", port: server.port)
        }
        await server.listener.stop()
    }

    @Test func `a host of another machine is reported`() {
        #expect(throws: ListenError.noSuchHost("192.0.2.1")) { try ListeningSocket(host: "192.0.2.1", port: 0) }
        #expect(throws: ListenError.noSuchHost("no such host")) { try ListeningSocket(host: "no such host", port: 0) }
    }

    @Test func `a socket knows its address and real port`() throws {
        let socket = try ListeningSocket(host: "localhost", port: 0)
        #expect(socket.address.isLoopback && socket.port > 0)
        #expect(try ListeningSocket(host: "0.0.0.0", port: 0).address.isAny)
    }

    @Test func `the machine's own names reach a socket that other machines can connect to`() throws {
        #expect(try ListeningSocket(host: "127.0.0.1", port: 0).names.isEmpty)
        #expect(try ListeningSocket(host: "localhost", port: 0).names == ["localhost"])
        let names = try ListeningSocket(host: "0.0.0.0", port: 0).names
        #expect(names.count == 3 && names.last == (names.dropLast().last ?? "") + ".local")
    }
}
