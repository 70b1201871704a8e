import Dispatch
import HTTPCore
import Locking
import MicroHTTPD
import Testing

@Suite struct HangUpTests {
    @Test func `work is cancelled at once when its client disconnects`() async throws {
        let server = try Server()
        let client = try server.clientOfHeldRequest()
        client.close()
        #expect(server.state.cancellations.wait(timeout: .now() + 5) == .success)
        server.state.recorded.wait()
        let record = try #require(server.state.records.withLock { $0.first })
        #expect(!record.isComplete && record.status == 0)
        // A reply after the disconnect is discarded without harm.
        server.state.release("late")
        #expect(try server.client().get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `a late reply is not sent to a new connection with the same descriptor`() async throws {
        let server = try Server(eventLoops: 1)
        for _ in 0..<20 {
            let gone = try server.clientOfHeldRequest()
            gone.close()
            server.state.cancellations.wait()
            let next = try server.clientOfHeldRequest()
            let held = server.state.held.withLock { held in
                let taken = held
                held = []
                return taken
            }
            held[0](.response(.text("for the one that has gone")))
            held[1](.response(.text("for this one")))
            #expect(try next.answer().text == "for this one")
        }
        await server.listener.stop()
    }

    @Test func `clients that disconnect at any moment leave no resources behind`() async throws {
        let server = try Server()
        for number in 0..<300 {
            let client = try server.client()
            client.send(Client.request(["/tile", "/drawn/a", "/eager", "/held"][number % 4]))
            client.close()
        }
        #expect(try server.client().get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `a reply that was sent is not cancelled`() async throws {
        let server = try Server()
        let client = try server.clientOfHeldRequest()
        server.state.release("done")
        #expect(try client.answer().text == "done")
        client.close()
        await server.listener.stop()
        #expect(server.state.cancelled.withLock { $0 } == 0)
    }
}
