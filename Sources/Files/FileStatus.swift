internal import Glibc

/// What the system knows of a file.
public struct FileStatus: Sendable, Equatable {
    /// What stands at a path.
    public enum Kind: Sendable {
        /// A file with bytes.
        case file
        /// A folder.
        case folder
        /// A pipe, socket or device.
        case other
    }

    /// Which file it is, whatever its path.
    public struct Identity: Hashable, Sendable {
        /// The disk.
        public let device: UInt64
        /// The file's number on it.
        public let number: UInt64
    }

    /// File, folder or other.
    public let kind: Kind
    /// Which file it is, whatever its path.
    public let identity: Identity
    /// How many bytes it has.
    public let byteCount: Int64
    /// When it was changed last, in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        byteCount = Int64(status.st_size)
        modifiedNanoseconds = Self.nanoseconds(status.st_mtim)
    }

    /// Whoever writes a file may give it any time; what is beyond the year 2262 counts as that.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFarther) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isFar || isFarther ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// What stands at a path, symbolic links followed.
    public init(of path: String) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(AT_FDCWD, path, &status, 0) == 0 else { throw FileError("find", path) }
        self.init(status)
    }

    /// What stands at a path; nil where nothing does, or it cannot be looked at.
    public static func ifAny(of path: String) -> FileStatus? {
        try? FileStatus(of: path)
    }
}
