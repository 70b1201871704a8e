import Testing

@testable import TileServeCLI

@Suite("Layer commands")
struct LayerCommandTests {
    private let line = try? CommandLineHarness()

    private func imported() throws -> CommandLineHarness {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.1)).code == .done)
        return line
    }

    @Test("A layer is added, listed, shown, counted and removed")
    func life() throws {
        let line = try imported()
        let added = line.run("layers", "add", "Big hikes", "--where", "activity = hike and metres > 1")
        #expect(added.code == .done && added.out == "Big hikes: 2 tracks\n" && added.err == "")
        let listed = try line.objects(line.run("layers", "list", "--json").out)
        #expect(listed.map { $0["name"] as? String } == ["all", "Big hikes", "hike"])
        #expect(listed.map { $0["kind"] as? String } == ["all", "where", "activity"])
        #expect(listed[1]["where"] as? String == "activity = hike and metres > 1")
        #expect(listed[1]["ready"] as? Bool == true && listed[1]["tracks"] as? Int == 2)
        #expect(line.run("layers", "list").out.contains("where activity = hike and metres > 1"))
        let shown = line.run("layers", "show", "Big hikes")
        #expect(shown.code == .done && shown.out.contains("ready      yes"))
        #expect(line.run("stats").out.contains("Big hikes (2 tracks)"))
        let stats = try #require(try line.objects(line.run("stats", "--json").out).first)
        #expect((stats["layers"] as? [String: Int]) == ["Big hikes": 2])
        #expect(line.run("prerender", "--zoom", "0-12", "--layer", "Big hikes").code == .done)
        #expect(line.run("verify").code == .done)
        let removed = line.run("layers", "remove", "Big hikes")
        #expect(removed.code == .done && removed.out == "Big hikes: removed\n" && removed.err == "")
        #expect(line.run("layers", "show", "Big hikes").code == .noInput)
        #expect(line.run("prerender", "--zoom", "0", "--layer", "Big hikes").code == .usage)
        #expect(line.run("verify").code == .done)
    }

    @Test("Tags add tracks to a layer, and a rebuild changes nothing")
    func tags() throws {
        let line = try imported()
        #expect(line.run("layers", "add", "races", "--where", "tag = race").out == "races: 0 tracks\n")
        let id = try #require(try line.ids().first)
        #expect(line.run("tracks", "tag", id, "--add", "race").code == .done)
        #expect(line.run("layers", "show", "races").out.contains("tracks     1\n"))
        #expect(line.run("verify").code == .done)
        #expect(line.run("rebuild").code == .done)
        #expect(line.run("layers", "show", "races").out.contains("ready      yes"))
        #expect(line.run("tracks", "remove", id).code == .done)
        #expect(line.run("layers", "show", "races").out.contains("tracks     0\n"))
    }

    @Test(
        "An invalid layer is refused in one line",
        arguments: [
            (["add", "x"], "'--where' is missing"), (["add", "--where", "tag = x"], "no NAME given"),
            (["add", "x", "y", "--where", "tag = x"], "unexpected argument 'y'"),
            (["add", "all", "--where", "tag = x"], "a layer with this name exists"),
            (["add", "hike", "--where", "tag = x"], "an activity with this name has a layer"),
            (["add", "a/b", "--where", "tag = x"], "is not a valid layer name"),
            (["add", "x", "--where", "tags = x"], "column 1: unknown field 'tags'; did you mean 'tag'?"),
            (["ad", "x"], "did you mean 'add'?"), ([], "no command given"),
        ])
    func mistakes(_ words: [String], _ part: String) throws {
        let line = try imported()
        let recorder = Recorder()
        let code = Program.run(
            ["layers"] + words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: line.stop)
        #expect(code == .usage, "\(recorder.err)")
        #expect(recorder.err.contains(part), "\(recorder.err)")
        #expect(recorder.err.split(separator: "\n").count == 1)
    }

    @Test("An unknown layer is reported with a suggestion")
    func unknown() throws {
        let line = try imported()
        _ = line.run("layers", "add", "races", "--where", "tag = race")
        let removed = line.run("layers", "remove", "race")
        #expect(removed.code == .noInput && removed.err.contains("did you mean 'races'?"))
        #expect(line.run("layers", "remove", "races", "none").code == .incomplete)
    }
}
