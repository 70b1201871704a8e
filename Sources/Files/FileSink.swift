internal import Glibc

/// Writes bytes at the end of a file, or to a standard stream.
///
/// One thread uses it at a time.
public final class FileSink {
    private let descriptor: Descriptor

    /// Opens a file at its end, made where it is not there; only its owner and group may read it.
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
    /// Who read the pipe has gone.
    public var isClosedPipe: Bool { code == EPIPE }
}
