import Dispatch
import Files
import Glibc
import HTTPCore
import Locking

/// Writes request bodies to disk, on a queue of its own, away from the listening queue.
final class BodySpooler: Sendable {
    private let folder: String?
    /// Serial: parallel writes to one disk gain nothing.
    private let queue = DispatchQueue(label: "tileserve.bodies", qos: .utility)

    /// Bodies are written to `folder`, or to the system's folder for temporary files if it is nil.
    init(folder: String?) {
        self.folder = folder
    }

    /// Whether the disk has less free space than `byteCount`; false if the system does not report it.
    func lacksSpace(for byteCount: UInt64) -> Bool {
        var fileSystem = statvfs()
        guard unsafe statvfs(folder ?? "/tmp", &fileSystem) == 0 else { return false }
        let (free, isMore) = UInt64(fileSystem.f_bavail).multipliedReportingOverflow(by: UInt64(fileSystem.f_frsize))
        return !isMore && free < byteCount
    }

    /// Appends bytes to `spool` and calls `done` on the disk's queue.
    func append(_ bytes: [UInt8], to spool: BodySpool, done: @escaping @Sendable (FileError?) -> Void) {
        queue.async { [folder] in
            do throws(FileError) {
                try spool.append(bytes, in: folder)
                done(nil)
            } catch {
                done(error)
            }
        }
    }
}

/// A body on disk that is still being received.
final class BodySpool: Sendable {
    private let file = Locked<TemporaryFile?>(nil)

    fileprivate func append(_ bytes: [UInt8], in folder: String?) throws(FileError) {
        let known = file.withLock { $0 }
        let file = if let known { known } else { try TemporaryFile(in: folder) }
        if known == nil { self.file.withLock { $0 = file } }
        try file.append(bytes)
    }

    /// The body once all of its `byteCount` bytes are written; nil if no bytes were written.
    func body(byteCount: Int) -> SpooledBody? {
        file.withLock { $0 }.map { SpooledBody(path: $0.path, byteCount: byteCount, file: $0) }
    }
}
