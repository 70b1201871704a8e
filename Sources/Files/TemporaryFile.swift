internal import Glibc

/// A file without a name; the system removes it when the object is released or the process ends.
///
/// May be used on any thread, but by one at a time.
public final class TemporaryFile: Sendable {
    private let descriptor: Descriptor
    /// Linux's `O_TMPFILE`, which is not imported into Swift.
    private static let anonymousFlag: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Creates a file on the disk of `folder`, by default the system's folder for temporary files.
    public init(in folder: String? = nil) throws(FileError) {
        let folder = folder ?? TemporaryFolder.systemFolder
        do {
            descriptor = try Descriptor(opening: folder, Self.anonymousFlag | O_RDWR)
        } catch {
            // Older network file systems do not support files without names: create a file and remove its name at once.
            guard error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL else { throw error }
            let path = folder + "/.\(getpid())-\(UInt64.random(in: 0...UInt64.max)).part"
            descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL)
            try AtomicFile.remove(path)
        }
    }

    /// A path under which this process can open the file again, from its beginning, while the object is held.
    public var path: String { "/proc/self/fd/\(descriptor.number)" }

    /// Appends bytes.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }
}
