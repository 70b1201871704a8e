internal import Glibc

/// A file that is read at any offset, by any number of threads at once; one thread at a time may append to it.
public final class RandomAccessFile: Sendable {
    public let path: String
    private let descriptor: Descriptor

    /// Opens a file for reading; fails for a folder.
    public init(reading path: String) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_RDONLY)
        self.path = path
        guard try descriptor.fileStatus().kind != .folder else { throw FileError("read", path, code: EISDIR) }
    }

    /// Opens a file for reading and appending; creates it if it does not exist.
    public init(appendingTo path: String, access: FileAccess = .owner) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT | O_APPEND, access: access)
        self.path = path
    }

    /// The number of bytes, as it is now.
    public var byteCount: Int64 {
        get throws(FileError) { try descriptor.fileStatus().byteCount }
    }

    /// `count` bytes from `offset` on; fewer at the end of the file.
    public func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        precondition(offset >= 0 && count >= 0, "an offset and a count are not negative")
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = unsafe pread(
                    descriptor.number, buffer.baseAddress?.advanced(by: filled), count - filled,
                    off_t(offset) + off_t(filled))
                if got == 0 { break }
                if got < 0 {
                    if errno == EINTR { continue }
                    code = errno
                    break
                }
                filled += got
            }
        }
        guard code == 0 else { throw FileError("read", path, code: code) }
        return bytes
    }

    /// Appends bytes; if that fails, some of them may have been written.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }

    /// Cuts the file after `count` bytes.
    public func truncate(to count: Int64) throws(FileError) {
        guard ftruncate(descriptor.number, off_t(count)) == 0 else { throw FileError("truncate", path) }
    }
}
