import Files
import Foundation
import Testing
import Tracks

@testable import TileServeCLI

/// Runs command lines in this process, on a library of its own.
final class CommandLineHarness {
    let folder: TemporaryFolder
    let library: String
    let recorder = Recorder()
    let stop = StopRequest()

    /// `library` is its folder or location; nil for a folder of its own.
    init(library: String? = nil) throws {
        folder = try TemporaryFolder()
        self.library = library ?? folder.path + "/library"
    }

    /// Runs a command line and returns its exit code; the output is in `recorder`, or returned.
    func run(_ words: String...) -> (code: ExitCode, out: String, err: String) { run(words) }

    func run(_ words: [String]) -> (code: ExitCode, out: String, err: String) {
        let recorder = Recorder()
        let code = Program.run(
            words,
            environment: ["TILESERVE_LIBRARY": library, "TZ": "Europe/Zurich", "XDG_STATE_HOME": folder.path],
            terminal: recorder.terminal, stop: stop)
        return (code, recorder.out, recorder.err)
    }

    /// Writes a file with this text.
    func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try AtomicFile.write(Array(text.utf8), to: path, durability: .cached)
        return path
    }

    /// A walk near Zurich with this many points, one a second from 2025-06-01T10:00:00Z.
    func walk(_ name: String, points: Int = 20, north: Double = 0) throws -> String {
        let rows = (0..<points).map { index in
            "<trkpt lat=\"\(47.37 + north + Double(index) * 1e-4)\" lon=\"8.54\">"
                + "<time>2025-06-01T10:00:\(index < 10 ? "0" : "")\(index)Z</time></trkpt>"
        }
        return try file(
            name,
            "<gpx version=\"1.1\"><trk><name>Walk</name><type>hike</type><trkseg>\(rows.joined())</trkseg></trk></gpx>")
    }

    /// The ids of `tracks list`.
    func ids() throws -> [String] {
        try objects(run("tracks", "list", "--json").out).compactMap { $0["id"] as? String }
    }

    func objects(_ lines: String) throws -> [[String: Any]] {
        try lines.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}

@Suite("Library commands")
struct LibraryCommandTests {
    private let line = try? CommandLineHarness()

    private func harness() throws -> CommandLineHarness {
        try #require(line)
    }

    @Test("A second import reports duplicates and stores nothing")
    func twice() throws {
        let line = try harness()
        let path = try line.walk("a.gpx")
        let first = line.run("import", "--json", path)
        #expect(first.code == .done)
        #expect(first.err == "")
        let total = try #require(try line.objects(first.out).last)
        #expect(total["files"] as? Int == 1)
        #expect(total["tracks"] as? Int == 1)
        #expect(total["points"] as? Int == 20)
        let second = line.run("import", "--json", path)
        let again = try #require(try line.objects(second.out).last)
        #expect(second.code == .done)
        #expect(again["points"] as? Int == 0)
        #expect(again["duplicates"] as? Int == 20)
        #expect(try line.ids().count == 1)
    }

    @Test("A dry run reports what an import would, and creates no library")
    func dryRun() throws {
        let line = try harness()
        let tried = line.run("import", "--dry-run", try line.walk("a.gpx"))
        #expect(tried.code == .done)
        #expect(tried.out.hasSuffix("would be stored: 1 file, 1 track, 20 points\n"))
        #expect(FileStatus.ifExists(of: line.library) == nil)
    }

    @Test("An import of which every point was refused exits with 1 and says so")
    func allRefused() throws {
        let line = try harness()
        let path = try line.file(
            "bad.csv", "time,lon,lat,note\n2020-01-01T00:00:00Z,\"see \"\"0.1\"\"\",47.1,x\n2020-01-01,8,97,y\n")
        for dry in [["--dry-run"], []] {
            let result = line.run(["import", "--zone", "UTC"] + dry + [path])
            #expect(result.code == .incomplete)
            #expect(result.out.contains("bad.csv:2: the longitude 'see \"0.1\"' is not a coordinate;"))
            #expect(result.out.contains("bad.csv:3: latitude 97 is outside -90 to 90;"))
            #expect(result.err.contains("stored: all 2 points were refused; the receipt says why\n"))
        }
        let mixed = line.run("import", path, try line.walk("a.gpx"))
        #expect(mixed.code == .done)
    }

    @Test("The zone of --zone UTC is named UTC, and a file without points says so")
    func zoneName() throws {
        let line = try harness()
        let table = line.run(
            "import", "--zone", "UTC", try line.file("a.csv", "time,lon,lat\n2020-01-01 10:00:00,8,47\n"))
        #expect(table.out.contains("times without a time zone were read as UTC (--zone)\n"))
        let empty = line.run("import", try line.file("b.gpx", "<gpx version=\"1.1\"></gpx>"))
        #expect(empty.out.contains("b.gpx: nothing to store: the file contains no points\n"))
    }

    @Test("An invalid file does not affect others; the exit code is 1")
    func badFile() throws {
        let line = try harness()
        let result = line.run("import", try line.walk("a.gpx"), try line.file("b.gpx", "<gpx><trk>"))
        #expect(result.code == .incomplete)
        #expect(result.out.contains("a.gpx: GPX, 1 track, 20 points\n"))
        #expect(result.out.contains("b.gpx: "))
        #expect(try line.ids().count == 1)
    }

    @Test("A missing path exits with 66, a folder without tracks with 1")
    func nothing() throws {
        let line = try harness()
        #expect(line.run("import", line.folder.path + "/none.gpx").code == .noInput)
        let empty = line.folder.path + "/empty"
        try Folder.make(empty)
        #expect(line.run("import", empty).code == .incomplete)
    }

    @Test("Commands that only read do not create a library", arguments: ["stats", "verify", "rebuild", "tracks list"])
    func looking(_ command: String) throws {
        let line = try harness()
        let recorder = Recorder()
        let code = Program.run(
            command.split(separator: " ").map(String.init), environment: ["TILESERVE_LIBRARY": line.library],
            terminal: recorder.terminal, stop: StopRequest())
        #expect(code == .noInput)
        #expect(recorder.errLines.count == 1)
        #expect(FileStatus.ifExists(of: line.library) == nil)
    }

    @Test("A list has the documented members")
    func members() throws {
        let line = try harness()
        _ = line.run("import", "--person", "ada", try line.walk("a.gpx"))
        let listed = line.run("tracks", "list", "--json")
        #expect(listed.code == .done)
        let object = try #require(try line.objects(listed.out).first)
        #expect(
            Set(object.keys) == [
                "id", "name", "source", "person", "device", "activity", "start", "end", "points", "metres", "seconds",
                "bbox", "tags", "activityRecorded", "movingSeconds", "climb", "places",
            ])
        #expect(object["name"] as? String == "Walk")
        #expect(object["source"] as? String == "a.gpx")
        #expect(object["person"] as? String == "ada")
        #expect(object["activity"] as? String == "hike")
        #expect(object["start"] as? String == "2025-06-01T10:00:00Z")
        #expect(object["end"] as? String == "2025-06-01T10:00:19Z")
        #expect(object["seconds"] as? Double == 19)
        #expect(object["bbox"] as? [Double] == [8.54, 47.37, 8.54, 47.3719])
    }

    @Test(
        "A list is filtered by day, instant and activity; no match exits with 1",
        arguments: [
            (["--from", "2025-06-01"], 1), (["--from", "2025-06-02"], 0), (["--to", "2025-06-01"], 1),
            (["--to", "2025-05-31"], 0), (["--to", "2025-06-01T10:00:00Z"], 0), (["--to", "2025-06-01T10:00:01Z"], 1),
            (["--activity", "hike"], 1), (["--activity", "ride"], 0),
        ])
    func filters(_ words: [String], _ count: Int) throws {
        let line = try harness()
        _ = line.run("import", try line.walk("a.gpx"))
        let recorder = Recorder()
        let code = Program.run(
            ["tracks", "list", "--json"] + words, environment: ["TILESERVE_LIBRARY": line.library],
            terminal: recorder.terminal, stop: StopRequest())
        #expect(recorder.out.split(separator: "\n").count == count)
        #expect(code == (count > 0 ? .done : .incomplete))
    }

    @Test("A person without tracks does not exist: 66")
    func unknownPerson() throws {
        let line = try harness()
        _ = line.run("import", "--person", "ada", try line.walk("a.gpx"))
        let listed = line.run("tracks", "list", "--person", "nobody")
        #expect(listed.code == .noInput && listed.out == "" && listed.err.contains("no track belongs to this person"))
    }

    @Test(
        "Operands that name nothing: 66 if there is nothing else, 1 if there is",
        arguments: [
            ["tracks", "show"], ["tracks", "edit", "--name", "x"], ["tracks", "tag", "--add", "x"],
            ["tracks", "export", "--format", "gpx"], ["tracks", "remove"], ["pins", "show"], ["pins", "remove"],
            ["imports", "show"], ["imports", "undo"], ["layers", "show"], ["layers", "remove"], ["tokens", "remove"],
        ])
    func operands(_ command: [String]) throws {
        let line = try harness()
        _ = line.run("import", try line.walk("a.gpx"))
        _ = line.run("layers", "add", "--where", "metres > 0", "far")
        let known =
            switch command[0] {
            case "tracks": try #require(try line.ids().first)
            case "pins": String(line.run("pins", "add", "--at", "8,47").out.dropLast())
            case "imports": "1"
            case "layers": "far"
            default: "grandma"
            }
        if command[0] == "tokens" { _ = line.run("tokens", "add", "--role", "viewer", known) }
        let none = line.run(command + ["nosuch"])
        #expect(none.code == .noInput && none.out == "" && none.err.contains("nosuch: no such"), "\(none)")
        let some = line.run(command + ["nosuch", known, known])
        #expect(some.code == .incomplete && !some.out.isEmpty && some.err == none.err, "\(some)")
    }

    @Test("A removed track is reported, is deleted, and can be imported again")
    func removing() throws {
        let line = try harness()
        let paths = [try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.1)]
        _ = line.run("import", paths[0], paths[1])
        let ids = try line.ids()
        #expect(ids.count == 2)
        let removed = line.run("tracks", "remove", ids[0], "nosuch")
        #expect(removed.code == .incomplete)
        #expect(removed.out == "\(ids[0]): deleted (Walk, 20 points)\n")
        #expect(removed.err == "nosuch: no such track; see 'tileserve tracks list'\n")
        #expect(try line.ids() == [ids[1]])
        #expect(line.run("tracks", "show", ids[0]).code == .noInput)
        #expect(line.run("verify").code == .done)
        _ = line.run("import", paths[0], paths[1])
        #expect(try line.ids().sorted() == ids.sorted())
    }

    @Test("A track is shown with all its details")
    func showing() throws {
        let line = try harness()
        _ = line.run("import", try line.walk("a.gpx"))
        let id = try #require(try line.ids().first)
        let shown = line.run("tracks", "show", id)
        #expect(shown.code == .done)
        #expect(shown.out.contains("start     2025-06-01T10:00:00Z (2025-06-01 12:00 Europe/Zurich)\n"))
        let object = try #require(try line.objects(line.run("tracks", "show", "--json", id).out).first)
        #expect(object["gap"] as? String == "standard")
        #expect(object["untimed"] as? Int == 0)
    }

    @Test("Statistics are correct; a rebuild keeps them and sets the time zone")
    func statistics() throws {
        let line = try harness()
        _ = line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.1))
        let object = try #require(try line.objects(line.run("stats", "--json").out).first)
        #expect(object["tracks"] as? Int == 2)
        #expect(object["points"] as? Int == 40)
        #expect(object["persons"] as? Int == 1)
        #expect(object["activities"] as? [String: Int] == ["hike": 2])
        let rebuilt = line.run("rebuild", "--zone", "America/Lima")
        #expect(rebuilt.code == .done)
        #expect(rebuilt.out == "rebuilt the map from 2 tracks, 40 points; time zone America/Lima\n")
        #expect(line.run("stats").out.contains("America/Lima"))
        #expect(line.run("verify").code == .done)
    }

    @Test("A damaged library is reported")
    func damaged() throws {
        let line = try harness()
        try Folder.make(line.library)
        try AtomicFile.write(Array("this is no database, only text".utf8), to: line.library + "/tracks.sqlite")
        let result = line.run("stats")
        #expect(result.code == .badData)
        #expect(result.err.split(separator: "\n").count == 1)
    }

    @Test("A stopped import reports it, and continues when repeated")
    func stopped() throws {
        let line = try harness()
        let path = try line.walk("a.gpx")
        line.stop.request()
        let result = line.run("import", path)
        #expect(result.code == .incomplete)
        #expect(result.err.contains("stopped"))
        let recorder = Recorder()
        let code = Program.run(
            ["import", path], environment: ["TILESERVE_LIBRARY": line.library], terminal: recorder.terminal,
            stop: StopRequest())
        #expect(code == .done)
        #expect(try line.ids().count == 1)
    }
}
