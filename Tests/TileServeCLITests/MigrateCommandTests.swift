import Files
import Foundation
import TestPostgreSQL
import Testing

@testable import TileServeCLI

/// `tileserve migrate`, with libraries in folders and in PostgreSQL.
struct MigrateCommandTests {
    private static func newPlaces(_ line: CommandLineHarness) throws -> [String] {
        let folder = line.folder.path + "/copy"
        guard PostgreSQLServer.isInstalled else { return [folder] }
        return [folder, try PostgreSQLServer.shared().makeDatabase().location + "&schema=rides"]
    }

    /// The lines of all lists of a library.
    private static func lists(_ line: CommandLineHarness, _ library: String) throws -> [String] {
        [
            ["tracks", "list", "--json"], ["tracks", "list", "--inbox", "--json"], ["imports", "list", "--json"],
            ["tokens", "list", "--json"], ["stats", "--by", "month", "--json"],
        ].map { line.run($0 + ["--library", library]).out }
    }

    @Test func `a library is copied with its inbox and tokens, and the copy is as good as the first`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.5)).code == .done)
        #expect(line.run("import", "--inbox", "--person", "bea", try line.walk("c.gpx", north: 0.7)).code == .done)
        #expect(line.run("tokens", "add", "--role", "viewer", "tablet").code == .done)
        let lists = try Self.lists(line, line.library)
        for place in try Self.newPlaces(line) {
            let copied = line.run("migrate", "--from", line.library, "--to", place)
            #expect(copied.code == .done, "\(copied)")
            #expect(copied.out.hasPrefix("copied 2 tracks, 40 points to "), "\(copied)")
            #expect(try Self.lists(line, place) == lists)
            let verified = line.run("verify", "--library", place)
            #expect(verified.code == .done, "\(verified)")
            let again = line.run("migrate", "--from", line.library, "--to", place)
            #expect(
                again.code == .usage && again.err.contains("there is a library already")
                    || again.err.contains("is the library that is to be copied"), "\(again)")
        }
    }

    @Test func `tokens of another library are not replaced`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        for place in try Self.newPlaces(line) {
            #expect(line.run("tokens", "add", "--role", "owner", "--library", place).code == .done)
            let refused = line.run("migrate", "--from", line.library, "--to", place)
            #expect(refused.code == .usage && refused.err.contains("there is a library already"), "\(refused)")
        }
    }

    @Test func `a copy that was stopped is no library, and the same command makes it anew`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        for place in try Self.newPlaces(line) {
            let stopped = try CommandLineHarness(library: line.library)
            _ = stopped.stop.request()
            let environment = ["XDG_STATE_HOME": line.folder.path]
            let recorder = Recorder()
            let code = Program.run(
                ["migrate", "--from", line.library, "--to", place], environment: environment,
                terminal: recorder.terminal, stop: stopped.stop)
            #expect(code == .incomplete && recorder.err.contains("is incomplete"), "\(recorder.err)")
            for words in [["stats"], ["verify"], ["tracks", "list"], ["import", try line.walk("b.gpx")]] {
                let refused = line.run(words + ["--library", place])
                #expect(refused.code == .badData && refused.err.contains("incomplete copy of a library"), "\(refused)")
            }
            #expect(line.run("migrate", "--from", place, "--to", line.folder.path + "/third").code == .badData)
            #expect(line.run("migrate", "--from", line.library, "--to", place).code == .done)
            #expect(line.run("verify", "--library", place).code == .done)
        }
    }

    @Test func `both places are required, and the first must be a library`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("migrate", "--from", line.library).code == .usage)
        #expect(line.run("migrate", "--to", line.library).code == .usage)
        let missing = line.run("migrate", "--from", line.library, "--to", line.folder.path + "/copy")
        #expect(missing.code == .noInput && FileStatus.ifExists(of: line.folder.path + "/copy") == nil)
    }
}
