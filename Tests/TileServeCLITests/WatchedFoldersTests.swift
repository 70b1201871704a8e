import Files
import Foundation
import PrimaryStore
import Testing
import TrackStore

@testable import TileServeCLI

@Suite("Watched folders")
struct WatchedFoldersTests {
    private let harness: CommandLineHarness
    private let library: Library
    private let dropped: String

    init() throws {
        harness = try CommandLineHarness()
        library = try Library(folder: harness.library)
        dropped = harness.folder.path + "/dropped"
        try Folder.make(dropped + "/deep")
    }

    private func watch(_ recorder: Recorder) -> WatchedFolders {
        WatchedFolders([dropped], into: library, terminal: recorder.terminal)
    }

    private var tracks: Int { get throws { try library.database.totals().tracks } }

    @Test("A file is imported once it has stopped growing, and only once")
    func growing() throws {
        let recorder = Recorder()
        let watched = watch(recorder)
        let whole = try AtomicFile.read(try harness.walk("a.gpx")) ?? []
        watched.poll()
        for count in [whole.count / 3, whole.count / 2, whole.count] {
            try AtomicFile.write(Array(whole.prefix(count)), to: dropped + "/deep/a.gpx", durability: .cached)
            watched.poll()
            #expect(try tracks == 0)
        }
        watched.poll()
        #expect(try tracks == 1 && library.gridIsCurrent())
        let said = recorder.err
        #expect(said.contains("a.gpx"))
        watched.poll()
        watched.poll()
        #expect(recorder.err == said)
    }

    @Test("A restarted server reads only new files")
    func again() throws {
        try AtomicFile.rename(try harness.walk("a.gpx"), to: dropped + "/a.gpx")
        let first = watch(Recorder())
        first.poll()
        first.poll()
        #expect(try tracks == 1)
        try AtomicFile.rename(try harness.walk("b.gpx", north: 1), to: dropped + "/b.gpx")
        let recorder = Recorder()
        let second = watch(recorder)
        second.poll()
        second.poll()
        #expect(try tracks == 2)
        #expect(recorder.err.contains("b.gpx") && !recorder.err.contains("a.gpx"))
    }

    @Test("A changed file is read again; an invalid one is reported once; incomplete downloads are ignored")
    func changes() throws {
        let path = dropped + "/a.gpx"
        try AtomicFile.write(Array("no track".utf8), to: path, durability: .cached)
        try AtomicFile.rename(try harness.walk("b.gpx"), to: dropped + "/b.gpx.part")
        let recorder = Recorder()
        let watched = watch(recorder)
        for _ in 0..<4 { watched.poll() }
        #expect(recorder.err.split(separator: "\n").count { $0.contains("a.gpx") } == 1)
        #expect(try tracks == 0)
        try AtomicFile.rename(try harness.walk("a.gpx"), to: path)
        watched.poll()
        watched.poll()
        #expect(try tracks == 1)
    }

    @Test("A missing folder is reported once, and watched when it appears")
    func missing() throws {
        let recorder = Recorder()
        let later = harness.folder.path + "/later"
        let watched = WatchedFolders([later], into: library, terminal: recorder.terminal)
        for _ in 0..<3 { watched.poll() }
        #expect(recorder.err.split(separator: "\n").count == 1)
        try Folder.make(later)
        try AtomicFile.rename(try harness.walk("a.gpx"), to: later + "/a.gpx")
        watched.poll()
        watched.poll()
        #expect(try tracks == 1)
    }

    /// A folder in the place of a file that has to be written fails as a full disk does: for every file, again and again.
    @Test("A failure of the library is reported once, tried again after pauses, and part of the health")
    func failing() throws {
        let obstacle = library.folder + "/watched-reading.json"
        try Folder.make(obstacle + "/full")
        try AtomicFile.rename(try harness.walk("a.gpx"), to: dropped + "/a.gpx")
        try AtomicFile.rename(try harness.walk("b.gpx", north: 1), to: dropped + "/b.gpx")
        let recorder = Recorder()
        let watched = watch(recorder)
        let start = ContinuousClock.now
        #expect(watched.failure == nil)
        // Almost seven minutes.
        for round in 0..<200 { watched.poll(now: start + .seconds(2 * round)) }
        #expect(try tracks == 0)
        #expect(recorder.err.split(separator: "\n").count == 1, "\(recorder.err.prefix(900))")
        #expect(watched.failure?.hasPrefix("files of watched folders are not imported: ") == true)
        #expect(watched.failure?.contains(library.folder) == false)
        try FileManager.default.removeItem(atPath: obstacle)
        // The longest pause is 64 s.
        for round in 200..<234 { watched.poll(now: start + .seconds(2 * round)) }
        #expect(try tracks == 2)
        #expect(watched.failure == nil)
        #expect(recorder.err.contains("files of watched folders are imported again"))
    }

    // MARK: File systems that are not mounted

    /// A folder of a file system other than that of temporary files.
    private static let otherFileSystem = "/dev/shm"

    private static var hasOtherFileSystem: Bool {
        guard let other = FileStatus.ifExists(of: otherFileSystem),
            FileManager.default.isWritableFile(atPath: otherFileSystem)
        else {
            return false
        }
        return other.identity.device != FileStatus.ifExists(of: NSTemporaryDirectory())?.identity.device
    }

    @Test(
        "Files of a watched folder that is not mounted for a while are not read again, and those removed are forgotten",
        .enabled(if: hasOtherFileSystem))
    func unmounted() throws {
        let card = Self.otherFileSystem + "/tileserve-\(UInt64.random(in: 0 ... .max))"
        try Folder.make(card)
        defer { try? FileManager.default.removeItem(atPath: card) }
        // A link, because mounting needs permissions.
        let mountPoint = harness.folder.path + "/card"
        func mount() throws {
            try? FileManager.default.removeItem(atPath: mountPoint)
            try FileManager.default.createSymbolicLink(atPath: mountPoint, withDestinationPath: card)
        }
        func unmount() throws {
            try FileManager.default.removeItem(atPath: mountPoint)
            try Folder.make(mountPoint)
        }
        func copy(_ path: String, to folder: String) throws {
            try AtomicFile.write(
                try #require(try AtomicFile.read(path)), to: folder + "/" + path.split(separator: "/").last!,
                durability: .cached)
        }
        try mount()
        try copy(try harness.walk("a.gpx"), to: card)
        try Folder.make(card + "/deep")
        try copy(try harness.walk("b.gpx", north: 1), to: card + "/deep")
        let crashing = card + "/crashing.gpx"
        try copy(try harness.walk("crashing.gpx", north: 2), to: card)
        let skipped = mountPoint + "/crashing.gpx"
        try ReadJournal(in: library.folder).begin(skipped, FileVersion(try FileStatus(of: crashing)))
        let recorder = Recorder()
        let watched = WatchedFolders([mountPoint, dropped], into: library, terminal: recorder.terminal)
        for _ in 0..<2 { watched.poll() }
        #expect(try tracks == 2)
        try unmount()
        // The list is written when something is imported.
        try copy(try harness.walk("c.gpx", north: 3), to: dropped)
        for _ in 0..<2 { watched.poll() }
        #expect(try tracks == 3)
        try mount()
        let before = recorder.err
        for _ in 0..<3 { watched.poll() }
        #expect(recorder.err == before)
        let later = Recorder()
        let restarted = WatchedFolders([mountPoint, dropped], into: library, terminal: later.terminal)
        for _ in 0..<3 { restarted.poll() }
        #expect(try later.err == "" && tracks == 3)
        // Removed, not unmounted.
        try FileManager.default.removeItem(atPath: card + "/deep")
        try copy(try harness.walk("d.gpx", north: 4), to: dropped)
        for _ in 0..<2 { restarted.poll() }
        let list = try #require(try AtomicFile.read(library.folder + "/watched.json"))
        let text = String(decoding: list, as: UTF8.self).replacingOccurrences(of: "\\/", with: "/")
        #expect(text.contains("card/a.gpx") && !text.contains("deep/b.gpx"))
    }

    // MARK: Files during whose import a server crashed

    private func state(of path: String) throws -> FileVersion { FileVersion(try FileStatus(of: path)) }

    @Test("A file that crashed a server is skipped and reported at each start until it changes")
    func endedBeside() throws {
        let path = dropped + "/a.gpx"
        try AtomicFile.rename(try harness.walk("a.gpx"), to: path)
        try ReadJournal(in: library.folder).begin(path, try state(of: path))
        for _ in 0..<2 {
            let recorder = Recorder()
            let watched = watch(recorder)
            watched.reportSkipped()
            for _ in 0..<3 { watched.poll() }
            #expect(
                recorder.err.split(separator: "\n").count == 1 && recorder.err.contains("a.gpx: the server crashed"))
            #expect(try tracks == 0)
        }
        try AtomicFile.rename(try harness.walk("a.gpx", north: 1), to: path)
        // The clock of file times advances every few milliseconds: both files could get the same time.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path)
        let recorder = Recorder()
        let watched = watch(recorder)
        watched.reportSkipped()
        for _ in 0..<3 { watched.poll() }
        #expect(try tracks == 1 && !recorder.err.contains("crashed"))
    }

    @Test("A file is recorded, readable by the owner only, before it is read, and removed from the record after")
    func journalled() throws {
        let path = dropped + "/a.gpx"
        try AtomicFile.rename(try harness.walk("a.gpx"), to: path)
        let journal = ReadJournal(in: library.folder)
        try journal.begin(path, try state(of: path))
        let file = library.folder + "/watched-reading.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(ReadJournal(in: library.folder).skipped == [path])
        journal.end(path)
        try journal.finish()
        #expect(ReadJournal(in: library.folder).skipped.isEmpty)
    }

    @Test(
        "Files that were being read at a crash are read one at a time, and only the one that crashes a server is skipped"
    )
    func severalJournalled() throws {
        let paths = ["a.gpx", "b.gpx"].map { dropped + "/" + $0 }
        for (number, path) in paths.enumerated() {
            try AtomicFile.rename(try harness.walk("walk.gpx", north: Double(number)), to: path)
        }
        let journal = ReadJournal(in: library.folder)
        for path in paths { try journal.begin(path, try state(of: path)) }
        let again = ReadJournal(in: library.folder)
        for path in paths { #expect(try again.isSuspect(path, state(of: path)) && again.skipped.isEmpty) }
        // The first file is read, the second crashes the server.
        try again.begin(paths[0], try state(of: paths[0]))
        again.end(paths[0])
        try again.begin(paths[1], try state(of: paths[1]))
        #expect(ReadJournal(in: library.folder).skipped == [paths[1]])
        let watched = watch(Recorder())
        for _ in 0..<3 { watched.poll() }
        #expect(try tracks == 1)
    }

    @Test("Suspected files that are valid are imported and removed from the record")
    func suspectsAreWell() throws {
        let paths = ["a.gpx", "b.gpx"].map { dropped + "/" + $0 }
        let journal = ReadJournal(in: library.folder)
        for (number, path) in paths.enumerated() {
            try AtomicFile.rename(try harness.walk("walk.gpx", north: Double(number)), to: path)
            try journal.begin(path, try state(of: path))
        }
        let watched = watch(Recorder())
        for _ in 0..<3 { watched.poll() }
        #expect(try tracks == 2)
        #expect(ReadJournal(in: library.folder).skipped.isEmpty)
    }

    @Test(
        "A file with any modification time can be watched",
        arguments: [253_402_300_799, 10_413_792_000, -5_000_000_000])
    func timesOfChange(seconds: Int) throws {
        let path = dropped + "/a.gpx"
        try AtomicFile.rename(try harness.walk("a.gpx"), to: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: path)
        let watched = watch(Recorder())
        for _ in 0..<3 { watched.poll() }
        #expect(try tracks == 1)
    }
}
