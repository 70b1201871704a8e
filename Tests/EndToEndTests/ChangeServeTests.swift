import Files
import Foundation
import Testing

@Suite("Changes over HTTP")
struct ChangeServeTests {
    @Test("An upload is stored and reported like a command-line import, and deleted at once")
    func changes() throws {
        let fixture = try LibraryFixture()
        let path = try fixture.walk("a.gpx")
        let server = try Server(fixture)
        let reader = try RawHTTPClient(server.origin)
        #expect(try eventually { try reader.ask("GET", "/health").status == 200 })
        let body = try #require(try AtomicFile.read(path))
        let sent = try reader.ask("POST", "/v1/import?name=a.gpx", body: body)
        #expect(sent.status == 200 && sent.headers["content-type"] == "application/x-ndjson")
        // The command, on a library of its own.
        let other = fixture.folder + "/other"
        let told = try fixture.run("import", "--json", path, library: other).out.replacingOccurrences(
            of: path, with: "a.gpx")
        #expect(String(decoding: sent.body, as: UTF8.self) == told)
        #expect(try fixture.contents() == fixture.contents(library: other))
        let id = try #require(try fixture.ids().first)
        let tile = "/tiles/12/2145/1434.png"
        let occupied = try reader.ask("GET", tile).body
        let foreign = ["Origin": "http://evil.example"]
        #expect(try reader.ask("DELETE", "/v1/tracks/\(id)", headers: foreign).status == 401)
        let named = try reader.ask("PATCH", "/v1/tracks/\(id)", body: Array("{\"name\":\"Stroll\"}".utf8))
        #expect(named.status == 200 && String(decoding: named.body, as: UTF8.self).contains("\"name\":\"Stroll\""))
        #expect(try reader.ask("DELETE", "/v1/tracks/\(id)").status == 204)
        #expect(try reader.ask("GET", tile).body != occupied)
        #expect(try fixture.ids().isEmpty)
        let ended = server.end()
        #expect(ended.code == 0)
        #expect(ended.err.split(separator: "\n").count == 1, "\(ended.err)")
    }
}
