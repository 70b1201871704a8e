internal import Glibc

/// A file that this object alone holds (`flock`), among all processes and within this one; let go when the object goes,
/// however the process ends.
public final class LockFile: Sendable {
    /// The file.
    public let path: String
    private let descriptor: Descriptor

    private init(path: String, descriptor: consuming Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes the lock, making the file where it is not there; nil where somebody holds it.
    public static func take(_ path: String) throws(FileError) -> LockFile? {
        while true {
            let descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT)
            guard try lock(descriptor, LOCK_EX | LOCK_NB) else { return nil }
            // Between opening and locking somebody may have removed the file: then the lock is on nothing.
            if let standing = FileStatus.ifAny(of: path), try descriptor.facts().identity == standing.identity {
                return LockFile(path: path, descriptor: descriptor)
            }
        }
    }

    /// Takes the lock, waiting for whoever holds it.
    public static func wait(for path: String) throws(FileError) -> LockFile {
        while true {
            let descriptor = try Descriptor(opening: path, O_RDWR | O_CREAT)
            _ = try lock(descriptor, LOCK_EX)
            if let standing = FileStatus.ifAny(of: path), try descriptor.facts().identity == standing.identity {
                return LockFile(path: path, descriptor: descriptor)
            }
        }
    }

    /// Whether somebody holds the lock; false where there is no file.
    public static func isHeld(_ path: String) throws(FileError) -> Bool {
        guard FileStatus.ifAny(of: path) != nil else { return false }
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
