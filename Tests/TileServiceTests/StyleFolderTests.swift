import Files
import HTTPCore
import Locking
import Styling
import Testing
import TileService

@Suite struct StyleFolderTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func write(_ name: String, ramp: String, file: String = "mine.json") throws {
        try AtomicFile.write(
            Array(#"{"name": "\#(name)", "ramp": "\#(ramp)"}"#.utf8), to: temporary.path + "/" + file,
            durability: .cached
        )
    }

    @Test func `added, changed and removed files are detected`() throws {
        var folder = try StyleFolder(path: temporary.path)
        #expect(folder.styleSheet.names == StyleSheet.builtIn.names)
        #expect(try !folder.refresh())
        try write("mine", ramp: "ember")
        #expect(try folder.refresh())
        #expect(folder.styleSheet["mine"]?.ramp == NamedRamp.named("ember")?.ramp)
        // The same length: only the file's identity differs.
        try write("mine", ramp: "slate")
        #expect(try folder.refresh())
        #expect(folder.styleSheet["mine"]?.ramp == NamedRamp.named("slate")?.ramp)
        #expect(try !folder.refresh())
        try AtomicFile.remove(temporary.path + "/mine.json")
        #expect(try folder.refresh())
        #expect(folder.styleSheet["mine"] == nil)
    }

    @Test func `an error is reported once, and the styles stay`() throws {
        try write("mine", ramp: "ember")
        var folder = try StyleFolder(path: temporary.path)
        try write("mine", ramp: "embers")
        let error = #expect(throws: StyleError.self) { try folder.refresh() }
        #expect(error?.description.hasPrefix("mine.json: ramp: ") == true)
        #expect(try !folder.refresh())
        #expect(folder.styleSheet["mine"] != nil)
        try write("mine", ramp: "moss")
        #expect(try folder.refresh())
    }

    @Test func `a server draws in the changed style, with another revision`() throws {
        try write("mine", ramp: "ember")
        let town = try Town()
        let troubles = Locked(0)
        let server = try town.library.server(styleFolder: try StyleFolder(path: temporary.path)) {
            $0.report = { _ in troubles.withLock { $0 += 1 } }
        }
        server.poll()
        let place = try "/tiles/mine" + Town.path(12).dropFirst("/tiles".count)
        func tag() -> String? { server.get(place)[.eTag] }
        let (before, url) = (tag(), server.get("/tiles/mine.json").text)
        try write("mine", ramp: "slate")
        server.poll()
        #expect(before != nil && tag() != before)
        #expect(server.get("/tiles/mine.json").text != url)
        let after = tag()
        try write("mine", ramp: "nothing")
        server.poll()
        server.poll()
        #expect(tag() == after && troubles.withLock { $0 } == 1)
    }
}
