import Foundation
import PNG
import Testing

@Suite("Layers of the built program")
struct LayerTests {
    @Test("A running server shows a layer added by another process, follows tag changes, and drops the removed layer")
    func life() async throws {
        let fixture = try LibraryFixture()
        #expect(
            try fixture.run("import", try fixture.walk("a.gpx"), try fixture.walk("b.gpx", day: 2, step: 3)).code == 0)
        let server = try Server(fixture)
        let tile = "/tiles/0/0/0.png?layer=races"
        #expect(try await server.get(tile).status == 404)
        let added = try fixture.run("layers", "add", "races", "--where", "tag = race")
        #expect(added.code == 0 && added.messages == "" && added.out == "races: 0 tracks\n")
        let empty = try await server.get(tile) { $0.status == 200 }
        #expect(empty.status == 200 && empty.body.count == 116)
        let id = try #require(try fixture.ids().first)
        let tagged = try fixture.run("tracks", "tag", id, "--add", "race")
        #expect(tagged.code == 0 && tagged.messages == "")
        #expect(try await server.get(tile) { $0.body.count > 116 }.body.count > 116)
        let listed = try await server.get("/layers") { String(decoding: $0.body, as: UTF8.self).contains("races") }
        #expect(String(decoding: listed.body, as: UTF8.self).contains("\"ready\":true"))
        let removed = try fixture.run("layers", "remove", "races")
        #expect(removed.code == 0 && removed.messages == "")
        #expect(try await server.get(tile) { $0.status == 404 }.status == 404)
        #expect(try fixture.run("verify").code == 0)
        let ended = server.end()
        #expect(ended.code == 0 && ended.err.split(separator: "\n").count == 1, "\(ended.err)")
    }

    @Test("If building a layer is killed, a server builds the rest")
    func killed() async throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", try fixture.sample("sample", tracks: 6)).code == 0)
        let adding = try fixture.start("layers", "add", "everything", "--where", "metres >= 0")
        // Killed as soon as the layer is defined: its rows are built after that.
        #expect(
            try eventually {
                try !adding.isRunning || fixture.run("layers", "show", "everything").code == 0
            })
        adding.signal(SIGKILL)
        _ = adding.ended()
        let server = try Server(fixture)
        let own = try await server.get("/tiles/6/33/22.png?layer=everything") { $0.status == 200 }
        let all = try await server.get("/tiles/6/33/22.png")
        #expect(own.status == 200)
        #expect(try PNGReader.image(of: own.body) == PNGReader.image(of: all.body))
        #expect(server.end().code == 0)
        #expect(try fixture.run("verify").code == 0)
        let lines = try fixture.run("layers", "show", "everything").out.split(separator: "\n")
        #expect(lines.contains { $0.split(separator: " ") == ["ready", "yes"] })
    }
}
