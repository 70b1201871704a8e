import Testing

@testable import TileServeCLI

@Suite struct EditionCommandTests {
    private func line() throws -> CommandLineHarness {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.1)).code == .done)
        return line
    }

    @Test func `an edition is added, made, shown, listed and removed with its links`() throws {
        let line = try line()
        let added = line.run("editions", "add", "club", "--zone", "13.4,52.5,1500", "--delay", "0")
        #expect(added.code == .done && added.out.hasPrefix("club: added; all tracks") && added.err.isEmpty)
        let link = line.run("links", "add", "--edition", "club", "Ada")
        #expect(link.code == .done && link.out.hasPrefix("http://127.0.0.1:8080/s#"))
        #expect(line.run("links", "add", "--layer", "all", "Bea").code == .done)
        let token = line.run("tokens", "add", "--role", "viewer", "--edition", "club", "guest")
        #expect(token.code == .done && token.err.contains("is permitted to read the edition 'club'"))
        #expect(line.run("tokens", "list").out.contains("may read the edition 'club'"))
        #expect(line.run("tokens", "add", "--role", "viewer", "--edition", "none").code == .noInput)
        let listed = try line.objects(line.run("links", "list", "--json").out)
        #expect(Set(listed.compactMap { $0["label"] as? String }) == ["Ada", "Bea"])
        #expect(line.run("editions", "list").out.contains("club"))
        let shown = try line.objects(line.run("editions", "show", "club", "--json").out)
        #expect((shown[0]["zones"] as? [[String: Any]])?.first?["radiusMetres"] as? Int == 1500)
        let removed = line.run("editions", "remove", "club", "none")
        #expect(removed.code == .incomplete && removed.out == "club: removed, with 1 link and 1 token\n")
        #expect(removed.err.contains("none: no such edition"))
        let left = try line.objects(line.run("links", "list", "--json").out)
        #expect(left.count == 1 && left[0]["label"] as? String == "Bea")
        // An edition of that name is another one.
        #expect(line.run("editions", "add", "club").code == .done)
        #expect(line.run("editions", "remove", "club").out == "club: removed\n")
    }

    @Test(
        arguments: [
            (["editions", "add", "a", "--zone", "13.4,52.5"], "--zone"),
            (["editions", "add", "a", "--zone", "13.4,52.5,50"], "--zone"),
            (["editions", "add", "a", "--from", "2020-02-01", "--to", "2020-01-01"], "--from"),
            (["editions", "add", "link-1"], "not a valid name"), (["links", "add"], "--edition"),
            (["links", "add", "--edition", "a", "--layer", "all"], "--layer"),
            (["links", "add", "--layer", "all", "--tiles", "--password-file", "-"], "--tiles"),
            (["links", "add", "--layer", "all", "--expires", "2001-01-01"], "--expires"),
            (["tokens", "add", "--role", "owner", "--edition", "a"], "--role viewer"),
        ]) func `a wrong definition is refused in one line`(_ words: [String], _ sentence: String) throws
    {
        let line = try line()
        let recorder = Recorder()
        let code = Program.run(
            words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: StopRequest())
        #expect(code == .usage && recorder.err.contains(sentence), "\(recorder.err)")
        #expect(recorder.err.split(separator: "\n").count == 1)
    }
}
