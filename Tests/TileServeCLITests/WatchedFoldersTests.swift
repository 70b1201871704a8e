import Files
import Foundation
import Testing
import TrackStore

@testable import TileServeCLI

@Suite("Folders that are watched")
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

    private var tracks: Int { get throws { try library.truth.totals().tracks } }

    @Test("A file is imported once it has stopped growing, and only once")
    func growing() throws {
        let recorder = Recorder()
        let watched = watch(recorder)
        let whole = try WholeFile.read(try harness.walk("a.gpx")) ?? []
        watched.look()
        for count in [whole.count / 3, whole.count / 2, whole.count] {
            try WholeFile.write(Array(whole.prefix(count)), to: dropped + "/deep/a.gpx", durability: .cached)
            watched.look()
            #expect(try tracks == 0)
        }
        watched.look()
        #expect(try tracks == 1 && library.gridIsCurrent())
        let said = recorder.err
        #expect(said.contains("a.gpx"))
        watched.look()
        watched.look()
        #expect(recorder.err == said)
    }

    @Test("A server that is started again reads only what is new")
    func again() throws {
        try WholeFile.rename(try harness.walk("a.gpx"), to: dropped + "/a.gpx")
        let first = watch(Recorder())
        first.look()
        first.look()
        #expect(try tracks == 1)
        try WholeFile.rename(try harness.walk("b.gpx", north: 1), to: dropped + "/b.gpx")
        let recorder = Recorder()
        let second = watch(recorder)
        second.look()
        second.look()
        #expect(try tracks == 2)
        #expect(recorder.err.contains("b.gpx") && !recorder.err.contains("a.gpx"))
    }

    @Test("A file that changes is read again; one that is bad is told once; unfinished downloads are left alone")
    func changes() throws {
        let path = dropped + "/a.gpx"
        try WholeFile.write(Array("no track".utf8), to: path, durability: .cached)
        try WholeFile.rename(try harness.walk("b.gpx"), to: dropped + "/b.gpx.part")
        let recorder = Recorder()
        let watched = watch(recorder)
        for _ in 0..<4 { watched.look() }
        #expect(recorder.err.split(separator: "\n").count { $0.contains("a.gpx") } == 1)
        #expect(try tracks == 0)
        try WholeFile.rename(try harness.walk("a.gpx"), to: path)
        watched.look()
        watched.look()
        #expect(try tracks == 1)
    }

    @Test("A folder that is missing is told once, and watched when it comes")
    func missing() throws {
        let recorder = Recorder()
        let later = harness.folder.path + "/later"
        let watched = WatchedFolders([later], into: library, terminal: recorder.terminal)
        for _ in 0..<3 { watched.look() }
        #expect(recorder.err.split(separator: "\n").count == 1)
        try Folder.make(later)
        try WholeFile.rename(try harness.walk("a.gpx"), to: later + "/a.gpx")
        watched.look()
        watched.look()
        #expect(try tracks == 1)
    }
}
