internal import Glibc

/// A failed operation on a file.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String
    /// What was attempted (`open`, `write`).
    public let operation: String
    /// The system's `errno`.
    public let code: Int32

    init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.path = path
        self.operation = operation
        self.code = code
    }

    /// The file, or a folder of its path, does not exist.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// Permission denied, or a read-only file system.
    public var isPermissionDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// The disk is full or has an I/O error.
    public var isDiskError: Bool { isFull || code == EIO }
    /// The disk is full, or a quota or the maximum file size is exceeded.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// Waiting for bytes was stopped.
    public var isCancelled: Bool { code == ECANCELED }

    /// The system's error message.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `ride.gpx: cannot open: No such file or directory`.
    public var description: String { "\(FileName.shown(path)): cannot \(operation): \(reason)" }
}
