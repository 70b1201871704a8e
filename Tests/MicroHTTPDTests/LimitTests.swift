import Dispatch
import Glibc
import HTTPCore
import MicroHTTPD
import Testing

@Suite struct LimitTests {
    @Test func `headers that drip are cut off, though the connection is never idle`() async throws {
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

    @Test func `a second request that drips is cut off, too`() async throws {
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

    @Test func `a connection that waits for its answer is not idle`() async throws {
        var limits = Limits()
        limits.idleSeconds = 1
        limits.headerSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.client()
        client.send(Client.request("/held"))
        server.state.begun.wait()
        #expect(client.isSilent(milliseconds: 3_500))
        server.state.release("late")
        #expect(try client.answer().text == "late")
        await server.listener.stop()
    }

    @Test func `connections beyond the limit wait for their turn`() async throws {
        var limits = Limits()
        limits.connections = 2
        let server = try Server(limits: limits, shards: 1)
        let first = try server.client()
        let second = try server.client()
        #expect(try first.get("/ready/1").status == 200)
        #expect(try second.get("/ready/2").status == 200)
        let third = try server.client()
        third.send(Client.request("/ready/3"))
        #expect(third.isSilent(milliseconds: 300))
        first.close()
        #expect(try third.answer().text == "3")
        await server.listener.stop()
    }

    @Test func `one address has its own limit`() async throws {
        var limits = Limits()
        limits.connectionsPerAddress = 2
        limits.countsLoopback = true
        let server = try Server(limits: limits)
        let first = try server.client()
        let second = try server.client()
        #expect(try first.get("/ready/1").status == 200)
        #expect(try second.get("/ready/2").status == 200)
        let third = try server.client()
        third.send(Client.request("/ready/3"))
        #expect(try third.isClosedByPeer())
        let other = try Client(port: server.port, address: 0x7f00_0001)
        #expect(try other.isClosedByPeer())
        first.close()
        // The end of a connection is seen a moment later.
        var status = 0
        for _ in 0..<200 where status != 200 {
            status = (try? server.client().get("/ready/4").status) ?? 0
            if status != 200 { usleep(10_000) }
        }
        #expect(status == 200)
        await server.listener.stop()
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
