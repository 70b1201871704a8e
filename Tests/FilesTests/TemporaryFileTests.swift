import Files
import Testing

@Suite struct UnnamedFileTests {
    @Test func `a file without name is in no folder, is read from its beginning, and ends with its object`() throws {
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

    @Test func `a folder that is missing says so`() {
        let error = #expect(throws: FileError.self) { try TemporaryFile(in: "/nonexistent/folder") }
        #expect(error?.isMissing == true)
    }
}
