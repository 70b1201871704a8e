import Dispatch
import HTTPCore
import Locking
import MicroHTTPD
import Testing

@Suite struct EventTests {
    /// A server's channel, with the calls of its callbacks.
    private final class Writer: Sendable {
        let channel = EventChannel()
        let wanted = DispatchSemaphore(value: 0)
        let closed = DispatchSemaphore(value: 0)

        init(_ server: Server) {
            server.state.channel.withLock { $0 = channel }
            let (wanted, closed) = (wanted, closed)
            channel.onDemand({ wanted.signal() }, closed: { closed.signal() })
        }

        func write(_ text: String) { channel.write(Array(text.utf8)) }
        var isClosed: Bool { closed.wait(timeout: .now() + 20) == .success }
        var isWanted: Bool { wanted.wait(timeout: .now() + 20) == .success }
    }

    private func begin(_ server: Server) throws -> (Writer, Client) {
        let writer = Writer(server)
        let client = try server.client()
        client.send(Client.request("/events"))
        #expect(try client.head().hasPrefix("HTTP/1.1 200"))
        #expect(writer.isWanted)
        return (writer, client)
    }

    @Test func `events are sent as they are written, and the connection stays open after the last`() throws {
        let server = try Server()
        let (writer, client) = try begin(server)
        for number in 0..<50 {
            let text = "event \(number)\n"
            writer.write(text)
            #expect(try client.chunks(text.utf8.count) == Array(text.utf8))
        }
        #expect(client.isSilent(milliseconds: 50))
        writer.channel.end()
        #expect(try client.chunk().isEmpty)
        #expect(writer.isClosed)
        #expect(try client.get("/ready/1").text == "1")
        let record = try #require(server.state.records.withLock { $0.first })
        #expect(record.isComplete && record.bodyBytes == (0..<50).reduce(0) { $0 + "event \($1)\n".utf8.count })
    }

    @Test func `no event is lost when writing and sending overlap`() throws {
        let server = try Server()
        let (writer, client) = try begin(server)
        let count = 20_000
        DispatchQueue.global().async {
            for number in 0..<count {
                while writer.channel.isFull { writer.wanted.wait() }
                writer.write("\(number)\n")
            }
            writer.channel.end()
        }
        var bytes: [UInt8] = []
        while true {
            let chunk = try client.chunk()
            if chunk.isEmpty { break }
            bytes += chunk
        }
        #expect(bytes == Array((0..<count).map { "\($0)\n" }.joined().utf8))
    }

    @Test func `a client that reads nothing pauses the writer`() throws {
        let server = try Server()
        let (writer, client) = try begin(server)
        let block = [UInt8](repeating: 65, count: 16_384)
        var written = 0
        // The system's socket buffers hold some megabytes at most.
        while written < 64 << 20 {
            if !writer.channel.isFull {
                writer.channel.write(block)
                written += block.count
            } else if writer.wanted.wait(timeout: .now() + 1) == .timedOut, writer.channel.isFull {
                break
            }
        }
        #expect(writer.channel.isFull && written < 64 << 20)
        #expect(try client.chunks(written).count == written)
        #expect(writer.isWanted)
    }

    @Test func `a disconnect is detected while nothing is sent`() throws {
        let server = try Server()
        let (writer, client) = try begin(server)
        client.close()
        #expect(writer.isClosed)
        #expect(server.state.recorded.wait(timeout: .now() + 20) == .success)
        #expect(try server.client().get("/ready/1").status == 200)
    }

    @Test func `a client that does not read for long is disconnected, but not one that waits for events`() throws {
        var limits = Limits()
        limits.idleSeconds = 1
        let server = try Server(limits: limits)
        let (waiting, patient) = try begin(server)
        let (flooded, idle) = try begin(server)
        defer { idle.close() }
        for _ in 0..<1000 { flooded.channel.write([UInt8](repeating: 65, count: 65_536)) }
        #expect(flooded.isClosed)
        #expect(!waiting.channel.isClosed)
        waiting.write("still here")
        #expect(try patient.chunks(10) == Array("still here".utf8))
    }

    @Test func `a stopping listener ends streams after the written bytes`() throws {
        let server = try Server()
        let (writer, client) = try begin(server)
        let stopped = DispatchSemaphore(value: 0)
        writer.write("last")
        server.listener.stop { stopped.signal() }
        #expect(try client.chunks(4) == Array("last".utf8))
        #expect(try client.isClosedByPeer())
        #expect(writer.isClosed)
        #expect(stopped.wait(timeout: .now() + 20) == .success)
    }

    @Test func `a stopping listener drops a stream whose client does not read`() throws {
        var limits = Limits()
        limits.stopSeconds = 0.3
        let server = try Server(limits: limits)
        let (writer, idle) = try begin(server)
        defer { idle.close() }
        for _ in 0..<1000 { writer.channel.write([UInt8](repeating: 65, count: 65_536)) }
        let stopped = DispatchSemaphore(value: 0)
        server.listener.stop { stopped.signal() }
        #expect(stopped.wait(timeout: .now() + 20) == .success)
        #expect(writer.isClosed)
    }

    @Test func `HEAD of a stream gives only headers, and requests no events`() throws {
        let server = try Server()
        let writer = Writer(server)
        let client = try server.client()
        let head = try client.get("/events", method: "HEAD")
        // The length is not known, and not 0. No byte follows the head.
        #expect(head.status == 200 && head.headers["content-length"] == nil)
        #expect(head.headers["transfer-encoding"] == nil && head.headers["connection"] == "close")
        #expect(try client.isClosedByPeer())
        #expect(writer.isClosed)
        #expect(writer.wanted.wait(timeout: .now()) == .timedOut)
        #expect(try server.client().get("/ready/1").text == "1")
    }
}
