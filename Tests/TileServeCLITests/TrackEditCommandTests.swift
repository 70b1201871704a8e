import Testing

@testable import TileServeCLI

@Suite("Commands that edit tracks")
struct TrackEditCommandTests {
    private let line = try? CommandLineHarness()

    private func imported() throws -> (CommandLineHarness, String) {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        return (line, try #require(try line.ids().first))
    }

    @Test("Tags are listed, shown, selected by and removed")
    func tags() throws {
        let (line, id) = try imported()
        let tagged = line.run("tracks", "tag", id, "--add", "Race", "--add", "long haul")
        #expect(tagged.code == .done && tagged.err == "")
        #expect(tagged.out == "\(id): tags: long haul, race\n")
        let listed = try #require(try line.objects(line.run("tracks", "list", "--json").out).first)
        #expect(listed["tags"] as? [String] == ["long haul", "race"])
        #expect(line.run("tracks", "show", id).out.contains("tags"))
        #expect(line.run("tracks", "list", "--where", "tag = race").code == .done)
        #expect(line.run("tracks", "list", "--where", "tag = none").code == .incomplete)
        #expect(line.run("tracks", "tag", id, "--remove", "race", "--remove", "long haul").out == "\(id): no tags\n")
        let again = line.run("tracks", "tag", id, "--remove", "race")
        #expect(again.code == .done && again.out == "" && again.err.contains("nothing to change"))
    }

    @Test("Name and activity are changed and restored")
    func names() throws {
        let (line, id) = try imported()
        #expect(line.run("tracks", "edit", id, "--name", "Hill", "--activity", "Run").out == "\(id): Hill, run\n")
        #expect(line.run("tracks", "list", "--activity", "run").code == .done)
        #expect(line.run("tracks", "edit", id, "--name", "", "--activity", "").out == "\(id): Walk, hike\n")
        #expect(line.run("verify").code == .done)
    }

    @Test(
        "An invalid edit is refused in one line",
        arguments: [
            (["tag", "x"], "'--add' is missing"), (["tag", "x", "--add", "a/b"], "not a tag"),
            (["tag", "--add", "a"], "no ID given"), (["edit", "x"], "'--name' is missing"),
            (["edit", "x", "--name", "a\nb"], "not a name"), (["edit", "x", "--activity", "a\tb"], "not an activity"),
            (["list", "--where", "persn = ada"], "column 1: unknown field 'persn'; did you mean 'person'?"),
            (["list", "--where", "tag = "], "column 6: the condition ends too early"),
        ])
    func mistakes(_ words: [String], _ part: String) throws {
        let line = try #require(line)
        let recorder = Recorder()
        let code = Program.run(
            ["tracks"] + words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: line.stop)
        #expect(code == .usage)
        #expect(recorder.err.contains(part), "\(recorder.err)")
        #expect(recorder.err.split(separator: "\n").count == 1)
    }

    @Test("A missing track is reported, the others are edited")
    func missing() throws {
        let (line, id) = try imported()
        let some = line.run("tracks", "tag", "nobody", id, "--add", "x")
        #expect(some.code == .incomplete && some.out == "\(id): tags: x\n" && some.err.contains("no such track"))
        #expect(line.run("tracks", "edit", "nobody", "--name", "x").code == .noInput)
    }
}
