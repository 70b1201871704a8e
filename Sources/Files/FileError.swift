internal import Glibc

/// What the system refused to do with a file.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What was tried (`open`, `write`).
    public let operation: String
    /// The system's number for what is wrong.
    public let code: Int32

    init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.path = path
        self.operation = operation
        self.code = code
    }

    /// The file, or a folder on the way to it, is not there.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// No right to it.
    public var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// The disk is full, or failed.
    public var isDisk: Bool { isFull || code == EIO }
    /// The disk is full, or a limit of space or of a file's size is met.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// It is a folder where a file was wanted.
    public var isFolder: Bool { code == EISDIR }

    /// The system's sentence.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `ride.gpx: cannot open: No such file or directory`.
    public var description: String { "\(path): cannot \(operation): \(reason)" }
}
