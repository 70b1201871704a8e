import Archive
import Database
import Digest
import Files
import Foundation
import SQLite
import TestPostgreSQL
import Testing

@testable import TileServeCLI

/// `tileserve backup` and `tileserve restore`, with libraries in folders and in PostgreSQL.
struct BackupCommandTests {
    private let line: CommandLineHarness
    private var backup: String { line.folder.path + "/maps.tar.zst" }
    private var restored: String { line.folder.path + "/restored" }

    init() throws {
        line = try CommandLineHarness()
    }

    /// A library with tracks, an inbox, a token, pins, a layer and edits.
    private func fill(_ library: String) throws {
        let commands = [
            ["import", try line.walk("a.gpx"), try line.walk("b.gpx", north: 0.5)],
            ["import", "--inbox", "--person", "bea", try line.walk("c.gpx", north: 0.7)],
            ["tokens", "add", "--role", "viewer", "tablet"],
            ["pins", "add", "--at", "8.5,47.4", "--caption", "Spring"],
            ["layers", "add", "--where", "metres > 1", "far"],
        ]
        for command in commands { #expect(line.run(command + ["--library", library]).code == .done) }
    }

    /// The lines of all lists of a library, which name digests.
    private func lists(_ library: String) throws -> [String] {
        [
            ["tracks", "list", "--json"], ["tracks", "list", "--inbox", "--json"], ["imports", "list", "--json"],
            ["pins", "list", "--json"], ["layers", "list", "--json"], ["stats", "--by", "month", "--json"],
        ].map { line.run($0 + ["--library", library]).out }
    }

    private static func newPlaces(_ line: CommandLineHarness) throws -> [String] {
        guard PostgreSQLServer.isInstalled else { return [line.library] }
        return [line.library, try PostgreSQLServer.shared().makeDatabase().location + "&schema=rides"]
    }

    /// The files beside the library, without those of tests.
    private func files() throws -> [String] {
        try Folder.entries(of: line.folder.path).map(\.path).filter { $0.contains("maps.tar.zst") }
    }

    @Test func `a restored library has everything that the saved one had, and the same digest`() throws {
        for place in try Self.newPlaces(line) {
            try fill(place)
            try AtomicFile.remove(backup)
            let saved = line.run("backup", backup, "--library", place)
            #expect(saved.code == .done, "\(saved)")
            #expect(try files() == [backup])
            let lists = try lists(place)
            // Changes after the backup are not in it.
            #expect(line.run("import", try line.walk("d.gpx", north: 0.9), "--library", place).code == .done)
            let targets = try [restored] + Self.newPlaces(line).dropFirst()
            for target in targets {
                let made = line.run("restore", backup, "--library", target)
                #expect(made.code == .done, "\(made)")
                let digest = try #require(saved.out.split(separator: "digest ").last)
                #expect(made.out.hasSuffix("digest \(digest)"), "\(saved) \(made)")
                #expect(made.out.hasPrefix("restored 2 tracks, 40 points to "))
                #expect(try self.lists(target) == lists)
                #expect(line.run("tokens", "list", "--json", "--library", target).out == "")
                #expect(line.run("verify", "--library", target).code == .done)
            }
            try Folder.remove(restored)
        }
    }

    @Test func `tokens are saved only if that is asked for`() throws {
        for place in try Self.newPlaces(line) {
            try fill(place)
            let tokens = line.run("tokens", "list", "--json", "--library", place).out
            #expect(tokens.contains("tablet"))
            #expect(line.run("backup", "--with-tokens", "--overwrite", backup, "--library", place).code == .done)
            #expect(line.run("restore", backup, "--library", restored).code == .done)
            #expect(line.run("tokens", "list", "--json", "--library", restored).out == tokens)
            try Folder.remove(restored)
        }
    }

    @Test func `a file that exists is replaced only if that is asked for`() throws {
        try fill(line.library)
        try AtomicFile.write([1, 2, 3], to: backup)
        let refused = line.run("backup", backup)
        #expect(refused.code == .usage && refused.err.contains("exists already"), "\(refused)")
        #expect(try AtomicFile.read(backup) == [1, 2, 3])
        #expect(line.run("backup", "--overwrite", backup).code == .done)
        #expect(line.run("restore", backup, "--library", restored).code == .done)
        #expect(line.run("backup", "--overwrite", line.folder.path).code == .usage)
    }

    @Test func `two backups do not write the same file`() throws {
        try fill(line.library)
        let other = try LockFile.take(backup + ".part")
        let refused = line.run("backup", backup)
        #expect(refused.code == .incomplete && refused.err.contains("another process"), "\(refused)")
        withExtendedLifetime(other) {}
    }

    @Test func `what a killed backup has left is removed by the next one`() throws {
        try fill(line.library)
        try Folder.make(backup + ".part.files/snapshot/recording")
        try AtomicFile.write([7], to: backup + ".part.files/snapshot/tracks.sqlite")
        try AtomicFile.write([7], to: backup + ".part")
        #expect(line.run("backup", backup).code == .done)
        #expect(try files() == [backup])
        #expect(line.run("restore", backup, "--library", restored).code == .done)
    }

    @Test func `a missing library, a missing backup and a folder with files are refused`() throws {
        #expect(line.run("backup", backup).code == .noInput)
        #expect(try files().isEmpty)
        #expect(FileStatus.ifExists(of: line.library) == nil)
        #expect(line.run("restore", backup, "--library", restored).code == .noInput)
        #expect(FileStatus.ifExists(of: restored) == nil)
        try fill(line.library)
        #expect(line.run("backup", backup).code == .done)
        let refused = line.run("restore", backup, "--library", line.library)
        #expect(refused.code == .usage && refused.err.contains("is not empty"), "\(refused)")
        // What an interrupted restore has left is no content.
        try Folder.make(restored + "/restore.part/inbox")
        #expect(line.run("restore", backup, "--library", restored).code == .done)
    }

    @Test func `a stopped backup leaves nothing`() throws {
        try fill(line.library)
        let stopped = try CommandLineHarness(library: line.library)
        _ = stopped.stop.request()
        let ended = stopped.run("backup", backup)
        #expect(ended.code == .incomplete && ended.err.contains("no backup was written"), "\(ended)")
        #expect(try files().isEmpty)
        #expect(line.run("backup", backup).code == .done)
        let unfinished = stopped.run("restore", backup, "--library", restored)
        #expect(unfinished.code == .incomplete, "\(unfinished)")
        #expect(FileStatus.ifExists(of: restored) == nil)
    }

    // MARK: Damage

    @Test func `a truncated backup is refused at every length, and names what is missing`() throws {
        try fill(line.library)
        #expect(line.run("backup", backup).code == .done)
        let bytes = try #require(try AtomicFile.read(backup))
        let lengths = Set([0, 1, 3, 4, 10, 100, bytes.count / 2, bytes.count - 100, bytes.count - 1])
        for length in lengths.sorted() where length < bytes.count {
            try AtomicFile.write(Array(bytes.prefix(length)), to: backup)
            let refused = line.run("restore", backup, "--library", restored)
            // The end of the archive has no content: it may be missing.
            if refused.code == .done {
                #expect(length > bytes.count - 100, "\(length)")
                #expect(try lists(restored) == lists(line.library))
                try Folder.remove(restored)
                continue
            }
            #expect(refused.code == .badData, "\(length) \(refused)")
            #expect(refused.err.contains("nothing was restored") || refused.err.contains("not a backup"), "\(refused)")
            #expect(FileStatus.ifExists(of: restored) == nil)
        }
    }

    @Test func `altered bytes are never restored`() throws {
        try fill(line.library)
        #expect(line.run("backup", backup).code == .done)
        let lists = try lists(line.library)
        let bytes = try #require(try AtomicFile.read(backup))
        var generator = SplitMix64(seed: 5)
        var refusals = 0
        for _ in 0..<20 {
            var altered = bytes
            altered[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            try AtomicFile.write(altered, to: backup)
            let result = line.run("restore", backup, "--library", restored)
            if result.code == .done {
                // A byte without meaning, such as one of the padding.
                #expect(try self.lists(restored) == lists)
                try Folder.remove(restored)
            } else {
                refusals += 1
                #expect(result.code == .badData, "\(result)")
                #expect(FileStatus.ifExists(of: restored) == nil)
            }
        }
        #expect(refusals > 10)
    }

    /// Writes an archive with these members.
    private func archive(_ members: [(name: String, bytes: [UInt8])]) throws {
        let file = try RandomAccessFile(appendingTo: backup)
        try file.truncate(to: 0)
        let writer = try ArchiveWriter(time: 0) { try file.append($0) }
        for member in members {
            var rest = [member.bytes]
            try writer.add(member.name, byteCount: Int64(member.bytes.count)) { rest.popLast() ?? [] }
        }
        try writer.finish()
    }

    private func manifest(format: Int = 1, _ files: [(name: String, bytes: [UInt8], digest: String?)]) -> [UInt8] {
        let rows = files.map { file in
            var digest = SHA256()
            digest.update(file.bytes)
            let sha256 = digest.finish()
            return "{\"name\":\"\(file.name)\",\"bytes\":\(file.bytes.count),\"sha256\":\"\(file.digest ?? sha256)\"}"
        }
        return Array(
            "{\"format\":\(format),\"version\":\"9\",\"created\":\"\",\"files\":[\(rows.joined(separator: ","))]}".utf8)
    }

    @Test(arguments: ["../tracks.sqlite", "/etc/x", "recording/../../x", "grid.sqlite", "recording//x", ""])
    func `names of other files are refused`(_ name: String) throws {
        try archive([("tileserve-backup.json", manifest([(name, [1], nil)])), (name, [1])])
        let refused = line.run("restore", backup, "--library", restored)
        #expect(refused.code == .badData && refused.err.contains("not a backup"), "\(refused)")
        #expect(FileStatus.ifExists(of: restored) == nil)
        #expect(FileStatus.ifExists(of: line.folder.path + "/tracks.sqlite") == nil)
    }

    @Test func `every damaged file is named, and later formats are refused`() throws {
        let files: [(name: String, bytes: [UInt8], digest: String?)] = [
            ("recording/a.points", [1], nil), ("tracks.sqlite", [2], String(repeating: "0", count: 64)),
            ("watched.json", [3], nil),
        ]
        try archive([
            ("tileserve-backup.json", manifest(files)), ("recording/a.points", [1]), ("tracks.sqlite", [2]),
        ])
        let refused = line.run("restore", backup, "--library", restored)
        #expect(refused.code == .badData, "\(refused)")
        #expect(refused.err.contains("tracks.sqlite and watched.json are not complete"), "\(refused)")
        try archive([("tileserve-backup.json", manifest(format: 2, files))])
        let newer = line.run("restore", backup, "--library", restored)
        #expect(newer.code == .badData && newer.err.contains("has format 2"), "\(newer)")
        try archive([("other.json", [])])
        #expect(line.run("restore", backup, "--library", restored).err.contains("not a backup"))
    }

    @Test func `a library whose rows were altered is not saved`() throws {
        try fill(line.library)
        try Connection(path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
            .run("UPDATE pin SET caption = 'Other'")
        let refused = line.run("backup", backup)
        #expect(refused.code == .badData && refused.err.contains("rows of the table pin were altered"), "\(refused)")
        #expect(try files().isEmpty)
    }

    @Test func `a backup of the version before is upgraded`() throws {
        try fill(line.library)
        let lists = try lists(line.library)
        // Version 17 had neither journeys nor editions.
        let old = try Connection(path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
        let tables = [
            "route", "route_place", "journey", "journey_member", "focus_session", "profile", "reward", "reward_grant",
            "journey_picture", "edition", "privacy_zone", "edition_source", "retention_rule",
        ]
        let numbers = try old.rows("SELECT name, seq FROM sqlite_sequence") { [$0.value(0), $0.value(1)] }
        for table in tables {
            try old.run("DROP TABLE \(table)")
            try old.run("DELETE FROM row_sum WHERE name = $1", [.text(table)])
        }
        // Dropping a table removes its number, which has a sum.
        try old.run("DELETE FROM sqlite_sequence")
        for row in numbers { try old.run("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", row) }
        try old.execute("PRAGMA user_version = 17")
        let saved = line.run("backup", backup)
        #expect(saved.code == .done && !saved.out.contains("digest"), "\(saved)")
        // The library was not upgraded by this.
        #expect(try old.integer("PRAGMA user_version") == 17)
        let made = line.run("restore", backup, "--library", restored)
        #expect(made.code == .done, "\(made)")
        #expect(try self.lists(restored) == lists)
    }
}
