import Files
import Foundation
import FoundationNetworking
import Locking
import PNG
import Testing

/// A response over HTTP.
struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
}

/// A client that reads over HTTP.
struct Reader: Sendable {
    let origin: String
    private let session = URLSession(configuration: .ephemeral)

    init(_ origin: String) {
        self.origin = origin
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: origin + path)))
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        var fields: [String: String] = [:]
        for (name, value) in answer.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
        return Answer(status: answer.statusCode, headers: fields, body: Array(data))
    }
}

/// `tileserve serve` on a free port.
final class Server {
    let running: Running
    let origin: String
    let reader: Reader

    /// Starts it, and waits until it reports its address.
    init(_ fixture: LibraryFixture, _ words: String..., limitBytes: Int? = nil) throws {
        let running = try Running(
            ["serve", "--port", "0"] + words, library: fixture.library, folder: fixture.folder, limitBytes: limitBytes)
        var origin: String?
        _ = eventually {
            origin = running.err.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") }.map(
                String.init)
            return origin != nil || !running.isRunning
        }
        self.running = running
        self.origin = String(try #require(origin, "\(running.err)").dropLast())
        reader = Reader(self.origin)
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await reader.get(path, headers: headers)
    }

    /// Repeats a request until the response is as expected, for far longer than it should take: on a busy machine a
    /// single response may take long.
    func get(_ path: String, until fits: (Answer) -> Bool) async throws -> Answer {
        let deadline = ContinuousClock.now + .seconds(20)
        var asked = 0
        while true {
            let answer = try await get(path)
            asked += 1
            if fits(answer) || (ContinuousClock.now > deadline && asked > 100) { return answer }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends it with a signal, as a user would.
    func end() -> Ended {
        running.signal(SIGTERM)
        return running.ended()
    }
}

@Suite("The built server")
struct ServeTests {
    /// The tile that contains the walks of the workshop.
    private static let tile = "/tiles/12/2145/1434.png"

    @Test("The server prints its address, serves map, tiles and health, and stops cleanly on SIGTERM")
    func life() async throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("a.gpx"))
        let server = try Server(fixture)
        let health = try await server.get("/health", until: { $0.status == 200 })
        #expect(health.status == 200)
        let page = try await server.get("/")
        #expect(page.status == 200)
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
        let tile = try await server.get(Self.tile)
        #expect(tile.status == 200)
        #expect(tile.headers["content-type"] == "image/png")
        let tag = try #require(tile.headers["etag"])
        #expect(try await server.get(Self.tile, headers: ["If-None-Match": tag]).status == 304)
        #expect(try await server.get("/tiles.json").status == 200)
        #expect(try await server.get("/tiles/12/4096/0.png").status == 404)
        let before = ContinuousClock.now
        let ended = server.end()
        #expect(ended.code == 0)
        #expect(!ended.wasKilled)
        #expect(ContinuousClock.now - before < .seconds(5))
        #expect(ended.out == "")
        #expect(ended.err.split(separator: "\n").count == 1, "\(ended.err)")
    }

    @Test("An occupied port exits with 69 and one line")
    func takenPort() async throws {
        let fixture = try LibraryFixture()
        let server = try Server(fixture)
        let port = try #require(server.origin.split(separator: ":").last.map(String.init))
        let second = try fixture.run("serve", "--port", port)
        #expect(second.code == 69)
        #expect(second.err.split(separator: "\n").count == 1)
        #expect(server.end().code == 0)
    }

    @Test("An import by another process appears, and a removal is effective when it is reported")
    func otherProcesses() async throws {
        let fixture = try LibraryFixture()
        let server = try Server(fixture)
        let empty = try await server.get(Self.tile, until: { $0.status == 200 })
        #expect(empty.status == 200)
        _ = try fixture.run("import", try fixture.walk("a.gpx"))
        let occupied = try await server.get(Self.tile, until: { $0.body != empty.body })
        #expect(occupied.status == 200)
        #expect(occupied.body != empty.body)
        let removed = try fixture.run("tracks", "remove", try #require(try fixture.ids().first))
        #expect(removed.code == 0)
        #expect(removed.messages == "")
        // Without waiting: the removal has waited until the server no longer shows the track.
        #expect(try await server.get(Self.tile).body == empty.body)
        #expect(server.end().code == 0)
    }

    @Test("A server stopped under load finishes its responses")
    func endUnderLoad() async throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.sample("sample", tracks: 5))
        let server = try Server(fixture)
        _ = try await server.get("/health", until: { $0.status == 200 })
        let statuses = Locked<[Int]>([])
        let reader = server.reader
        let tasks = (0..<8).map { row in
            Task {
                for column in 0..<200 {
                    // A refused connection is a valid end; an incomplete response would be an error.
                    let path = "/tiles/14/\(8610 + column)/\(5474 + row).png"
                    guard let answer = try? await reader.get(path) else { return }
                    statuses.withLock { $0.append(answer.status) }
                }
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        server.running.signal(SIGTERM)
        for task in tasks { await task.value }
        let ended = server.running.ended()
        #expect(ended.code == 0)
        #expect(ended.err.split(separator: "\n").count == 1, "\(ended.err)")
        let seen = statuses.withLock { $0 }
        #expect(seen.allSatisfy { $0 == 200 || $0 == 503 })
    }

    @Test("The access log has one line per request, and is reopened on SIGHUP")
    func accessLog() async throws {
        let fixture = try LibraryFixture()
        let path = fixture.folder + "/access.log"
        let server = try Server(fixture, "--access-log", path)
        for _ in 0..<10 { _ = try await server.get("/health") }
        func lines(_ path: String) -> Int {
            ((try? AtomicFile.read(path)) ?? nil).map { $0.count { $0 == UInt8(ascii: "\n") } } ?? 0
        }
        #expect(eventually { lines(path) == 10 })
        try AtomicFile.rename(path, to: path + ".1")
        server.running.signal(SIGHUP)
        #expect(eventually { FileStatus.ifExists(of: path) != nil })
        for _ in 0..<5 { _ = try await server.get("/health") }
        #expect(server.end().code == 0)
        #expect(lines(path + ".1") == 10)
        #expect(lines(path) == 5)
    }

    @Test("Prerendered files show the same pictures as the served tiles")
    func prerendered() async throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.sample("sample", tracks: 4))
        let output = fixture.folder + "/tiles"
        #expect(try fixture.run("prerender", "--zoom", "0-9", "--output", output).code == 0)
        #expect(try fixture.run("prerender", "--zoom", "0-5").code == 0)
        let server = try Server(fixture)
        _ = try await server.get("/health", until: { $0.status == 200 })
        var count = 0
        var paths: [String] = []
        try Folder.walk(output) { if $0.hasSuffix(".png") { paths.append($0) } }
        for path in paths {
            let served = try await server.get("/tiles" + path.dropFirst(output.count))
            // Compared as pixels: the files and the tiles are encoded separately.
            let written = try PNGReader.image(of: #require(try AtomicFile.read(path)))
            #expect(try written == PNGReader.image(of: served.body), "\(path)")
            count += 1
        }
        #expect(count >= 10)
        #expect(server.end().code == 0)
    }
}
