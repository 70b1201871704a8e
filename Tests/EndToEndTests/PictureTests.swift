import Colors
import Files
import PNG
import Testing

@Suite("Pictures of the map") struct PictureTests {
    private func picture(_ fixture: LibraryFixture, _ name: String, _ more: String...) throws -> (Ended, [UInt8]) {
        let path = fixture.folder + "/" + name
        let words = [
            "picture", "--library", fixture.library, "--center", "8.54,47.371", "--zoom", "14", "--size", "300x200",
            "--background", "#102030", "--output", path,
        ]
        let ended = try Running(
            words + more, program: "tileserve-bench", library: fixture.library, folder: fixture.folder
        ).ended()
        let bytes = FileStatus.ifExists(of: path) == nil ? nil : try AtomicFile.read(path)
        return (ended, bytes ?? [])
    }

    @Test("A picture shows the tracks in the requested area, and two requests give the same bytes")
    func background() throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("walk.gpx"))
        let (ended, bytes) = try picture(fixture, "one.png")
        #expect(ended.code == 0 && ended.err.isEmpty)
        let image = try PNGReader.image(of: bytes)
        #expect(image.width == 300 && image.height == 200)
        #expect(image[0, 0] == Color(red: 0x10, green: 0x20, blue: 0x30))
        // The walk goes north through the middle of the tile.
        #expect((145...155).contains { image[$0, 100] != image[0, 0] })
        #expect(try picture(fixture, "two.png").1 == bytes)
        let (_, before) = try picture(fixture, "before.png", "--to", "2025-05-31")
        #expect(before != bytes && before.count < bytes.count)
    }

    @Test("An unknown style gives one line on standard error")
    func unknownStyle() throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("walk.gpx"))
        let (ended, bytes) = try picture(fixture, "none.png", "--style", "het")
        #expect(ended.code == 64 && bytes.isEmpty && ended.err.contains("did you mean heat?"))
        #expect(ended.err.split(separator: "\n").count == 1)
    }
}
