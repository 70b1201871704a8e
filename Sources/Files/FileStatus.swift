internal import Glibc

/// The status of a file (`stat`).
public struct FileStatus: Sendable, Equatable {
    public enum Kind: Sendable {
        /// A regular file.
        case file
        case folder
        /// A pipe, socket or device.
        case other
    }

    /// Identifies a file independently of its path.
    public struct Identity: Hashable, Sendable {
        /// The device number.
        public let device: UInt64
        /// The inode number.
        public let number: UInt64
    }

    public let kind: Kind
    /// Identifies the file independently of its path.
    public let identity: Identity
    public let byteCount: Int64
    /// The time of the last change, in nanoseconds since 1970.
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

    /// Clamps the time: a file may have any, and 64-bit nanoseconds end in 2262.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, isFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFarther) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isFar || isFarther ? (time.tv_sec < 0 ? .min : .max) : sum
    }

    /// The status of a path; symbolic links are followed.
    public init(of path: String) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(AT_FDCWD, FileName.systemPath(path), &status, 0) == 0 else {
            throw FileError("stat", path)
        }
        self.init(status)
    }

    /// The status of a path; nil if it does not exist or cannot be read.
    public static func ifExists(of path: String) -> FileStatus? {
        try? FileStatus(of: path)
    }
}
