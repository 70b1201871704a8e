import Files
import Foundation
import Testing

/// A full disk, simulated by a limit on the size of files.
@Suite("A full disk")
struct DiskFullTests {
    /// Sets the largest file size of a running process, in bytes; nil removes the limit.
    private func limit(_ running: Running, bytes: Int?) throws {
        let command = Process()
        command.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        let size = bytes.map(String.init) ?? "unlimited"
        command.arguments = ["--pid", "\(running.processID)", "--fsize=\(size):unlimited"]
        try command.run()
        command.waitUntilExit()
        try #require(command.terminationStatus == 0)
    }

    /// Runs the binary to its end, with as many bytes for each file that it writes.
    private func limited(_ fixture: LibraryFixture, bytes: Int, _ words: [String]) throws -> Ended {
        let run = Process()
        run.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        run.arguments = ["--fsize=\(bytes)", try BuiltProgram.path()] + words
        run.environment = ["TILESERVE_LIBRARY": fixture.library, "HOME": fixture.folder]
        let (out, err) = (Pipe(), Pipe())
        run.standardOutput = out
        run.standardError = err
        try run.run()
        let said = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let messages = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        return Ended(
            code: run.terminationStatus, wasKilled: run.terminationReason == .uncaughtSignal, out: said, err: messages)
    }

    private struct Health: Decodable {
        var status: String
        var reason: String?
    }

    private func health(_ reader: RawHTTPClient) throws -> Health {
        let answer = try reader.ask("GET", "/health")
        #expect(answer.status == 200)
        return try JSONDecoder().decode(Health.self, from: Data(answer.body))
    }

    private static let point = Array("{\"t\":1600000001,\"lon\":13.4,\"lat\":52.5}".utf8)
    private static let json = ["Content-Type": "application/json"]

    @Test func `An import is answered with a problem and leaves no files behind`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.walk("a.gpx")).code == 0)
        let server = try Server(fixture)
        let reader = try RawHTTPClient(server.origin)
        try limit(server.running, bytes: 1)
        let walk = try AtomicFile.read(fixture.walk("b.gpx", day: 2)) ?? []
        for size in [walk.count, 200_000, 6_000_000] {
            let body = walk + [UInt8](repeating: 0x20, count: size - walk.count)
            let answer = try reader.ask("POST", "/v1/import?name=b.gpx", body: body)
            #expect(answer.status == 507 && answer.headers["content-type"] == "application/problem+json")
            #expect(answer.text.contains("nothing was stored"), "\(answer.text)")
        }
        try limit(server.running, bytes: nil)
        #expect(try reader.ask("POST", "/v1/import?name=b.gpx", body: walk).status == 200)
        let imports = try LibraryFixture.objects(fixture.run("imports", "list", "--json").out)
        #expect(imports.compactMap { $0["tracks"] as? Int } == [1, 1])
        #expect(server.end().code == 0)
    }

    @Test func `Health reports the failure, and recovers when it is over`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.walk("a.gpx")).code == 0)
        let server = try Server(fixture)
        let reader = try RawHTTPClient(server.origin)
        #expect(try health(reader).status == "ok")
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 200)
        try limit(server.running, bytes: 1)
        #expect(try reader.ask("POST", "/v1/record/phone/flush").status == 503)
        let failing = try health(reader)
        #expect(failing.status == "degraded" && failing.reason?.contains("recorded points") == true)
        #expect(failing.reason?.contains(fixture.folder) == false)
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 503)
        try limit(server.running, bytes: nil)
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 200)
        #expect(try reader.ask("POST", "/v1/record/phone/flush").status == 200)
        #expect(try health(reader).status == "ok")
        #expect(server.end().code == 0)
    }

    @Test func `A command-line import reports exactly what was stored`() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.walk("a.gpx")).code == 0)
        let files = try fixture.sample("many", tracks: 60)
        let ended = try limited(fixture, bytes: 150_000, ["import", files])
        let (said, messages) = (ended.out, ended.err)
        #expect(ended.code == 74, "\(said) \(messages)")
        let stored = try fixture.ids().count - 1
        if stored == 0 {
            #expect(messages.contains("nothing was stored") && !said.contains("GPX, "), "\(said) \(messages)")
        } else {
            #expect(
                messages.contains("\(stored) track") && messages.contains("the rest was not"), "\(said) \(messages)")
        }
        let imports = try LibraryFixture.objects(fixture.run("imports", "list", "--json").out)
        #expect(imports.count == (stored == 0 ? 1 : 2))
        #expect(imports.allSatisfy { $0["tracks"] as? Int != 0 })
    }

    /// A library that nobody has open: beside its databases is nothing that SQLite would have to make when it opens them.
    private func closedLibrary() throws -> LibraryFixture {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.walk("a.gpx")).code == 0)
        for name in ["tracks.sqlite", "grid.sqlite"] {
            #expect((FileStatus.ifExists(of: "\(fixture.library)/\(name)-wal")?.byteCount ?? 0) == 0)
            for ending in ["-wal", "-shm"] { try AtomicFile.remove("\(fixture.library)/\(name)\(ending)") }
        }
        return fixture
    }

    /// Twice, as the first may leave files that it could not fill.
    @Test(arguments: [["stats"], ["tracks", "list"], ["verify"]])
    func `A library can be read`(words: [String]) throws {
        let fixture = try closedLibrary()
        for _ in 0..<2 {
            let ended = try limited(fixture, bytes: 2000, words)
            #expect(ended.code == 0 && ended.err.isEmpty && !ended.out.isEmpty, "\(ended)")
        }
        let ended = try limited(fixture, bytes: 2000, ["tracks", "remove"] + fixture.ids())
        #expect(ended.code == 74 && ended.err.contains("free disk space"), "\(ended)")
        #expect(try fixture.ids().count == 1)
    }

    @Test func `A server that finds no room when it starts shows tiles, and says what fails`() throws {
        let fixture = try closedLibrary()
        let server = try Server(fixture, limitBytes: 2000)
        let reader = try RawHTTPClient(server.origin)
        let health = try health(reader)
        #expect(health.status == "degraded" && health.reason?.contains("full") == true)
        #expect(health.reason?.contains(fixture.folder) == false)
        #expect(try reader.ask("GET", "/tiles/0/0/0.png").status == 200)
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 507)
        let ended = server.end()
        #expect(ended.code == 0 && ended.err.contains("free disk space"), "\(ended)")
    }
}

extension Answer {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
