import Files
import Testing

@Suite struct UnnamedFileTests {
    @Test func `an unnamed file is in no folder, is read from its beginning, and is removed with its object`() throws {
        let folder = try TemporaryFolder()
        var file: TemporaryFile? = try TemporaryFile(in: folder.path)
        let path = try #require(file).path
        try file?.append([1, 2])
        try file?.append([3])
        #expect(try Folder.entries(of: folder.path).isEmpty)
        #expect(try AtomicFile.read(path) == [1, 2, 3])
        #expect(try AtomicFile.read(path) == [1, 2, 3])
        file = nil
        // The descriptor's number may already be used by another file.
        #expect((try? AtomicFile.read(path)) != [1, 2, 3])
    }

    @Test func `a missing folder is reported`() {
        let error = #expect(throws: FileError.self) { try TemporaryFile(in: "/nonexistent/folder") }
        #expect(error?.isMissing == true)
    }
}
