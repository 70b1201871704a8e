internal import Glibc

/// A file without a name, gone when the object goes, however the process ends.
///
/// Any thread may use it, one at a time.
public final class TemporaryFile: Sendable {
    private let descriptor: Descriptor
    /// Linux's flag for such files, which Swift does not see.
    private static let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Makes one on the disk of `folder` (the system's place for temporary files, unless said).
    public init(in folder: String? = nil) throws(FileError) {
        let folder = folder ?? TemporaryFolder.systemFolder
        do {
            descriptor = try Descriptor(opening: folder, Self.withoutName | O_RDWR)
        } catch {
            // Older network file systems know no files without names: this one had one for a moment.
            guard error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL else { throw error }
            let path = folder + "/.\(getpid())-\(UInt64.random(in: 0...UInt64.max)).part"
            descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL)
            try AtomicFile.remove(path)
        }
    }

    /// Where this process can open it again, to be read from its beginning, while the object is held.
    public var path: String { "/proc/self/fd/\(descriptor.number)" }

    /// Adds bytes at its end.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }
}
