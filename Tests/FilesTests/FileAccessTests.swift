import Files
import Foundation
import Testing

@Suite struct FileAccessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `files and folders are only readable by their owner unless requested otherwise`() throws {
        let path = folder.path + "/a"
        try Folder.make(path + "/b/own", access: .owner)
        try Folder.make(path + "/b/others")
        #expect(try mode(path + "/b/own") == 0o700)
        #expect(try mode(path + "/b/others") & 0o700 == 0o700)
        #expect(try mode(path + "/b") == mode(path + "/b/others"))
        try AtomicFile.write([1], to: path + "/file")
        try AtomicFile.write([1], to: path + "/shown", access: .shared)
        let lock = try #require(try LockFile.take(path + "/lock"))
        try OwnerOnly.prepareDatabase(path + "/base")
        for name in ["file", "lock", "base"] { #expect(try mode("\(path)/\(name)") == 0o600) }
        #expect(try mode(path + "/shown") != 0o600)
        withExtendedLifetime(lock) {}
    }

    @Test func `existing files are restricted and keep their content`() throws {
        let path = folder.path + "/file"
        try AtomicFile.write([1, 2, 3], to: path, access: .shared)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        try OwnerOnly.prepareFile(path)
        #expect(try mode(path) == 0o600)
        #expect(try AtomicFile.read(path) == [1, 2, 3])
        OwnerOnly.restrict(folder.path + "/nothing")
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        OwnerOnly.restrict(folder.path)
        #expect(try mode(folder.path) == 0o1777)
    }

    @Test func `parent folders are created, for paths with and without a final slash`() throws {
        for name in ["x", "y/z", "y/z/w/", "q//r"] {
            try Folder.make("\(folder.path)/\(name)")
            #expect(FileStatus.ifExists(of: "\(folder.path)/\(name)")?.kind == .folder)
            try Folder.make("\(folder.path)/\(name)")
        }
        try AtomicFile.write([], to: folder.path + "/file")
        #expect(throws: FileError.self) { try Folder.make(folder.path + "/file") }
        #expect(throws: FileError.self) { try Folder.make(folder.path + "/file/below") }
    }

    @Test func `a renamed file exists under its new name`() throws {
        try AtomicFile.write([7], to: folder.path + "/old")
        try AtomicFile.rename(folder.path + "/old", to: folder.path + "/new", durability: .durable)
        #expect(try AtomicFile.read(folder.path + "/new") == [7])
        #expect(FileStatus.ifExists(of: folder.path + "/old") == nil)
    }
}
