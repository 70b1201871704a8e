internal import Glibc

/// A new file that grows at its end, and can be pressed onto the disk.
///
/// One thread uses it at a time.
public final class AppendLog {
    /// The file.
    public let path: String
    /// How many bytes it has.
    public private(set) var byteCount = 0
    private let descriptor: Descriptor

    /// Makes the file, which must not be there; its name survives a loss of power. Only its owner may read it.
    public init(new path: String) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
        self.path = path
        try AtomicFile.synchroniseFolder(of: path)
    }

    /// Adds bytes; where that fails, some of them may have been added.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
        byteCount += bytes.count
    }

    /// Returns when all that was added survives a loss of power.
    public func synchronise() throws(FileError) {
        guard fdatasync(descriptor.number) == 0 else { throw FileError("synchronise", path) }
    }
}
