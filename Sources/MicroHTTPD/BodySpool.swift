import Dispatch
import Files
import Glibc
import HTTPCore
import Locking

/// Where bodies go that are taken on the disk: away from the queue that listens.
final class BodyDisk: Sendable {
    private let folder: String?
    /// One after the other: there is one disk.
    private let queue = DispatchQueue(label: "tileserve.bodies", qos: .utility)

    /// Bodies go to the disk of `folder`, or to the system's place for temporary files.
    init(folder: String?) {
        self.folder = folder
    }

    /// Whether the disk has no room for so many bytes more, as far as the system tells.
    func lacksRoom(for byteCount: UInt64) -> Bool {
        var facts = statvfs()
        guard unsafe statvfs(folder ?? "/tmp", &facts) == 0 else { return false }
        let (free, isMore) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return !isMore && free < byteCount
    }

    /// Writes bytes behind those that `spool` has, and calls `done` on the disk's queue.
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

/// A body on the disk while it comes.
final class BodySpool: Sendable {
    private let file = Locked<TemporaryFile?>(nil)

    fileprivate func append(_ bytes: [UInt8], in folder: String?) throws(FileError) {
        let known = file.withLock { $0 }
        let file = if let known { known } else { try TemporaryFile(in: folder) }
        if known == nil { self.file.withLock { $0 = file } }
        try file.append(bytes)
    }

    /// The body, when `byteCount` bytes have been written; nil where none have.
    func body(byteCount: Int) -> SpooledBody? {
        file.withLock { $0 }.map { SpooledBody(path: $0.path, byteCount: byteCount, file: $0) }
    }
}
