internal import Glibc

/// Writes bytes to the end of a file, or to a standard stream.
///
/// Not thread-safe.
public final class FileSink {
    private let descriptor: Descriptor

    /// Opens a file for appending, creating it if necessary; only its owner and group may read it.
    public init(appendingTo path: String) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, access: .group)
    }

    /// Opens the standard output.
    public init(standardOutput: ()) throws(FileError) {
        descriptor = try Descriptor(duplicating: STDOUT_FILENO, path: "standard output")
    }

    /// Opens the standard error.
    public init(standardError: ()) throws(FileError) {
        descriptor = try Descriptor(duplicating: STDERR_FILENO, path: "standard error")
    }

    /// Writes all of the bytes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try descriptor.write(bytes)
    }
}

extension FileError {
    /// The reader of the pipe has closed it.
    public var isClosedPipe: Bool { code == EPIPE }
}
