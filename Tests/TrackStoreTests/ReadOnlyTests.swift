import Database
import Files
import Foundation
import GridStorage
import SQLite
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

/// Libraries in folders that cannot be written to.
@Suite struct ReadOnlyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func filled(_ name: String) throws -> Library {
        let library = try Library(folder: "\(folder.path)/\(name)", zoneIfNew: "Europe/Berlin")
        let session = try library.database.beginImport()
        let recording = try session.open()
        for chunk in outing(start: 1_559_390_400, count: 90) { try session.append(chunk, to: recording) }
        _ = try session.close(recording, header: RecordingHeader(activity: "ride", source: "a.gpx"))
        try session.finish()
        return library
    }

    private func files(_ path: String) throws -> [String] {
        try Folder.entries(of: path).map { "\($0.path) \(FileStatus.ifExists(of: $0.path)?.byteCount ?? 0)" }
    }

    /// With a current and an outdated grid; closed, in use, and left by a killed process without the index of the WAL.
    @Test(arguments: [true, false], ["closed", "in use", "left"])
    func `everything can be read, and nothing is changed`(isCurrent: Bool, state: String) throws {
        var writing: Library? = try filled("library")
        if isCurrent { try writing?.catchUp() }
        var path = "\(folder.path)/library"
        if state == "left" {
            path = "\(folder.path)/left"
            try FileManager.default.copyItem(atPath: "\(folder.path)/library", toPath: path)
            for name in ["tracks.sqlite-shm", "grid.sqlite-shm"] { try AtomicFile.remove("\(path)/\(name)") }
        }
        if state != "in use" { writing = nil }
        let before = try files(path)
        do {
            let library = try Library(folder: path, isReadOnly: true)
            #expect(library.isReadOnly)
            let track = try #require(try library.database.allTracks().first)
            #expect(track.points == 90 && track.activity == .ride)
            var points = 0
            try library.database.forEachChunk(ofTrack: track.number) { points += $0.count }
            #expect(points == 90)
            try library.catchUp()
            try library.finishLayers()
            #expect(try library.gridIsCurrent())
            #expect(try library.grid.read { try $0.occupiedBounds() } != nil)
            #expect(try library.verify() == [])
            #expect(try library.layerSummaries().map(\.name) == ["all", "ride"])
            #expect(throws: LibraryError.self) { try library.remove([track.id]) { _ in } }
            #expect(throws: LibraryError.self) { try library.database.beginImportRun(["a"]) }
            #expect(throws: LibraryError.self) { try library.database.setZone("UTC") }
        }
        #expect(try files(path) == before)
        withExtendedLifetime(writing) {}
    }

    @Test func `later writes of others are read`() throws {
        let writing = try filled("library")
        try writing.catchUp()
        let library = try Library(folder: writing.folder, isReadOnly: true)
        let version = try library.database.dataVersion()
        #expect(try library.database.totals().tracks == 1)
        try writing.database.add(outing(start: 1_559_490_400, count: 20), source: "b.gpx")
        #expect(try library.database.dataVersion() != version)
        #expect(try library.database.totals().tracks == 2)
        try writing.catchUp()
        #expect(try library.gridIsCurrent())
    }

    @Test func `the error for a library of an earlier version says what to do`() throws {
        let path = try filled("library").folder
        try Connection(path: path + "/tracks.sqlite").setUserVersion(3)
        let error = #expect(throws: LibraryError.self) { try Library(folder: path, isReadOnly: true) }
        #expect(error?.description.contains("open it once where it can be written to") == true)
    }

    // MARK: Permissions of files

    @Test func `all files of a library are accessible to their owner only`() throws {
        let library = try filled("library")
        try library.catchUp()
        let member = try library.coordination.membership.join(head: try library.database.head()) {}
        var paths = [library.folder]
        try Folder.walk(library.folder) { paths.append($0) }
        paths += ["serving"].map { "\(library.folder)/\($0)" }
        #expect(paths.contains { $0.hasSuffix("-wal") } && paths.contains { $0.hasSuffix(".clean") })
        for path in paths {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(path)")
        }
        withExtendedLifetime(member) {}
    }

    @Test func `the permissions of a library of an earlier version are restricted when it is opened`() throws {
        let path = try filled("library").folder
        let names = ["", "/tracks.sqlite", "/grid.sqlite"]
        for name in names {
            try FileManager.default.setAttributes(
                [.posixPermissions: name.isEmpty ? 0o755 : 0o644], ofItemAtPath: path + name)
        }
        let library = try Library(folder: path)
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(name)")
        }
        withExtendedLifetime(library) {}
    }

    // MARK: Missing tracks

    @Test func `no new library is created beside the grid of a library whose tracks are missing`() throws {
        let path: String
        do {
            let library = try filled("library")
            try library.catchUp()
            path = library.folder
        }
        let tracks = try #require(try AtomicFile.read(path + "/tracks.sqlite"))
        for isEmpty in [false, true] {
            try AtomicFile.remove(path + "/tracks.sqlite")
            if isEmpty { try AtomicFile.write([], to: path + "/tracks.sqlite") }
            let error = #expect(throws: LibraryError.self) { try Library(folder: path) }
            #expect(error?.description.contains("delete grid.sqlite to create a new library") == true)
            #expect(throws: LibraryError.self) { try Library.existsWithTracks(in: path) }
            #expect((FileStatus.ifExists(of: path + "/tracks.sqlite")?.byteCount ?? 0) == 0)
        }
        try AtomicFile.write(tracks, to: path + "/tracks.sqlite")
        #expect(try Library(folder: path).gridIsCurrent())
        try AtomicFile.remove(path + "/tracks.sqlite")
        try AtomicFile.remove(path + "/grid.sqlite")
        #expect(try Library(folder: path).database.totals().tracks == 0)
    }

    @Test func `an empty library that was served can be created again`() throws {
        let path = "\(folder.path)/empty"
        _ = try Library(folder: path).catchUp()
        for name in ["", "-wal", "-shm"] { try AtomicFile.remove(path + "/tracks.sqlite" + name) }
        #expect(try Library(folder: path).database.totals().tracks == 0)
    }
}
