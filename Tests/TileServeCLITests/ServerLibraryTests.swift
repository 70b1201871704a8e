import Files
import Foundation
import TestPostgreSQL
import Testing

@testable import TileServeCLI

/// Commands with a library in PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed; run Scripts/setup test"))
struct ServerLibraryTests {
    private static func harness() throws -> CommandLineHarness {
        try CommandLineHarness(library: PostgreSQLServer.shared().makeDatabase().location + "&schema=rides")
    }

    @Test func `commands do with a library in PostgreSQL what they do with one in a folder`() throws {
        let lines = [try Self.harness(), try CommandLineHarness()]
        let answers = try lines.map { line in
            #expect(line.run("stats").code == .noInput)
            #expect(line.run("import", "--dry-run", try line.walk("a.gpx")).code == .done)
            #expect(line.run("stats").code == .noInput)
            let own = line.run("import", try line.walk("a.gpx"))
            #expect(own.code == .done, "\(own)")
            #expect(line.run("import", "--inbox", "--person", "bea", try line.walk("b.gpx", north: 0.5)).code == .done)
            let shared = try #require(
                try line.objects(line.run("tracks", "list", "--inbox", "--json").out).first?["id"] as? String)
            #expect(line.run("tracks", "accept", shared).code == .done)
            #expect(line.run("import", try line.walk("c.gpx", north: 0.7)).code == .done)
            let imports = try line.objects(line.run("imports", "list", "--json").out)
            let undone = line.run("imports", "undo", "\(try #require(imports.first?["import"] as? Int))")
            #expect(undone.code == .done)
            let tracks = try line.objects(line.run("tracks", "list", "--json").out).map { track in
                track.filter { $0.key != "id" } as NSDictionary
            }
            var stats = try #require(try line.objects(line.run("stats", "--json").out).first)
            let bytes = try #require(stats.removeValue(forKey: "bytes") as? [String: Int])
            #expect(try #require(bytes["tracks.sqlite"]) > 10_000 && #require(bytes["grid.sqlite"]) > 10_000)
            let verified = line.run("verify")
            #expect(verified.code == .done, "\(verified)")
            return (tracks, stats as NSDictionary, undone.err, verified.out)
        }
        #expect(answers[0].0 == answers[1].0 && answers[0].0.count == 2)
        #expect(answers[0].1 == answers[1].1)
        // What PostgreSQL cannot do is said.
        #expect(answers[0].2.contains("not overwritten") && !answers[1].2.contains("not overwritten"))
        #expect(answers[0].3.contains("rows can be read") && answers[1].3.contains("match their checksums"))
    }

    @Test func `prerendered tiles are in the database, for all machines, and leave it with what they show`() throws {
        let line = try Self.harness()
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.5)).code == .done)
        let draw = ["prerender", "--zoom", "10-14", "--json"]
        let drawn = try #require(try line.objects(line.run(draw).out).first)
        let count = try #require(drawn["drawn"] as? Int)
        #expect(count > 5)
        // Another machine has another folder for its own files.
        let other = try CommandLineHarness(library: line.library)
        let kept = try #require(try line.objects(other.run(draw + ["--resume"]).out).first)
        #expect(kept["kept"] as? Int == count && kept["drawn"] as? Int == 0)
        func bytes() throws -> Int {
            let stats = try #require(try line.objects(line.run("stats", "--json").out).first)
            return try #require((stats["bytes"] as? [String: Int])?["pictures.sqlite"])
        }
        let before = try bytes()
        #expect(before > 100)
        #expect(other.run("tracks", "remove", try other.ids()[0]).code == .done)
        let after = try bytes()
        #expect(after > 0 && after < before)
        let files =
            FileManager.default.enumerator(atPath: line.folder.path)?.allObjects.compactMap { $0 as? String } ?? []
        #expect(!files.contains { $0.hasSuffix("pictures.sqlite") })
    }

    @Test func `verify names the database with an error`() throws {
        let database = try PostgreSQLServer.shared().makeDatabase()
        let line = try CommandLineHarness(library: database.location + "&schema=rides")
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        try database.execute("DELETE FROM rides_grid.totals")
        let verified = line.run("verify")
        #expect(verified.code == .badData)
        let start = "\(database.location)&schema=rides, grid: the totals, visits"
        #expect(verified.out.contains(start) || verified.err.contains(start), "\(verified)")
    }

    @Test func `a location that cannot be used is refused with the reason, and never becomes a folder`() throws {
        let line = try CommandLineHarness(library: "postgresql:///x?host=/nowhere&schema=no-name")
        let named = line.run("stats")
        #expect(named.code == .usage && named.err.contains("no-name"), "\(named)")
        let away = try CommandLineHarness(library: "postgresql://me:secret@/x?host=/nowhere")
        let unreachable = away.run("import", try away.walk("a.gpx"))
        #expect(unreachable.code != .done && !unreachable.err.contains("secret"), "\(unreachable)")
        #expect(unreachable.err.contains("/nowhere"))
    }
}
