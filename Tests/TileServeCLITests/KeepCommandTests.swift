import Testing

@testable import TileServeCLI

@Suite struct KeepCommandTests {
    @Test func `a rule is tried, applied, listed, applied to imports and removed`() throws {
        let line = try CommandLineHarness()
        let old = try line.walk("a.gpx")
        #expect(line.run("import", "--device", "car", old).code == .done)
        #expect(line.run("import", "--device", "phone", try line.walk("b.gpx", north: 0.1)).code == .done)
        let tracks = line.run("tracks", "list", "--json").out
        let tried = line.run("keep", "--device", "car", "--dry-run", "30d")
        #expect(tried.code == .done && tried.out.contains("would be removed (1 track, 1 track as a whole)"), "\(tried)")
        #expect(line.run("tracks", "list", "--json").out == tracks)
        #expect(line.run("keep", "list").out.isEmpty)
        let kept = line.run("keep", "--device", "car", "30d")
        #expect(kept.code == .done && kept.out.contains("points of device 'car' before") && kept.err.isEmpty, "\(kept)")
        let left = try line.objects(line.run("tracks", "list", "--json").out)
        #expect(left.map { $0["device"] as? String } == ["phone"])
        // Importing it anew does not bring it back.
        let again = line.run("import", "--again", "--device", "car", old)
        #expect(again.code == .done && again.err.contains("were removed (1 track"), "\(again)")
        #expect(try line.objects(line.run("tracks", "list", "--json").out).count == 1)
        let rules = try line.objects(line.run("keep", "list", "--json").out)
        #expect(rules.count == 1 && rules[0]["device"] as? String == "car" && rules[0]["days"] as? Int == 30)
        #expect((rules[0]["points"] as? Int ?? 0) > 0 && rules[0]["lastRun"] is String)
        #expect(line.run("keep", "list").out.contains("device 'car': points older than 30 days are removed"))
        let removed = line.run("keep", "remove", "1", "7")
        #expect(removed.code == .incomplete && removed.out.hasPrefix("rule 1: removed"))
        #expect(removed.err.contains("7: no such rule"))
        #expect(line.run("import", "--again", "--device", "car", old).err.isEmpty)
        #expect(try line.objects(line.run("tracks", "list", "--json").out).count == 2)
    }

    @Test(
        arguments: [
            (["30d"], "'--device' is missing"), (["--device", "car"], "no DAYS given"),
            (["--device", "car", "0d"], "write one like 30d"), (["--device", "car", "36h"], "write one like 30d"),
            (["--device", "car", "30"], "write one like 30d"),
            (["--device", "car", "--layer", "all", "1d"], "--layer"),
            (["--device", "car", "--thin", "1h", "1d"], "--thin"), (["--device", "car", "1d", "2d"], "'2d'"),
        ]) func `a wrong rule is refused in one line`(_ words: [String], _ sentence: String) throws
    {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        let recorder = Recorder()
        let code = Program.run(
            ["keep", "add"] + words, environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: StopRequest())
        #expect(code == .usage && recorder.err.contains(sentence), "\(recorder.err)")
        #expect(recorder.err.split(separator: "\n").count == 1)
        #expect(line.run("keep", "list").out.isEmpty)
    }

    @Test func `a rule for a layer that does not exist is refused`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        #expect(line.run("keep", "--layer", "none", "1d").code == .noInput)
        #expect(line.run("keep", "list").out.isEmpty)
    }
}
