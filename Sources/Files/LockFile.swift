internal import Glibc

/// An exclusive lock on a file (`flock`), against other processes and within this one; released by `deinit`, or by the
/// system when the process ends.
public final class LockFile: Sendable {
    public let path: String
    private let descriptor: Descriptor

    private init(path: String, descriptor: consuming Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes the lock, creating the file if necessary; nil if the lock is held.
    public static func take(_ path: String) throws(FileError) -> LockFile? {
        while true {
            let descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT)
            guard try lock(descriptor, LOCK_EX | LOCK_NB) else { return nil }
            // The file may have been removed between open and lock: then the lock has no effect, so try again.
            if let current = FileStatus.ifExists(of: path), try descriptor.fileStatus().identity == current.identity {
                return LockFile(path: path, descriptor: descriptor)
            }
        }
    }

    /// Takes the lock, waiting until it is released.
    public static func wait(for path: String) throws(FileError) -> LockFile {
        while true {
            let descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT)
            _ = try lock(descriptor, LOCK_EX)
            if let current = FileStatus.ifExists(of: path), try descriptor.fileStatus().identity == current.identity {
                return LockFile(path: path, descriptor: descriptor)
            }
        }
    }

    /// Whether the lock is held; false if the file does not exist. For a moment it takes a shared lock, during which
    /// `take` by another process finds the lock held.
    public static func isHeld(_ path: String) throws(FileError) -> Bool {
        guard FileStatus.ifExists(of: path) != nil else { return false }
        let descriptor: Descriptor
        do {
            descriptor = try Descriptor(opening: path, O_RDONLY)
        } catch {
            if error.isMissing { return false }
            throw error
        }
        return try !lock(descriptor, LOCK_SH | LOCK_NB)
    }

    private static func lock(_ descriptor: borrowing Descriptor, _ operation: Int32) throws(FileError) -> Bool {
        while true {
            if flock(descriptor.number, operation) == 0 { return true }
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw FileError("lock", descriptor.path) }
        }
    }
}
