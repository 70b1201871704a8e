import Files
import Foundation
import Testing

struct AtomicFileTests {
    @Test("a named pipe is written to, not replaced")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        // A reader must be there before a writer can open the pipe.
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        try AtomicFile.write([1, 2, 3], to: path)
        #expect(FileStatus.ifExists(of: path)?.kind == .other)
        let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: false)
        #expect(try handle.read(upToCount: 3) == Data([1, 2, 3]))
    }
}
