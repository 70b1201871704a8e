import Dispatch
import Files
import Glibc
import HTTPCore
import Locking
import MicroHTTPD
import Testing

@Suite struct BodyTests {
    /// Bytes that do not repeat, so that a misplaced part is detected.
    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private static let chunked = ["Transfer-Encoding: chunked"]
    private static let lastChunk = "0\r\n\r\n"

    /// The files in a folder that this process has open, including those without a name.
    private static func openFiles(in folder: String) -> Int {
        (0..<1024).count { number in
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
            guard count > 0 else { return false }
            return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .hasPrefix(folder + "/")
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `bodies are received completely, and their connections stay usable`(method: String) async throws {
        let server = try Server()
        let client = try server.client()
        for count in [1, 100, 20_000, 0, Server.memoryLimit] {
            let answer = try client.post("/memory", Self.bytes(count), method: method)
            #expect(answer.status == 200 && answer.body == Self.bytes(count))
            #expect(answer.headers["connection"] == nil)
        }
        #expect(try client.get("/ready/next").text == "next")
        await server.listener.stop()
    }

    @Test func `bodies on disk are received completely, and removed with their requests`() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(bodyFolder: folder.path)
        let client = try server.client()
        for count in [1, 40_000, Server.diskLimit] {
            let answer = try client.post("/disk", Self.bytes(count))
            #expect(answer.status == 200 && answer.body == Self.bytes(count))
        }
        #expect(try client.post("/disk", []).text == "nothing")
        await server.listener.stop()
        #expect(try Folder.entries(of: folder.path).isEmpty)
        #expect(Self.openFiles(in: folder.path) == 0)
    }

    @Test(arguments: ["/memory", "/disk"])
    func `a slowly sent body and one in chunks of any size are received completely`(target: String) async throws {
        let server = try Server()
        let client = try server.client()
        let bytes = Self.bytes(3_000)
        client.send(Client.request(target, method: "POST", headers: ["Content-Length: 300"]))
        for byte in bytes.prefix(300) { client.send([byte]) }
        #expect(try client.answer().body == Array(bytes.prefix(300)))
        for size in [1, 7, 3_000] {
            let client = try server.client()
            client.send(Client.request(target, method: "POST", headers: Self.chunked))
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Self.chunk(Array(bytes[$0..<min($0 + size, bytes.count)]))
            }
            client.send(chunks.flatMap { $0 } + Array(Self.lastChunk.utf8))
            #expect(try client.answer().body == bytes)
            // Request smuggling uses disagreement on where chunks end.
            #expect(try client.isClosedByPeer())
        }
        client.send(Client.request(target, method: "POST", headers: Self.chunked) + Self.lastChunk)
        #expect(try client.answer().status == 200)
        await server.listener.stop()
    }

    @Test func `pipelined requests with bodies are answered in order`() async throws {
        let server = try Server()
        let client = try server.client()
        var all: [UInt8] = []
        for number in 0..<20 {
            let body = Self.bytes(number * 500)
            let target = number % 2 == 0 ? "/memory" : "/disk"
            let head = Client.request(target, method: "POST", headers: ["Content-Length: \(body.count)"])
            all += Array(head.utf8) + body + Array(Client.request("/ready/\(number)").utf8)
        }
        client.send(all)
        for number in 0..<20 {
            let body = try client.answer().body
            #expect(number == 0 || body == Self.bytes(number * 500))
            #expect(try client.answer().text == "\(number)")
        }
        await server.listener.stop()
    }

    @Test func `a refusal is sent before the body is received`() async throws {
        let server = try Server()
        for (target, headers, status) in [
            ("/nothing", ["Content-Length: 10"], 404), ("/tile", ["Content-Length: 10"], 405),
            ("/memory", ["Content-Length: \(Server.memoryLimit + 1)"], 413),
            ("/memory", ["Content-Length: \(Server.memoryLimit + 1)", "Expect: 100-continue"], 413),
            ("/memory", ["Content-Length: 10", "Content-Encoding: gzip"], 415),
            ("/memory", ["Transfer-Encoding: gzip"], 400),
            ("/memory", ["Transfer-Encoding: chunked", "Content-Length: 10"], 400),
        ] {
            let client = try server.client()
            let answer = try client.get(target, method: "POST", headers: headers)
            #expect(answer.status == status && answer.headers["connection"] == "close")
            #expect(try client.isClosedByPeer())
        }
        await server.listener.stop()
        #expect(server.state.bodies.withLock { $0 } == 0)
    }

    @Test func `a client that expects 100 Continue gets it`() async throws {
        let server = try Server()
        let client = try server.client()
        client.send(Client.request("/memory", method: "POST", headers: ["Content-Length: 4", "Expect: 100-continue"]))
        #expect(try client.head() == "HTTP/1.1 100 Continue")
        client.send("body")
        #expect(try client.answer().text == "body")
        await server.listener.stop()
    }

    @Test(arguments: [("/memory", Server.memoryLimit), ("/disk", Server.diskLimit)])
    func `a body without length is refused when it becomes too long`(target: String, limit: Int) async throws {
        let server = try Server()
        let client = try server.client()
        client.send(Client.request(target, method: "POST", headers: Self.chunked))
        client.send(Self.chunk(Self.bytes(limit + 1)) + Array(Self.lastChunk.utf8))
        let answer = try client.answer()
        #expect(answer.status == 413 && answer.headers["connection"] == "close")
        #expect(try client.isClosedByPeer())
        #expect(server.state.bodies.withLock { $0 } == 0)
        await server.listener.stop()
    }

    @Test func `a refused body that does not end is cut off`() async throws {
        var limits = Limits()
        limits.discardedBodyLimit = 100_000
        let server = try Server(limits: limits)
        let client = try server.client()
        client.send(Client.request("/memory", method: "POST", headers: Self.chunked))
        let chunk = Self.chunk(Self.bytes(50_000))
        for _ in 0..<40 { client.send(chunk) }
        #expect(try client.isClosedByPeer())
        await server.listener.stop()
        #expect(server.state.bodies.withLock { $0 } == 0)
    }

    @Test(arguments: ["/memory", "/disk"])
    func `a body without progress ends with its connection`(target: String) async throws {
        var limits = Limits()
        limits.idleSeconds = 1
        let server = try Server(limits: limits)
        let client = try server.client()
        client.send(Client.request(target, method: "POST", headers: ["Content-Length: 10"]) + "half")
        #expect(try client.isClosedByPeer())
        await server.listener.stop()
        #expect(server.state.bodies.withLock { $0 } == 0)
    }

    @Test func `bodies share the memory limit, and release their part however they end`() async throws {
        var limits = Limits()
        limits.bodyMemoryBytes = 100_000
        let server = try Server(limits: limits)
        let holders = try (0..<2).map { _ in try server.client() }
        for holder in holders {
            holder.send(Client.request("/memory", method: "POST", headers: ["Content-Length: 60000"]))
            holder.send(Self.bytes(49_999))
        }
        func status(_ count: Int) throws -> Int {
            try server.client().post("/memory", Self.bytes(count)).status
        }
        // The server reads what was sent a moment later.
        var seen = 0
        for _ in 0..<500 where seen != 503 {
            seen = try status(100)
            if seen != 503 { usleep(10_000) }
        }
        #expect(seen == 503)
        #expect(try server.client().post("/disk", Self.bytes(50_000)).status == 200)
        holders[0].close()
        for _ in 0..<500 where seen != 200 {
            seen = try status(100)
            if seen != 200 { usleep(10_000) }
        }
        #expect(seen == 200)
        holders[1].send(Self.bytes(10_001))
        #expect(try holders[1].answer().status == 200)
        #expect(try status(100_000) == 200)
        #expect(try status(100_001) == 503)
        await server.listener.stop()
    }

    @Test func `clients that disconnect while sending bodies leave no resources behind`() async throws {
        var limits = Limits()
        // The disconnects are detected before any timeout.
        limits.idleSeconds = 600
        let folder = try TemporaryFolder()
        let server = try Server(limits: limits, bodyFolder: folder.path)
        for number in 0..<200 {
            let client = try server.client()
            let target = number % 2 == 0 ? "/memory" : "/disk"
            client.send(Client.request(target, method: "POST", headers: ["Content-Length: 100000"]))
            if number % 4 > 1 { client.send(Self.bytes(number * 100)) }
            client.close()
        }
        #expect(try server.client().get("/ready/next").text == "next")
        for _ in 0..<200 { #expect(server.state.recorded.wait(timeout: .now() + 20) == .success) }
        await server.listener.stop()
        #expect(Self.openFiles(in: folder.path) == 0)
        #expect(server.state.bodies.withLock { $0 } == 0)
    }

    @Test func `a stopping listener waits for bodies in progress, but not forever`() async throws {
        var limits = Limits()
        limits.stopSeconds = 1
        let folder = try TemporaryFolder()
        let server = try Server(limits: limits, bodyFolder: folder.path)
        let clients = try (0..<20).map { _ in try server.client() }
        for (number, client) in clients.enumerated() {
            client.send(Client.request(number % 2 == 0 ? "/memory" : "/disk", method: "POST", headers: Self.chunked))
            client.send(Self.chunk(Self.bytes(1000)))
        }
        let stopped = DispatchSemaphore(value: 0)
        server.listener.stop { stopped.signal() }
        for client in clients.prefix(10) { client.send(Self.chunk([7]) + Array(Self.lastChunk.utf8)) }
        for client in clients.prefix(10) {
            #expect(try client.answer().body == Self.bytes(1000) + [7])
            #expect(try client.isClosedByPeer())
        }
        for client in clients.suffix(10) { #expect(try client.isClosedByPeer()) }
        #expect(stopped.wait(timeout: .now() + 20) == .success)
        #expect(Self.openFiles(in: folder.path) == 0)
    }

    @Test func `a listener can stop during a disk write`() async throws {
        var limits = Limits()
        limits.stopSeconds = 0.05
        for _ in 0..<5 {
            let server = try Server(limits: limits)
            let clients = try (0..<8).map { _ in try server.client() }
            let senders = DispatchGroup()
            for client in clients {
                let descriptor = dup(client.descriptor)
                DispatchQueue.global().async(group: senders) {
                    let head = Array(Client.request("/disk", method: "POST", headers: Self.chunked).utf8)
                    var bytes = head + Self.chunk(Self.bytes(100_000))
                    while unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 {
                        bytes = Self.chunk(Self.bytes(20_000))
                    }
                    Glibc.close(descriptor)
                }
            }
            usleep(20_000)
            await server.listener.stop()
            for client in clients { client.close() }
            senders.wait()
        }
    }

    @Test func `a failed disk write is reported, and other requests are not affected`() async throws {
        let server = try Server(bodyFolder: "/nonexistent/folder")
        let client = try server.client()
        #expect(try client.post("/disk", Self.bytes(50_000)).status == 503)
        #expect(try client.post("/memory", Self.bytes(50_000)).status == 200)
        await server.listener.stop()
    }
}
