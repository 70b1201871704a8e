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

    private struct Health: Decodable {
        var status: String
        var reason: String?
    }

    private func health(_ reader: PlainReader) throws -> Health {
        let answer = try reader.ask("GET", "/health")
        #expect(answer.status == 200)
        return try JSONDecoder().decode(Health.self, from: Data(answer.body))
    }

    private static let point = Array("{\"t\":1600000001,\"lon\":13.4,\"lat\":52.5}".utf8)
    private static let json = ["Content-Type": "application/json"]

    @Test func `Imports are answered as a problem, and leave nothing behind`() throws {
        let shop = try Workshop()
        #expect(try shop.run("import", shop.walk("a.gpx")).code == 0)
        let server = try Server(shop)
        let reader = try PlainReader(server.origin)
        try limit(server.running, bytes: 1)
        let walk = try AtomicFile.read(shop.walk("b.gpx", day: 2)) ?? []
        for size in [walk.count, 200_000, 6_000_000] {
            let body = walk + [UInt8](repeating: 0x20, count: size - walk.count)
            let answer = try reader.ask("POST", "/v1/import?name=b.gpx", body: body)
            #expect(answer.status == 507 && answer.headers["content-type"] == "application/problem+json")
            #expect(answer.text.contains("nothing was stored"), "\(answer.text)")
        }
        try limit(server.running, bytes: nil)
        #expect(try reader.ask("POST", "/v1/import?name=b.gpx", body: walk).status == 200)
        let imports = try Workshop.objects(shop.run("imports", "list", "--json").out)
        #expect(imports.compactMap { $0["tracks"] as? Int } == [1, 1])
        #expect(server.end().code == 0)
    }

    @Test func `Health tells of what fails, and is well again when it works`() throws {
        let shop = try Workshop()
        #expect(try shop.run("import", shop.walk("a.gpx")).code == 0)
        let server = try Server(shop)
        let reader = try PlainReader(server.origin)
        #expect(try health(reader).status == "ok")
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 200)
        try limit(server.running, bytes: 1)
        #expect(try reader.ask("POST", "/v1/record/phone/flush").status == 503)
        let failing = try health(reader)
        #expect(failing.status == "degraded" && failing.reason?.contains("recorded points") == true)
        #expect(failing.reason?.contains(shop.folder) == false)
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 503)
        try limit(server.running, bytes: nil)
        #expect(try reader.ask("POST", "/v1/record/phone", headers: Self.json, body: Self.point).status == 200)
        #expect(try reader.ask("POST", "/v1/record/phone/flush").status == 200)
        #expect(try health(reader).status == "ok")
        #expect(server.end().code == 0)
    }

    @Test func `An import by the command says what was stored, and nothing else`() throws {
        let shop = try Workshop()
        #expect(try shop.run("import", shop.walk("a.gpx")).code == 0)
        let files = try shop.sample("many", tracks: 60)
        let run = Process()
        run.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        run.arguments = ["--fsize=150000", try BuiltProgram.path(), "import", files]
        run.environment = ["TILESERVE_LIBRARY": shop.library, "HOME": shop.folder]
        let (out, err) = (Pipe(), Pipe())
        run.standardOutput = out
        run.standardError = err
        try run.run()
        let said = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let noted = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.waitUntilExit()
        #expect(run.terminationStatus == 74, "\(said) \(noted)")
        let stored = try shop.ids().count - 1
        if stored == 0 {
            #expect(noted.contains("nothing was stored") && !said.contains("GPX, "), "\(said) \(noted)")
        } else {
            #expect(noted.contains("\(stored) track") && noted.contains("the rest was not"), "\(said) \(noted)")
        }
        let imports = try Workshop.objects(shop.run("imports", "list", "--json").out)
        #expect(imports.count == (stored == 0 ? 1 : 2))
        #expect(imports.allSatisfy { $0["tracks"] as? Int != 0 })
    }
}

extension Answer {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
