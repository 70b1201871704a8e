import Files
import Testing

@testable import TileServeCLI

@Suite("Commands that are stopped")
struct StoppedCommandTests {
    private let line = try? CommandLineHarness()

    /// Runs a command line that is stopped when it has printed something, as with ^C.
    private func stopped(_ words: [String]) throws -> (code: ExitCode, out: String, err: String) {
        let line = try #require(line)
        let recorder = Recorder()
        let stop = StopRequest()
        let terminal = recorder.terminal
        let code = Program.run(
            words, environment: ["TILESERVE_LIBRARY": line.library, "TZ": "UTC"],
            terminal: Terminal(
                out: { text in
                    try terminal.out(text)
                    stop.request()
                },
                err: terminal.err, seconds: terminal.seconds),
            stop: stop)
        return (code, recorder.out, recorder.err)
    }

    /// One more than a page of tracks and of pins.
    private func longLists() throws -> CommandLineHarness {
        let line = try #require(line)
        let count = CommandEnvironment.pageItems + 1
        let points = (0..<count).map { index in
            "<wpt lat=\"46.\(100 + index)\" lon=\"7\"><name>\(index)</name></wpt>"
        }
        let tracks = (0..<count).map { index in
            "<trk><trkseg><trkpt lat=\"47.\(100 + index)\" lon=\"8\"/></trkseg></trk>"
        }
        let text = "<gpx version=\"1.1\">" + points.joined() + tracks.joined() + "</gpx>"
        #expect(line.run("import", try line.file("many.gpx", text)).code == .done)
        return line
    }

    @Test("A list that is stopped exits with 1 and says so; a list whose last page was printed is complete")
    func lists() throws {
        let line = try longLists()
        for name in ["tracks list", "pins list"] {
            let words = name.split(separator: " ").map(String.init) + ["--json"]
            let result = try stopped(words)
            #expect(result.code == .incomplete)
            #expect(result.err == "tileserve \(name): stopped\n")
            #expect(result.out.split(separator: "\n").count == CommandEnvironment.pageItems)
            #expect(line.run(words).out.split(separator: "\n").count == CommandEnvironment.pageItems + 1)
        }
        #expect(try stopped(["imports", "list"]).code == .done)
    }

    @Test("Details of several tracks, pins or receipts that are stopped exit with 1")
    func details() throws {
        let line = try #require(line)
        let pins = "<wpt lat=\"46.5\" lon=\"7\"/><wpt lat=\"46.6\" lon=\"7\"/>"
        #expect(line.run("import", try line.file("pins.gpx", "<gpx version=\"1.1\">\(pins)</gpx>")).code == .done)
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 1)).code == .done)
        let pinIDs = try line.objects(line.run("pins", "list", "--json").out).compactMap { $0["id"] as? String }
        let tracks = try line.ids()
        for (name, operands) in [
            ("tracks show", tracks), ("pins show", pinIDs), ("imports show", ["2"]), ("imports undo", ["1", "2"]),
        ] {
            let words = name.split(separator: " ").map(String.init)
            let result = try stopped(words + operands)
            #expect(result.code == .incomplete, "\(name)")
            #expect(result.err.hasPrefix("tileserve \(name): stopped"), "\(result.err)")
        }
        #expect(try line.ids().count == 2)
    }

    @Test("A command that is stopped while sidecars are written exits with 1 and says that some are missing")
    func sidecars() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        let photo = try PhotoCommandTests.write(
            line, "a.jpg", "exif:DateTimeOriginal=\"2025-06-01T10:00:05+00:00\"")
        let result = try stopped(["photos", "locate", "--xmp", photo])
        #expect(result.code == .incomplete)
        #expect(result.err == "tileserve photos locate: stopped; some sidecars were not written; repeat the command\n")
        #expect(FileStatus.ifExists(of: photo + ".xmp") == nil)
    }

    @Test("A command that is stopped before it has read its input exits with 1 and says so, whatever it is")
    func beforeTheWork() throws {
        let line = try #require(line)
        let walk = try line.walk("a.gpx")
        let photo = try PhotoCommandTests.write(
            line, "a.jpg", "exif:DateTimeOriginal=\"2025-06-01T10:00:05+00:00\"")
        #expect(line.run("import", walk).code == .done)
        let id = try #require(try line.ids().first)
        line.stop.request()
        for words in [
            ["import", walk], ["import", "--dry-run", walk], ["photos", "locate", photo], ["photos", "import", photo],
            ["photos", "import", "--dry-run", photo], ["tracks", "export", "--format", "gpx"],
            ["tracks", "show", id], ["imports", "show", "1"], ["imports", "undo", "1"],
            ["stats", "--by", "day"], ["explorer"], ["countries"], ["stays"], ["stays", "places"], ["verify"],
            ["prerender", "--zoom", "0-3"], ["replay", "--speed", "max"],
            ["poster", "--bbox", "8,47,9,48", "--output", line.folder.path + "/poster.pdf"],
            ["layers", "add", "--where", "tag=a", "tagged"], ["layers", "remove", "tagged"],
        ] {
            let result = line.run(words)
            #expect(result.code == .incomplete, "\(words)")
            #expect(result.err.contains("tileserve ") && result.err.contains(": stopped"), "\(words): \(result.err)")
        }
        #expect(try line.ids() == [id])
    }
}
