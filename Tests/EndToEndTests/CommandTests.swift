import Files
import Foundation
import Testing

@Suite("The built binary")
struct CommandTests {
    @Test("Help and version go to the standard output, and nothing to the standard error")
    func help() throws {
        let fixture = try LibraryFixture()
        for words in [
            ["--help"], ["help"], ["import", "--help"], ["help", "serve"], ["tracks", "--help"],
            ["tracks", "list", "-h"],
        ] {
            let ended = try Running(words, library: fixture.library, folder: fixture.folder).ended()
            #expect(ended.code == 0, "\(words)")
            #expect(ended.out.contains("Usage: tileserve"), "\(words)")
            #expect(ended.messages == "", "\(words)")
        }
        let version = try fixture.run("--version")
        #expect(version.out.hasPrefix("tileserve 0."))
        #expect(FileStatus.ifExists(of: fixture.library) == nil)
    }

    @Test(
        "An error gives one line on standard error and an exit code",
        arguments: [
            ([], 64), (["help", "improt"], 64), (["improt"], 64), (["import"], 64), (["import", "--colour", "x"], 64),
            (["stats"], 66),
            (["tracks", "show", "x"], 66), (["import", "/nowhere/at/all.gpx"], 66), (["prerender"], 64),
            (["serve", "--host", "0.0.0.0"], 64), (["serve", "--port", "0", "--leaflet", "/nowhere"], 66),
            (["serve", "--port", "0", "--site", "/nowhere"], 66),
            (["serve", "--port", "0", "--styles", "/nowhere"], 66), (["serve", "--port", "70000"], 64),
        ] as [([String], Int32)])
    func mistakes(_ words: [String], _ code: Int32) throws {
        let fixture = try LibraryFixture()
        let ended = try Running(words, library: fixture.library, folder: fixture.folder).ended()
        #expect(ended.code == code)
        #expect(!ended.wasKilled)
        if words.first != "import" || code == 64 {
            #expect(ended.err.split(separator: "\n").count == 1, "\(ended.err)")
            #expect(ended.out == "")
        }
    }

    @Test(
        "Commands work with closed standard streams, as with the null device",
        arguments: ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closedStreams(redirections: String) throws {
        let fixture = try LibraryFixture()
        func run(_ words: [String]) throws -> Ended {
            try Running(words, library: fixture.library, folder: fixture.folder, redirections: redirections).ended()
        }
        let hasOutput = !redirections.contains(" >") && !redirections.hasPrefix(">")
        let path = try fixture.walk("a.gpx")
        let imported = try run(["import", path])
        #expect(imported.code == 0 && imported.messages == "", "\(imported)")
        #expect(imported.out.isEmpty != hasOutput)
        #expect(try fixture.ids().count == 1)
        for words in [
            ["tracks", "list"], ["tracks", "export", "--format", "gpx"], ["stats", "--by", "day"], ["verify"],
            ["prerender", "--zoom", "0-2"], ["--help"], ["replay", "--speed", "max"],
        ] {
            let ended = try run(words)
            #expect(ended.code == 0, "\(words): \(ended)")
            #expect(ended.out.isEmpty != hasOutput, "\(words)")
        }
        // An error still has its exit code; reading a closed input finds its end.
        #expect(try run(["stats", "--library", "/nowhere"]).code == 66)
        #expect(try run(["import", "-"]).code == 1)
    }

    @Test("Files, a pipe and a folder are imported; the library answers")
    func importing() throws {
        let fixture = try LibraryFixture()
        let first = try fixture.run("import", try fixture.walk("a.gpx"))
        #expect(first.code == 0)
        #expect(first.messages == "")
        #expect(first.out.hasSuffix("1 file, 1 track, 20 points\n"))
        let piped = try fixture.run("import", "-", input: try fixture.walk("b.gpx", step: 1))
        #expect(piped.code == 0)
        #expect(piped.out.hasPrefix("-: GPX, 1 track, 20 points\n"))
        let folder = try fixture.run("import", "--json", try fixture.sample("sample", tracks: 5))
        #expect(folder.messages == "")
        let objects = try LibraryFixture.objects(folder.out)
        #expect(objects.count == 6)
        #expect(objects.last?["files"] as? Int == 5)
        #expect(try fixture.ids().count == 7)
        #expect(try fixture.run("verify").code == 0)
        #expect(try fixture.run("stats").messages == "")
    }

    @Test("A closed standard output neither stops a command nor causes a message")
    func closedOutput() throws {
        let fixture = try LibraryFixture()
        let folder = try fixture.sample("sample", tracks: 30)
        let path = try BuiltProgram.path()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let errors = try fixture.file("errors", "")
        process.arguments = [
            "-c",
            "'\(path)' import '\(folder)' 2>'\(errors)' | true; '\(path)' tracks list --json 2>>'\(errors)' | head -n 1",
        ]
        process.environment = ["TILESERVE_LIBRARY": fixture.library, "HOME": fixture.folder, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let said = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: said, as: UTF8.self).split(separator: "\n").count == 1)
        let messages = Ended.messages(in: String(decoding: try AtomicFile.read(errors) ?? [], as: UTF8.self))
        #expect(messages == "")
        #expect(try fixture.ids().count == 30)
    }

    @Test("A full disk on standard output is reported with exit code 74")
    func fullOutput() throws {
        guard FileStatus.ifExists(of: "/dev/full") != nil else { return }
        let fixture = try LibraryFixture()
        let ended = try fixture.start("--help", out: "/dev/full").ended()
        #expect(ended.code == 74)
        #expect(ended.err.split(separator: "\n").count == 1)
    }

    @Test("An import that was killed and repeated is complete")
    func killedImport() throws {
        let fixture = try LibraryFixture()
        let folder = try fixture.sample("sample", tracks: 25)
        let whole = fixture.folder + "/whole"
        _ = try fixture.run("import", folder, library: whole)
        for milliseconds in [150, 400] {
            let running = try fixture.start("import", folder)
            // The moment does not matter: the checks below have to hold after a kill at any time.
            Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
            running.signal(SIGKILL)
            _ = running.ended()
        }
        let again = try fixture.run("import", folder)
        #expect(again.code == 0)
        #expect(again.messages == "")
        #expect(try fixture.contents() == fixture.contents(library: whole))
        #expect(try fixture.run("verify").code == 0)
    }

    @Test("A stopped import ends soon, reports it, and continues when repeated")
    func stoppedImport() throws {
        let fixture = try LibraryFixture()
        let folder = try fixture.sample("sample", tracks: 40)
        let running = try fixture.start("import", folder)
        #expect(eventually { FileStatus.ifExists(of: fixture.library + "/tracks.sqlite") != nil })
        running.signal(SIGINT)
        let ended = running.ended()
        #expect(!ended.wasKilled)
        // A fast machine may have finished before the kill.
        #expect(ended.code == 0 || (ended.code == 1 && ended.err.contains("stopped")))
        #expect(try fixture.run("import", folder).code == 0)
        #expect(try fixture.ids().count == 40)
    }

    @Test("A second signal ends the program at once")
    func secondSignal() throws {
        let fixture = try LibraryFixture()
        #expect(try fixture.run("import", fixture.sample("rides", tracks: 20)).code == 0)
        // A pipe whose reader reads nothing: the export waits forever, and a first signal cannot interrupt the wait.
        let pipe = fixture.folder + "/pipe"
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        let holder = try #require(FileHandle(forUpdatingAtPath: pipe))
        let running = try fixture.start("tracks", "export", "--format", "gpx", "--from", "1990-01-01", out: pipe)
        Thread.sleep(forTimeInterval: 1)
        running.signal(SIGTERM)
        Thread.sleep(forTimeInterval: 0.2)
        #expect(running.isRunning)
        running.signal(SIGTERM)
        #expect(running.exitCode() == 128 + SIGTERM)
        withExtendedLifetime(holder) {}
    }

    @Test("Prerendering twice gives the same result, and no match exits with 1")
    func prerender() throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("a.gpx"))
        let output = fixture.folder + "/tiles"
        let drawn = try fixture.run("prerender", "--zoom", "0-5", "--output", output, "--json")
        #expect(drawn.code == 0)
        #expect(drawn.messages == "")
        #expect(try LibraryFixture.objects(drawn.out).first?["drawn"] as? Int == 6)
        let before = try AtomicFile.read(output + "/5/16/11.png")
        #expect(before != nil)
        let again = try fixture.run("prerender", "--zoom=0-5", "--output=\(output)", "--resume", "--json")
        #expect(try LibraryFixture.objects(again.out).first?["kept"] as? Int == 6)
        // Only what a web server may show is in the folder.
        let names = try Folder.entries(of: output).map { String($0.path.dropFirst(output.count + 1)) }.sorted()
        #expect(names == ["0", "1", "2", "3", "4", "5", "tiles.json"])
        #expect(try Folder.entries(of: fixture.library + "/prerendered").count >= 1)
        func tileJSON() throws -> [String: Any] {
            let bytes = try #require(try AtomicFile.read(output + "/tiles.json"))
            let value = try JSONSerialization.jsonObject(with: Data(bytes))
            return try #require(value as? [String: Any])
        }
        #expect(try tileJSON()["tiles"] as? [String] == ["{z}/{x}/{y}.png"])
        #expect(try tileJSON()["maxzoom"] as? Int == 5)
        // The extent suits a deeper zoom level, which is not there.
        #expect(try (tileJSON()["center"] as? [Double])?.last == 5)
        let deeper = try fixture.run(
            "prerender", "--zoom", "6-7", "--output", output, "--tiles-url", "https://maps.example/t/")
        #expect(deeper.code == 0)
        #expect(try tileJSON()["tiles"] as? [String] == ["https://maps.example/t/{z}/{x}/{y}.png"])
        #expect(try tileJSON()["minzoom"] as? Int == 0 && tileJSON()["maxzoom"] as? Int == 7)
        #expect(try fixture.run("prerender", "--zoom", "4", "--tiles-url", "https://maps.example/").code == 64)
        // The index of an earlier version is moved out of the folder.
        let indexes = try Folder.entries(of: fixture.library + "/prerendered").map(\.path)
        let index = try #require(indexes.first { $0.hasSuffix(".sqlite") })
        try AtomicFile.rename(index, to: output + "/.tileserve.sqlite")
        for left in indexes where left != index { try AtomicFile.remove(left) }
        let moved = try fixture.run("prerender", "--zoom=0-5", "--output=\(output)", "--resume", "--json")
        #expect(try LibraryFixture.objects(moved.out).first?["kept"] as? Int == 6)
        #expect(
            try !Folder.entries(of: output).map { String($0.path.dropFirst(output.count + 1)) }.contains {
                $0.hasPrefix(".")
            })
        #expect(try fixture.run("prerender", "--zoom", "4-5", "--bbox", "170,-50,-170,-30", "--dry-run").code == 1)
        #expect(try fixture.run("prerender", "--zoom", "4", "--layer", "ride").code == 64)
    }

    @Test("An import that waits for a silent pipe stops at the first signal")
    func silentPipe() throws {
        let fixture = try LibraryFixture()
        let pipe = fixture.folder + "/pipe"
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        // A pipe without a writer.
        let waiting = try fixture.start("import", pipe)
        Thread.sleep(forTimeInterval: 0.5)
        #expect(waiting.isRunning)
        waiting.signal(SIGINT)
        #expect(eventually { !waiting.isRunning })
        let ended = waiting.ended()
        #expect(ended.code == 1 && !ended.wasKilled && ended.err.contains("stopped; repeat the command"))
        // One with a writer is read to its end.
        let file = try fixture.walk("a.gpx")
        let reading = try fixture.start("import", pipe)
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        let bytes = try #require(try AtomicFile.read(file))
        try writer.write(contentsOf: Data(bytes))
        try writer.close()
        #expect(reading.ended().code == 0)
        #expect(try fixture.ids().count == 1)
    }

    @Test("Removing a track updates the prerendered tiles that show it, and no others")
    func removedFromCache() throws {
        let fixture = try LibraryFixture()
        _ = try fixture.run("import", try fixture.walk("a.gpx"), try fixture.walk("b.gpx", day: 2, step: 300))
        let kept = try fixture.run("prerender", "--style", "heat-cells", "--zoom", "10")
        #expect(kept.code == 0)
        let removed = try fixture.run("tracks", "remove", try #require(try fixture.ids().first))
        #expect(removed.code == 0)
        #expect(removed.out.contains("deleted (Walk, 20 points)"))
        let again = try fixture.run("prerender", "--style", "heat-cells", "--zoom", "10", "--resume", "--json")
        let object = try #require(try LibraryFixture.objects(again.out).first)
        #expect(object["tiles"] as? Int == 1)
        #expect(object["kept"] as? Int == 1)
        #expect(object["removed"] as? Int == 0)
    }
}
