import Dispatch
import Glibc
import HTTPCore
import MicroHTTPD
import Testing

@Suite struct LimitTests {
    @Test func `slowly sent headers are cut off although the connection is never idle`() async throws {
        var limits = Limits()
        limits.headerSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.client()
        client.send("GET /tile HTTP/1.1\r\nx: ")
        var isCut = false
        for _ in 0..<200 where !isCut {
            client.send("a")
            isCut = !client.isSilent(milliseconds: 100)
        }
        #expect(isCut)
        #expect(try client.isClosedByPeer())
        await server.listener.stop()
    }

    @Test func `a slowly sent second request is also cut off`() async throws {
        var limits = Limits()
        limits.headerSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.client()
        #expect(try client.get("/ready/first").text == "first")
        client.send("GET /tile HTTP/1.1\r\nx: ")
        var isCut = false
        for _ in 0..<200 where !isCut {
            client.send("a")
            isCut = !client.isSilent(milliseconds: 100)
        }
        #expect(isCut)
        await server.listener.stop()
    }

    @Test func `a connection that is idle is closed`() async throws {
        var limits = Limits()
        limits.idleSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.client()
        #expect(try client.get("/ready/first").text == "first")
        #expect(try client.isClosedByPeer())
        await server.listener.stop()
    }

    @Test func `a connection that waits for its response is not idle`() async throws {
        var limits = Limits()
        limits.idleSeconds = 1
        limits.headerSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.clientOfHeldRequest()
        #expect(client.isSilent(milliseconds: 3_500))
        server.state.release("late")
        #expect(try client.answer().text == "late")
        await server.listener.stop()
    }

    @Test func `connections beyond the limit wait while all others wait for responses`() async throws {
        var limits = Limits()
        limits.connections = 2
        let server = try Server(limits: limits, eventLoops: 1)
        // One after the other: a connection without a request would be closed for the next one.
        let first = try server.clientOfHeldRequest()
        let second = try server.clientOfHeldRequest()
        let third = try server.client()
        third.send(Client.request("/ready/3"))
        #expect(third.isSilent(milliseconds: 300))
        server.state.release("late")
        #expect(try third.answer().text == "3")
        #expect(try first.answer().text == "late")
        #expect(try second.answer().text == "late")
        await server.listener.stop()
    }

    @Test func `new connections are served at once however many idle ones there are`() async throws {
        var limits = Limits()
        limits.connections = 32
        let server = try Server(limits: limits)
        let waiting = try server.clientOfHeldRequest()
        // Some have sent nothing, some a part of a head, some are between two requests.
        let idle = try (0..<300).map { number in
            let client = try server.client()
            if number % 3 == 1 { client.send("GET /tile HTTP/1.1\r\nx: ") }
            if number % 3 == 2 { client.send(Client.request("/ready/idle")) }
            return client
        }
        let start = ContinuousClock.now
        for _ in 0..<20 { #expect(try server.client().get("/ready/now").text == "now") }
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(idle.count == 300)
        server.state.release("late")
        #expect(try waiting.answer().text == "late")
        await server.listener.stop()
    }

    @Test func `bodies and responses without progress do not block other clients`() async throws {
        var limits = Limits()
        limits.connections = 8
        limits.idleSeconds = 600
        let server = try Server(limits: limits, eventLoops: 1)
        let slow = try (0..<7).map { _ in
            let client = try server.client()
            client.send(Client.request("/memory", method: "POST", headers: ["Content-Length: 100"]) + "half")
            return client
        }
        // Connections that are sending a body stay open.
        try await Task.sleep(for: .seconds(4))
        slow[0].send("more")
        try await Task.sleep(for: .milliseconds(300))
        let others = try (0..<3).map { _ in try server.client() }
        for other in others { #expect(try other.get("/ready/now").text == "now") }
        slow[0].send([UInt8](repeating: 7, count: 92))
        #expect(try slow[0].answer().status == 200)
        await server.listener.stop()
    }

    @Test func `at the limit of loopback addresses, a sixteenth of that limit is closed`() async throws {
        var limits = Limits()
        limits.connectionsFromLoopback = 32
        limits.connectionsPerAddress = 512
        let server = try Server(limits: limits, eventLoops: 1)
        let idle = try (0..<32).map { _ in
            let client = try server.client()
            #expect(try client.get("/ready/idle").text == "idle")
            return client
        }
        #expect(try server.client().get("/ready/now").text == "now")
        // The server notices the ends of connections a moment later.
        try await Task.sleep(for: .milliseconds(200))
        let closed = idle.filter { !$0.isSilent(milliseconds: 1) }.count
        #expect(closed == 2)
        await server.listener.stop()
    }

    @Test func `each address has its own limit`() async throws {
        var limits = Limits()
        limits.connectionsFromLoopback = 2
        let server = try Server(limits: limits)
        // One after the other: a connection without a request would be closed for the next one.
        let first = try server.clientOfHeldRequest()
        let second = try server.clientOfHeldRequest()
        let third = try server.client()
        third.send(Client.request("/ready/3"))
        #expect(try third.isClosedByPeer())
        let other = try server.client()
        #expect(try other.isClosedByPeer())
        server.state.release("late")
        #expect(try first.answer().text == "late")
        #expect(try second.answer().text == "late")
        first.close()
        second.close()
        // The server notices the end of a connection a moment later.
        var status = 0
        for _ in 0..<200 where status != 200 {
            status = (try? server.client().get("/ready/4").status) ?? 0
            if status != 200 { usleep(10_000) }
        }
        #expect(status == 200)
        await server.listener.stop()
    }

    @Test func `loopback addresses may have most of the configured connections`() {
        var limits = Limits()
        #expect(limits.connectionsFromLoopback == 896)
        limits.connections = 4_000
        #expect(limits.connectionsFromLoopback == 3_500)
        limits.connectionsFromLoopback = 10
        #expect(limits.connectionsFromLoopback == 10)
    }

    @Test func `many connections are served at once`() async throws {
        let server = try Server()
        let clients = try (0..<400).map { _ in try server.client() }
        for round in 0..<3 {
            for client in clients { client.send(Client.request("/ready/\(round)")) }
            for client in clients { #expect(try client.answer().text == "\(round)") }
        }
        await server.listener.stop()
    }
}
