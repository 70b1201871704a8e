import Testing

@testable import TileServeCLI

@Suite("Outlier thresholds")
struct CleaningCommandTests {
    private let line = try? CommandLineHarness()

    @Test("Thresholds are shown, set one by one, and reset")
    func thresholds() throws {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        #expect(line.run("cleaning", "--json").out == #"{"speed":350,"jumpSpeed":100,"accuracy":1000}"# + "\n")
        #expect(line.run("cleaning", "--accuracy", "50").out.contains("accuracy above 50 m"))
        #expect(line.run("cleaning", "--jump-speed", "off", "--speed", "90").code == .done)
        #expect(line.run("cleaning", "--json").out == #"{"speed":90,"jumpSpeed":null,"accuracy":50}"# + "\n")
        #expect(line.run("verify").code == .done)
        #expect(line.run("cleaning", "--reset", "--json").out.contains(#""speed":350"#))
        let id = try #require(try line.ids().first)
        let shown = line.run("tracks", "show", "--outliers", id)
        #expect(shown.code == .done)
        // The name of earlier versions is accepted, but not shown.
        #expect(line.run("tracks", "show", "--marked", id).out == shown.out)
        let help = line.run("tracks", "show", "--help").out
        #expect(help.contains("--outliers") && !help.contains("--marked"))
    }

    @Test("An invalid threshold is refused in one line", arguments: ["0", "-1", "1.5", "none", ""])
    func mistakes(_ word: String) throws {
        let line = try #require(line)
        for option in ["--accuracy", "--jump-speed", "--speed"] {
            let result = line.run("cleaning", option, word)
            #expect(result.code == .usage && result.err.contains(option) && result.out == "")
        }
    }
}
