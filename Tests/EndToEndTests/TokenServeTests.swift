import Foundation
import Testing

@Suite("The built server and tokens")
struct TokenServeTests {
    @Test("A token gives access until it is removed, and is never logged")
    func tokens() throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("a.gpx"))
        #expect(try fixture.run("serve", "--host", "0.0.0.0").code == 64)
        let token = String(try fixture.run("tokens", "add", "--role", "viewer", "guest").out.dropLast())
        let server = try Server(fixture, "--host", "0.0.0.0", "--access-log", "-")
        let reader = try RawHTTPClient(server.origin)
        func status(_ target: String, _ headers: [String: String] = [:]) throws -> Int {
            try reader.ask("GET", target, headers: headers).status
        }
        let path = "/tiles.json?key=\(token)"
        #expect(try eventually { try status("/health") == 200 })
        #expect(try status("/tiles.json") == 401)
        #expect(try status(path) == 200)
        #expect(try status("/v1/tracks", ["Authorization": "Bearer \(token)"]) == 200)
        // Added while the server runs.
        let second = String(try fixture.run("tokens", "add", "--role", "viewer", "second").out.dropLast())
        #expect(try eventually { try status("/tiles.json?key=\(second)") == 200 })
        #expect(try fixture.run("tokens", "remove", "guest").code == 0)
        #expect(try eventually { try status(path) == 401 })
        let ended = server.end()
        #expect(ended.code == 0)
        #expect(ended.out.contains("GET /tiles.json HTTP/1.1\" 200"))
        #expect(!ended.out.contains(token) && !ended.out.contains(second) && !ended.out.contains("key="))
        #expect(!ended.err.contains(token))
    }
}
