import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite("Route and journey commands")
struct JourneyCommandTests {
    private let line: CommandLineHarness

    init() throws { line = try CommandLineHarness() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = line.folder.path + "/" + name
        try AtomicFile.write(Array(text.utf8), to: path, durability: .cached)
        return path
    }

    private static let gpx = """
        <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
        <rte><name>Pass</name><rtept lat="47" lon="8"><name>Foot</name></rtept><rtept lat="47.1" lon="8.1"/>
        <rtept lat="47.2" lon="8.1"><name>Top</name></rtept></rte></gpx>
        """

    private func routes() throws -> [[String: Any]] { try line.objects(line.run("routes", "list", "--json").out) }

    private func ids() throws -> [String] { try routes().compactMap { $0["id"] as? String } }

    @Test("three routes are there from the beginning, and one that is removed stays removed")
    func builtIn() throws {
        _ = line.run("import", try line.walk("a.gpx"))
        #expect(try ids() == ["canada", "south-korea", "taiwan"])
        #expect(try routes().compactMap { $0["level"] as? Int } == [7200, 3600, 1800])
        #expect(line.run("routes", "remove", "canada").code == .done)
        #expect(try ids() == ["south-korea", "taiwan"])
        let shown = line.run("routes", "show", "taiwan", "nowhere")
        #expect(shown.code == .incomplete && shown.out.contains("30 min a stage") && shown.out.contains("Taipei"))
        #expect(line.run("routes", "remove", "canada").code == .noInput)
    }

    @Test(
        "a route is exported in three formats, and each is the same route again", arguments: ["json", "geojson", "gpx"])
    func formats(format: String) throws {
        let first = line.run("routes", "import", try file("pass.gpx", Self.gpx))
        #expect(first.code == .done && first.out.contains("Pass: 2 places"), "\(first)")
        let again = line.run("routes", "import", try file("again.gpx", Self.gpx))
        #expect(again.out.contains("is there already"))
        let id = try #require(try routes().first { $0["name"] as? String == "Pass" }?["id"] as? String)
        let exported = line.run("routes", "export", "--format", format, id)
        #expect(exported.code == .done)
        let other = line.run("routes", "import", try file("other.\(format)", exported.out))
        #expect(other.code == .done && other.out.hasPrefix("\(id)  Pass: is there already"), "\(other)")
        let broken = line.run("routes", "import", try file("broken.gpx", "<gpx><rte>"))
        #expect(broken.code == .noInput && broken.err.contains("broken.gpx: "))
    }

    @Test("a plain import stores planned routes, also of archives, and twice is once")
    func plainImport() throws {
        let path = try file("plan.gpx", Self.gpx)
        let tried = line.run("import", "--dry-run", path)
        #expect(tried.out.contains("route Pass added: 2 places") && tried.out.contains("1 route"), "\(tried.out)")
        #expect(FileStatus.ifExists(of: line.library) == nil)
        let first = line.run("import", path)
        #expect(first.code == .done && first.out.contains("route Pass added: 2 places"), "\(first)")
        #expect(try ids().count == 4)
        let again = try line.objects(line.run("import", "--json", path).out)
        #expect((again.first?["routes"] as? [[String: Any]])?.first?["change"] as? String == "unchanged")
        #expect(try ids().count == 4)
        // Tracks of the same file stay recordings.
        let walk = try #require(try FileSource(path: line.walk("w.gpx")).readAll(limit: 1 << 20))
        let both = String(decoding: walk, as: UTF8.self).replacingOccurrences(
            of: "</gpx>", with: #"<rte><rtept lat="1" lon="1"/><rtept lat="2" lon="2"/></rte></gpx>"#)
        let mixed = line.run("import", try file("both.gpx", both))
        #expect(
            mixed.code == .done && mixed.out.contains("1 track") && mixed.out.contains("route both added"), "\(mixed)")
        // A route that cannot be one says why.
        let lone = line.run(
            "import", try file("lone.gpx", #"<gpx version="1.1"><rte><rtept lat="1" lon="1"/></rte></gpx>"#))
        #expect(lone.out.contains("no route of journeys was added"), "\(lone)")
    }

    @Test("journeys are added, listed and removed, and travel to another library in a file")
    func journeys() throws {
        _ = line.run("import", "--person", "ada", try line.walk("a.gpx"))
        let added = line.run(
            "journeys", "add", "--by", "metres", "--where", "activity != swim", "--factor", "4=activity = swim",
            "--until",
            "2030-01-01", "--person", "ada", "taiwan")
        #expect(added.code == .done, "\(added)")
        let id = added.out.trimmingCharacters(in: .whitespacesAndNewlines)
        let listed = try line.objects(line.run("journeys", "list", "--json").out)
        #expect(listed.compactMap { $0["id"] as? String } == [id])
        #expect(listed.first?["by"] as? String == "metres" && (listed.first?["done"] as? Double ?? 0) > 10)
        let shown = line.run("journeys", "show", id)
        #expect(shown.code == .done && shown.out.contains("Taiwan") && shown.out.contains("factor   4"), "\(shown.out)")
        #expect(line.run("journeys", "list", "--person", "owner").out == "")
        let path = line.folder.path + "/ada.sqlite"
        let exported = line.run("journeys", "export", "--person", "ada", path)
        #expect(
            exported.code == .done && exported.out.contains("1 route, 1 journey, 0 sessions and 0 rewards"),
            "\(exported)")
        let other = line.folder.path + "/other"
        let imported = line.run("journeys", "import", "--library", other, path)
        #expect(imported.code == .done && imported.out.contains("1 journey"), "\(imported)")
        #expect(line.run("journeys", "import", "--library", other, path).out.contains("0 journeys"))
        let there = try line.objects(line.run("journeys", "list", "--library", other, "--json").out)
        #expect(there.first?["id"] as? String == id)
        #expect(line.run("routes", "remove", "taiwan").code == .incomplete)
        #expect(line.run("journeys", "remove", id).code == .done)
        #expect(line.run("journeys", "remove", id).code == .noInput)
        #expect(line.run("routes", "remove", "taiwan").code == .done)
    }

    @Test("what is wrong is named")
    func refusals() throws {
        _ = line.run("import", try line.walk("a.gpx"))
        for (words, word) in [
            (["journeys", "add", "--where", "activity = walk", "taiwan"], "--by metres"),
            (["journeys", "add", "--by", "metres", "--factor", "0=activity = walk", "taiwan"], "FACTOR=CONDITION"),
            (["journeys", "add", "--by", "walking", "taiwan"], "focus"),
            (["journeys", "add", "nowhere"], "no such route"),
            (["journeys", "export", "--person", "zoe", "z.sqlite"], "no person"),
            (["journeys", "import", try file("no.sqlite", "no")], "no.sqlite: "),
        ] {
            let result = line.run(words)
            #expect(result.code != .done && result.err.contains(word), "\(words) \(result)")
        }
    }
}
