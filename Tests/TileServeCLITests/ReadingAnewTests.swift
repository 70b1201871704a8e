import Database
import Files
import Foundation
import SQLite
import Testing

@testable import TileServeCLI

/// `import --again`. Another time zone for times without one stands for a reader that reads a file otherwise.
@Suite struct ReadingAnewTests {
    private let line: CommandLineHarness

    init() throws {
        line = try CommandLineHarness()
    }

    /// A table of points without a zone, one a minute from 10:00 on.
    private func table(_ name: String, points: Int = 20, hour: Int = 10) throws -> String {
        let rows = (0..<points).map { index in
            "2025-06-01 \(hour):\(index < 10 ? "0" : "")\(index):00,\(8.5 + Double(index) * 0.001),47.3"
        }
        return try line.file(name, (["time,lon,lat"] + rows).joined(separator: "\n") + "\n")
    }

    private func tracks() throws -> [[String: Any]] {
        try line.objects(line.run("tracks", "list", "--json").out)
    }

    private func starts() throws -> [String] {
        try tracks().compactMap { $0["start"] as? String }.sorted()
    }

    private func revision(_ out: String) throws -> [String: Any] {
        try #require(try line.objects(out).first?["again"] as? [String: Any], "\(out)")
    }

    private let utc = "2025-06-01T10:00:00Z"
    private let berlin = "2025-06-01T08:00:00Z"

    @Test func `What was misread is replaced, and what the owner added stays`() throws {
        let path = try table("a.csv")
        _ = line.run("import", "--zone", "UTC", path)
        let id = try #require(try line.ids().first)
        _ = line.run("tracks", "edit", "--name", "Mine", "--activity", "ride", id)
        _ = line.run("tracks", "tag", "--add", "red", id)
        let dry = line.run("import", "--again", "--dry-run", "--zone", "Europe/Berlin", "--json", path)
        #expect(try starts() == [utc])
        let real = line.run("import", "--again", "--zone", "Europe/Berlin", "--json", path)
        #expect(real.code == .done)
        let (before, after) = (try revision(dry.out), try revision(real.out))
        #expect(NSDictionary(dictionary: before).isEqual(to: after))
        #expect(after["sameTracks"] as? Int == 0)
        #expect((after["before"] as? [String: Any])?["points"] as? Int == 20)
        let track = try #require(try tracks().first)
        #expect(try starts() == [berlin])
        #expect(track["name"] as? String == "Mine" && track["activity"] as? String == "ride")
        #expect(track["tags"] as? [String] == ["red"])
        // The old id still names it.
        #expect(
            try line.objects(line.run("tracks", "show", "--json", id).out).first?["id"] as? String == track["id"]
                as? String)
        #expect(line.run("verify").code == .done)
        #expect(line.run("imports", "undo", "2").code == .done)
        #expect(try tracks().isEmpty)
    }

    @Test func `Reading anew changes nothing if the file is read as before, however often`() throws {
        let paths = [try table("a.csv"), try line.walk("b.gpx")]
        _ = line.run(["import", "--zone", "UTC"] + paths)
        let before = try line.ids().sorted()
        for _ in 0..<2 {
            let out = line.run(["import", "--again", "--zone", "UTC", "--json"] + paths).out
            #expect(try revision(out)["sameTracks"] as? Int == 1)
            #expect(try line.ids().sorted() == before)
        }
        #expect(try line.objects(line.run("imports", "list", "--json").out).count == 1)
        #expect(line.run("verify").code == .done)
    }

    @Test func `A file that was not imported before is imported, and then replaced`() throws {
        let path = try table("a.csv")
        let first = line.run("import", "--again", "--zone", "UTC", "--json", path)
        #expect(try line.objects(first.out).first?["again"] == nil)
        #expect(try starts() == [utc])
        _ = line.run("import", "--again", "--zone", "Europe/Berlin", path)
        #expect(try starts() == [berlin])
    }

    @Test func `What another file has brought, too, stays`() throws {
        let path = try table("a.csv")
        // The same points in another file, which is not read anew.
        let other = try line.file("b.csv", try String(contentsOfFile: path, encoding: .utf8) + "\n")
        _ = line.run("import", "--zone", "UTC", path, other)
        #expect(try starts() == [utc])
        _ = line.run("import", "--again", "--zone", "Europe/Berlin", path)
        #expect(try starts() == [berlin, utc].sorted())
        _ = line.run("import", "--again", "--zone", "Europe/Berlin", other)
        #expect(try starts() == [berlin])
        #expect(line.run("verify").code == .done)
    }

    @Test func `Points of a device are replaced, and those of other files of the device stay`() throws {
        let files = try (0..<4).map { try table("\($0).csv", hour: 8 + 3 * $0) }
        // The times of the last one are between those of the others.
        let last = try table("last.csv", points: 59, hour: 14)
        _ = line.run(["import", "--device", "phone", "--zone", "UTC"] + files + [last])
        func points() throws -> Int { try tracks().compactMap { $0["points"] as? Int }.reduce(0, +) }
        #expect(try points() == 4 * 20 + 59 - 20)
        _ = line.run("import", "--again", "--device", "phone", "--zone", "Etc/GMT-1", files[0])
        #expect(try points() == 4 * 20 + 59 - 20)
        #expect(try starts().first == "2025-06-01T07:00:00Z")
        _ = line.run("import", "--again", "--device", "phone", "--zone", "Etc/GMT-1", last)
        #expect(try points() == 4 * 20 + 59)
        #expect(line.run("verify").code == .done)
        let connection = try Connection(path: line.library + "/tracks.sqlite")
        let stored = try connection.rows("SELECT sum(points) FROM stream_chunk") { $0.integer(0) }.first
        // Only what overlapped is stored twice: the third file, since `last` was imported.
        #expect(stored == Int64(4 * 20 + 59 + 20))
    }

    @Test func `A file of a library of the previous version is recognised by name and size`() throws {
        let paths = [try table("a.csv"), try line.walk("b.gpx")]
        _ = line.run(["import", "--zone", "UTC"] + paths)
        do {
            let connection = try Connection(
                path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
            for sql in [
                "UPDATE source SET import = 1", "DELETE FROM row_sum", "INSERT INTO row_sum VALUES ('', 0, 0, 0)",
                "DROP TABLE file", "DROP TABLE stream_source_range", "PRAGMA user_version = 13",
            ] { try connection.execute(sql) }
        }
        let dry = line.run("import", "--again", "--dry-run", "--zone", "Europe/Berlin", "--json", paths[0])
        #expect(try revision(dry.out)["sameTracks"] as? Int == 0)
        try Folder.make(line.folder.path + "/other")
        let other = try line.file("other/a.csv", "time,lon,lat\n2020-01-01 10:00,8,47\n")
        _ = line.run("import", "--again", other)
        #expect(try tracks().count == 3)
        _ = line.run("import", "--again", "--zone", "Europe/Berlin", paths[0])
        #expect(try starts().suffix(2) == [berlin, utc])
        #expect(try tracks().count == 3)
        #expect(line.run("verify").code == .done)
    }

    @Test func `Reading anew that a killed process has begun is completed when the library is opened`() throws {
        let path = try table("a.csv")
        _ = line.run("import", "--zone", "UTC", path)
        _ = line.run("import", "--zone", "Europe/Berlin", path)
        #expect(try starts() == [berlin, utc])
        do {
            let connection = try Connection(
                path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute("DELETE FROM row_sum")
            try connection.execute("INSERT INTO row_sum VALUES ('', 0, 0, 0)")
            try connection.execute(
                "UPDATE file SET replacement = (SELECT max(origin) FROM file) WHERE origin = (SELECT min(origin) FROM file)"
            )
        }
        #expect(try starts() == [berlin])
        #expect(try line.objects(line.run("imports", "list", "--json").out).count == 1)
        #expect(line.run("verify").code == .done)
    }

    @Test(arguments: ["9223372036854775807", "-1", "0", "'zz'", "1e300", "origin"])
    func `A file whose replacement does not exist keeps its tracks, and verify reports it`(origin: String) throws {
        _ = line.run("import", "--zone", "UTC", try table("a.csv"))
        do {
            let connection = try Connection(
                path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute("UPDATE file SET replacement = \(origin)")
        }
        #expect(try starts() == [utc])
        #expect(line.run("verify").code != .done)
        #expect(try starts() == [utc])
    }

    @Test func `An unpacked member of an archive is recognised`() throws {
        let path = try table("a.csv")
        let archive = line.folder.path + "/all.tar"
        let tar = Process()
        tar.executableURL = URL(filePath: "/bin/tar")
        tar.arguments = ["-C", line.folder.path, "-cf", archive, "a.csv"]
        try tar.run()
        tar.waitUntilExit()
        _ = line.run("import", "--zone", "UTC", archive)
        _ = line.run("import", "--again", "--zone", "Europe/Berlin", path)
        #expect(try starts() == [berlin])
        _ = line.run("import", "--again", "--zone", "UTC", archive)
        #expect(try starts() == [utc])
    }
}
