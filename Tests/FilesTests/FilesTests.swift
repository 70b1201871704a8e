import Files
import Glibc
import Testing

struct FilesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `A written file contains the bytes, and no temporary file is left`() throws {
        let path = folder.path + "/a"
        for bytes in [[1, 2, 3], [], Array(repeating: UInt8(7), count: 1_000_000)] as [[UInt8]] {
            try AtomicFile.write(bytes, to: path)
            #expect(try AtomicFile.read(path) == bytes)
        }
        #expect(try Folder.entries(of: folder.path).map(\.path) == [path])
    }

    @Test func `A write to a missing folder is reported`() throws {
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: folder.path + "/no/a") }
        #expect(error?.isMissing == true)
    }

    @Test func `A source gives all bytes in blocks`() throws {
        let path = folder.path + "/a"
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try AtomicFile.write(bytes, to: path, durability: .cached)
        let source = try FileSource(path: path)
        #expect(source.fileStatus.byteCount == 700_000)
        var got: [UInt8] = []
        while true {
            let block = try source.read(upTo: 65_536)
            if block.isEmpty { break }
            #expect(block.count <= 65_536)
            got += block
        }
        #expect(got == bytes)
        #expect(source.position == 700_000)
        #expect(try AtomicFile.read(path, limit: 699_999) == nil)
    }

    @Test func `A folder cannot be read as a file`() throws {
        let error = #expect(throws: FileError.self) { try FileSource(path: folder.path) }
        #expect(error?.code == EISDIR)
    }

    @Test func `Folders are walked in the byte order of names`() throws {
        try Folder.make(folder.path + "/b/c/d")
        for name in ["b/c/d/z", "b/Z", "b/a", "a", "é"] { try AtomicFile.write([], to: folder.path + "/" + name) }
        var seen: [String] = []
        try Folder.walk(folder.path) { seen.append(String($0.dropFirst(folder.path.count + 1))) }
        #expect(seen == ["a", "b/Z", "b/a", "b/c/d/z", "é"])
    }

    @Test func `Names that are not UTF-8 stay different, can be read, and are shown with a replacement`() throws {
        let paths = [-1, -2, -61].map { byte in
            "\(folder.path)/no\u{1}text".utf8CString.map { $0 == 1 ? CChar(byte) : $0 }
        }
        for (index, path) in paths.enumerated() {
            let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
            #expect(unsafe write(descriptor, [UInt8](repeating: 7, count: index + 1), index + 1) == index + 1)
            #expect(close(descriptor) == 0)
        }
        var sizes: [String: Int64] = [:]
        try Folder.walk(folder.path, refused: { Issue.record("\($0)") }) {
            sizes[$0] = try FileStatus(of: $0).byteCount
            #expect(try FileSource(path: $0).read(upTo: 10).count == Int(try FileStatus(of: $0).byteCount))
        }
        #expect(sizes.values.sorted() == [1, 2, 3])
        #expect(Set(sizes.keys.map(FileName.shown)) == [folder.path + "/no\u{FFFD}text"])
        for path in paths { #expect(unsafe unlink(path) == 0) }
    }

    @Test func `Files and folders with names that are not UTF-8 are written, renamed, restricted and removed`() throws {
        let base = folder.path + "/no\u{10FFFF}text"
        try Folder.make(base + "/sub\u{10FF80}", access: .owner)
        #expect(FileStatus.isWritable(base))
        let path = base + "/file\u{10FFC3}"
        try AtomicFile.write([1, 2], to: path)
        #expect(try AtomicFile.read(path) == [1, 2])
        #expect(try Folder.entries(of: base).map(\.path) == [base + "/sub\u{10FF80}", path].sorted())
        try AtomicFile.rename(path, to: path + "2", durability: .durable)
        #expect(try AtomicFile.read(path + "2") == [1, 2])
        try OwnerOnly.prepareFile(path)
        OwnerOnly.restrict(path)
        #expect(try AtomicFile.remove(path) && FileStatus.ifExists(of: path) == nil)
        // Names of the bytes themselves, not of the characters.
        let bytes = "\(folder.path)/no\u{1}text".utf8CString.map { $0 == 1 ? CChar(-1) : $0 }
        #expect(unsafe access(bytes, F_OK) == 0)
        var temporary: TemporaryFolder? = try TemporaryFolder(in: base)
        let temporaryPath = try #require(temporary?.path)
        try AtomicFile.write([1], to: temporaryPath + "/\u{10FFFE}")
        temporary = nil
        #expect(FileStatus.ifExists(of: temporaryPath) == nil)
        try Folder.remove(base)
        #expect(try Folder.entries(of: folder.path).isEmpty)
    }

    @Test func `A temporary folder is removed with its contents`() throws {
        var temporary: TemporaryFolder? = try TemporaryFolder(in: folder.path)
        let path = try #require(temporary?.path)
        try Folder.make(path + "/x/y")
        try AtomicFile.write([1], to: path + "/x/y/z")
        temporary = nil
        #expect(FileStatus.ifExists(of: path) == nil)
    }

    @Test func `A lock has one holder and is released with its object`() throws {
        let path = folder.path + "/lock"
        #expect(try !LockFile.isHeld(path))
        var held: LockFile? = try LockFile.take(path)
        #expect(held != nil)
        #expect(try LockFile.isHeld(path))
        #expect(try LockFile.take(path) == nil)
        held = nil
        #expect(try !LockFile.isHeld(path))
        #expect(try LockFile.take(path) != nil)
    }

    @Test func `A file keeps its identity under another name`() throws {
        let path = folder.path + "/a"
        try AtomicFile.write([1], to: path)
        let before = try FileStatus(of: path)
        try AtomicFile.rename(path, to: path + "2")
        #expect(try FileStatus(of: path + "2").identity == before.identity)
        #expect(try AtomicFile.remove(path + "2"))
        #expect(try !AtomicFile.remove(path + "2"))
    }

    @Test(arguments: [Int.min / 4, -9_223_372_037, 0, 9_223_372_036, 9_223_372_037, 253_402_300_799, .max / 4])
    func `A file with any modification time can be read`(seconds: Int) throws {
        let path = folder.path + "/a"
        try AtomicFile.write([1], to: path)
        var times = [timespec(tv_sec: seconds, tv_nsec: 999_999_999), timespec(tv_sec: seconds, tv_nsec: 999_999_999)]
        // Some file systems support a smaller range of times.
        _ = unsafe utimensat(AT_FDCWD, path, &times, 0)
        #expect(try FileStatus(of: path).byteCount == 1)
    }
}
