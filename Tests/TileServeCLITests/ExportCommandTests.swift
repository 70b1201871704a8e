import Digest
import Files
import Foundation
import TestPostgreSQL
import TestVenues
import Testing

@testable import TileServeCLI

/// `tileserve export --all`.
struct ExportCommandTests {
    private let line: CommandLineHarness
    private var target: String { line.folder.path + "/out" }

    init() throws {
        line = try CommandLineHarness()
    }

    private struct Manifest: Decodable {
        struct File: Decodable {
            var name: String
            var bytes: Int
            var sha256: String
            var count: Int?
        }
        var version: String
        var counts: [String: Int]
        var files: [File]
    }

    private func manifest() throws -> Manifest {
        let bytes = try #require(try AtomicFile.read(target + "/manifest.json"))
        return try JSONDecoder().decode(Manifest.self, from: Data(bytes))
    }

    /// A CSV of two devices over some days, which become streams.
    private func devices() throws -> String {
        let rows = (0..<300).map { index in
            let device = index % 3 == 0 ? "watch" : "phone"
            let day = 1 + index / 100
            let minute = index % 50
            return "2025-07-0\(day)T08:\(minute < 10 ? "0" : "")\(minute):\(index % 60 < 10 ? "0" : "")\(index % 60)Z,"
                + "\(8.5 + Double(index) * 1e-4),\(47.3 + Double(index) * 1e-4),\(device),\(index)"
        }
        return try line.file("devices.csv", "time,lon,lat,device,battery\n" + rows.joined(separator: "\n") + "\n")
    }

    private func fill(_ library: String) throws {
        let pins = """
            <gpx version="1.1"><wpt lat="47.1" lon="8.1"><time>2025-06-01T10:00:00Z</time><name>Spring</name></wpt></gpx>
            """
        let route = """
            <gpx version="1.1"><rte><name>To the lake</name><rtept lat="47.1" lon="8.1"><name>Start</name></rtept>
            <rtept lat="47.3" lon="8.4"><name>Lake</name></rtept></rte></gpx>
            """
        let commands = [
            ["import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.5)],
            ["import", "--person", "ada", try line.walk("p.gpx", north: 0.6)],
            ["import", try devices()],
            ["import", "--inbox", "--person", "bea", try line.walk("c.gpx", north: 0.7)],
            ["import", try line.file("pins.gpx", pins)],
            ["pins", "add", "--at", "8.5,47.4", "--caption", "Spring"],
            ["layers", "add", "--where", "metres > 1", "far"],
            ["routes", "import", try line.file("route.gpx", route)],
            ["cleaning", "--speed", "300"],
        ]
        for command in commands {
            let result = line.run(command + ["--library", library])
            #expect(result.code == .done, "\(command) \(result)")
        }
        let campus = line.folder.path + "/campus.zip"
        try AtomicFile.write(
            zip(SampleCampus(seed: 5).imdfMembers().map { ($0.name, Array($0.text.utf8)) }), to: campus)
        #expect(line.run("venues", "import", campus, "--library", library).code == .done)
    }

    /// The values of a member of each object of a list, sorted.
    private func values(_ member: String, _ command: [String], _ library: String) throws -> [String] {
        try line.objects(line.run(command + ["--json", "--library", library]).out).compactMap { $0[member] as? String }
            .sorted()
    }

    private func digests(_ library: String, _ more: [String] = []) throws -> [String] {
        let ids = try values("id", ["tracks", "list"] + more, library)
        return try values("digest", ["tracks", "show"] + more + ids, library)
    }

    @Test func `an export that is imported into a new library gives tracks with equal digests, and the rest`() throws {
        var places = [line.library]
        if PostgreSQLServer.isInstalled { places.append(try PostgreSQLServer.shared().makeDatabase().location) }
        for (number, place) in places.enumerated() {
            try fill(place)
            let written = line.run("export", "--all", target, "--library", place)
            #expect(written.code == .done, "\(written)")
            let copy = line.folder.path + "/copy-\(number)"
            let commands = [
                ["import", target + "/tracks", target + "/pins.geojson", target + "/venues"],
                ["import", "--inbox", target + "/inbox/tracks"],
                ["routes", "import"] + (try Folder.entries(of: target + "/routes").map(\.path)),
            ]
            for command in commands {
                let result = line.run(command + ["--library", copy])
                #expect(result.code == .done, "\(result)")
            }
            let digests = try digests(place)
            #expect(digests.count == 9)
            #expect(try self.digests(copy) == digests)
            #expect(try values("device", ["tracks", "list"], copy) == values("device", ["tracks", "list"], place))
            #expect(try values("person", ["tracks", "list"], copy) == values("person", ["tracks", "list"], place))
            #expect(try values("id", ["pins", "list"], copy) == values("id", ["pins", "list"], place))
            #expect(try values("id", ["venues", "list"], copy) == values("id", ["venues", "list"], place))
            #expect(try values("name", ["routes", "list"], copy) == values("name", ["routes", "list"], place))
            #expect(line.run("tracks", "list", "--inbox", "--library", copy).out.contains("bea"))
            try Folder.remove(target)
        }
    }

    @Test func `the manifest names every file with its size and digest, and has counts`() throws {
        try fill(line.library)
        #expect(line.run("export", "--all", target).code == .done)
        let manifest = try manifest()
        var found: [String] = []
        try Folder.walk(target) { found.append(String($0.dropFirst(target.count + 1))) }
        #expect(manifest.files.map(\.name) == found.filter { $0 != "manifest.json" }.sorted())
        for file in manifest.files {
            let bytes = try #require(try AtomicFile.read(target + "/" + file.name))
            var digest = SHA256()
            digest.update(bytes)
            let sha256 = digest.finish()
            #expect(file.bytes == bytes.count && file.sha256 == sha256, "\(file.name)")
            if file.name.hasSuffix(".ndjson") { #expect(file.count == bytes.count { $0 == 10 }, "\(file.name)") }
        }
        #expect(manifest.counts["tracks"] == 9 && manifest.counts["inboxTracks"] == 1)
        #expect(manifest.counts["pins"] == 2 && manifest.counts["venues"] == 1)
        let readme = String(decoding: try AtomicFile.read(target + "/README.md") ?? [], as: UTF8.self)
        // Each file is under a name of the page.
        for name in found where name != "manifest.json" && name != "README.md" {
            let folder = name.contains("/") ? String(name.prefix { $0 != "/" }) + "/" : name
            #expect(readme.contains("`\(folder)") || readme.contains("`\(name)`"), "\(name)")
        }
        let settings = try line.objects(
            String(decoding: try AtomicFile.read(target + "/lists/settings.ndjson") ?? [], as: UTF8.self))
        #expect(settings.contains { $0["value"] as? String == "Europe/Zurich" })
        let layers = try line.objects(
            String(decoding: try AtomicFile.read(target + "/lists/layers.ndjson") ?? [], as: UTF8.self))
        #expect(layers.map { $0["name"] as? String } == ["far"])
    }

    @Test func `a folder with files, a missing --all and a missing library are refused`() throws {
        #expect(line.run("export", "--all", target).code == .noInput)
        #expect(FileStatus.ifExists(of: target) == nil && FileStatus.ifExists(of: target + ".part") == nil)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        let missing = line.run("export", target)
        #expect(missing.code == .usage && missing.err.contains("'--all' is missing"), "\(missing)")
        try Folder.make(target)
        #expect(line.run("export", "--all", target + "/").code == .done)
        let refused = line.run("export", "--all", target)
        #expect(refused.code == .usage && refused.err.contains("is not empty"), "\(refused)")
    }

    @Test func `a stopped export leaves nothing`() throws {
        try fill(line.library)
        let stopped = try CommandLineHarness(library: line.library)
        _ = stopped.stop.request()
        let ended = stopped.run("export", "--all", target)
        #expect(ended.code == .incomplete && ended.err.contains("nothing was exported"), "\(ended)")
        #expect(FileStatus.ifExists(of: target) == nil && FileStatus.ifExists(of: target + ".part") == nil)
    }
}
