internal import Glibc

/// A new file that is only appended to, and can be flushed to disk.
///
/// Not thread-safe.
public final class AppendLog {
    public let path: String
    public private(set) var byteCount = 0
    private let descriptor: Descriptor

    /// Creates the file, which must not exist; its name survives a power failure. Only its owner may read it.
    public init(new path: String) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
        self.path = path
        try Descriptor.flushFolder(of: path)
    }

    /// Appends bytes; if that fails, some of them may have been written.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
        byteCount += bytes.count
    }

    /// Calls fdatasync: when it returns, everything appended survives a power failure. Unlike fsync it does not write
    /// the time of the last change, but it does write the size.
    public func flushToDisk() throws(FileError) {
        guard fdatasync(descriptor.number) == 0 else { throw FileError("fsync", path) }
    }
}
