import Dispatch
import HTTPCore
import Locking
import MicroHTTPD
import Testing

@Suite struct StopTests {
    @Test func `stopping finishes responses in progress and starts no new ones`() async throws {
        let server = try Server()
        let clients = try (0..<8).map { _ in try server.client() }
        for client in clients { client.send(Client.request("/held")) }
        for _ in clients { server.state.begun.wait() }
        // So many that each event loop has one: a loop notices by itself that it has to stop.
        let idle = try (0..<16).map { _ in try server.client() }
        for client in idle { #expect(try client.get("/ready/1").status == 200) }
        let stopped = DispatchSemaphore(value: 0)
        server.listener.stop { stopped.signal() }
        // Idle connections are closed first; requests in progress are finished.
        for client in idle { #expect(try client.isClosedByPeer()) }
        server.state.release("finished")
        for client in clients {
            let answer = try client.answer()
            #expect(answer.text == "finished" && answer.headers["connection"] == "close")
            #expect(try client.isClosedByPeer())
        }
        #expect(stopped.wait(timeout: .now() + 20) == .success)
        #expect(throws: Client.Closed.self) { try server.client().get("/ready/1") }
    }

    @Test func `work that does not end is answered with 503 after the timeout`() async throws {
        var limits = Limits()
        limits.stopSeconds = 0.3
        let server = try Server(limits: limits)
        let client = try server.clientOfHeldRequest()
        await server.listener.stop()
        #expect(try client.answer().status == 503)
        #expect(try client.isClosedByPeer())
        #expect(server.state.cancelled.withLock { $0 } == 1)
    }

    @Test func `a client that reads nothing does not delay stopping`() async throws {
        var limits = Limits()
        limits.stopSeconds = 0.3
        let server = try Server(limits: limits)
        let client = try server.client()
        client.send(String(repeating: Client.request("/tile"), count: 2_000))
        #expect(try client.answer().status == 200)
        await server.listener.stop()
    }

    @Test func `stopping twice has the effect of stopping once`() async throws {
        let server = try Server()
        #expect(try server.client().get("/ready/1").status == 200)
        await server.listener.stop()
        await server.listener.stop()
    }

    @Test func `the port is free after stopping`() async throws {
        let server = try Server()
        #expect(try server.client().get("/ready/1").status == 200)
        await server.listener.stop()
        let port = server.port
        _ = consume server
        _ = try ListeningSocket(host: "127.0.0.1", port: port)
    }

    @Test func `a released listener frees its resources`() async throws {
        final class Marker: Sendable {}
        struct Marked: Responder {
            let marker: Marker
            func answer(_ request: Request) -> HandlerResult { .response(.text("here")) }
        }
        var marker: Marker? = Marker()
        weak let watched = marker
        do {
            let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
            let listener = try Listener(socket: socket, responder: Marked(marker: #require(marker)))
            #expect(try Client(port: listener.port).get("/").text == "here")
            await listener.stop()
        }
        marker = nil
        // Queued blocks may keep it alive for a moment.
        for _ in 0..<100 where watched != nil { try await Task.sleep(for: .milliseconds(100)) }
        #expect(watched == nil)
    }
}
