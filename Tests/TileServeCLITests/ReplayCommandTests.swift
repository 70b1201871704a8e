import Testing

@testable import TileServeCLI

@Suite("tileserve replay")
struct ReplayCommandTests {
    private let line = try? CommandLineHarness()

    private func imported() throws -> (CommandLineHarness, String) {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        return (line, try #require(try line.ids().first))
    }

    @Test("Every point of a track becomes a line, and a replay can continue after any of them")
    func greatestSpeed() throws {
        let (line, id) = try imported()
        let played = line.run("replay", "--track", id, "--speed", "max")
        #expect(played.code == .done && played.err == "")
        let objects = try line.objects(played.out)
        let names = objects.compactMap { $0["event"] as? String }
        #expect(names == ["start", "track"] + Array(repeating: "frame", count: 20) + ["track-end", "end"])
        let cursor = try #require(objects[7]["id"] as? String)
        let rest = line.run("replay", "--track", id, "--speed", "max", "--after", cursor)
        #expect(played.out.hasSuffix("\n" + rest.out) && rest.out.split(separator: "\n").count == 16)
        let last = try #require(objects.last?["id"] as? String)
        let nothing = line.run("replay", "--track", id, "--speed", "max", "--after", last)
        #expect(nothing.code == .done && nothing.out == "")
        let other = line.run("replay", "--track", id, "--after", cursor)
        #expect(other.code == .usage && other.err.contains("belongs to a replay with other options"))
    }

    @Test("A range of days is played in the library's time zone, including its whole last day")
    func days() throws {
        let (line, _) = try imported()
        let day = line.run("replay", "--from", "2025-06-01", "--to", "2025-06-01", "--speed", "100000")
        #expect(day.code == .done)
        #expect(try line.objects(day.out).contains { $0["event"] as? String == "frame" })
        let later = line.run("replay", "--from", "2025-06-02", "--speed", "max")
        #expect(later.code == .incomplete && later.err == "tileserve replay: no track matches\n")
    }

    @Test(
        "An invalid request is reported in one line",
        arguments: [
            (["--speed", "0.05"], "not a speed"), (["--speed", "fast"], "not a speed"),
            (["--fps", "61"], "from 1 to 60"),
            (["--speed", "max", "--fps", "5"], "cannot be combined"), (["--gap", "jump"], "use skip or hold"),
            (["--track", "x", "--together"], "cannot be combined"), (["--after", "x"], "not an event id"),
        ])
    func mistakes(_ words: [String], _ part: String) throws {
        let line = try #require(line)
        let recorder = Recorder()
        let code = Program.run(
            ["replay"] + words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: line.stop)
        #expect(code == .usage)
        #expect(recorder.err.contains(part), "\(recorder.err)")
    }

    @Test("A missing track or layer is reported")
    func missing() throws {
        let (line, _) = try imported()
        #expect(line.run("replay", "--track", "nope").code == .noInput)
        #expect(line.run("replay", "--layer", "nope").code == .noInput)
    }

    @Test("A replay stops on request before its next event is due")
    func stopping() throws {
        let (line, id) = try imported()
        line.stop.request()
        #expect(line.run("replay", "--track", id, "--speed", "0.1").code == .incomplete)
    }
}
