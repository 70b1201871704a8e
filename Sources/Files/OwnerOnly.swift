internal import Glibc

/// Makes files and folders readable by their owner only.
///
/// Uses paths, not descriptors: closing a descriptor of an SQLite database would release the locks that this process
/// holds on it.
public enum OwnerOnly {
    /// Creates an empty file if there is none; restricts an existing one that belongs to this user.
    public static func prepareFile(_ path: String) throws(FileError) {
        let systemPath = FileName.systemPath(path)
        if unsafe mknod(systemPath, S_IFREG | FileAccess.owner.fileMode, 0) == 0 {
            guard unsafe chmod(systemPath, FileAccess.owner.fileMode) == 0 else {
                throw FileError("change the permissions of", path)
            }
            return try Descriptor.flushFolder(of: path)
        }
        guard errno == EEXIST else { throw FileError("create", path) }
        restrict(path)
    }

    /// Same as `prepareFile`, also for the files that SQLite keeps beside a database (`-wal`, `-shm`).
    public static func prepareDatabase(_ path: String) throws(FileError) {
        try prepareFile(path)
        // SQLite creates these with the permissions of the database.
        for suffix in ["-wal", "-shm"] { restrict(path + suffix) }
    }

    /// Removes the permissions of group and others from a file or folder of this user. Another user's, a missing one,
    /// and a folder with the sticky bit (`/tmp`) are left unchanged.
    public static func restrict(_ path: String) {
        var status = stat()
        let systemPath = FileName.systemPath(path)
        guard unsafe fstatat(AT_FDCWD, systemPath, &status, 0) == 0, status.st_uid == geteuid() else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR, status.st_mode & 0o077 != 0, status.st_mode & S_ISVTX == 0 else {
            return
        }
        // Fails on a file system without permissions, where there is nothing to remove.
        _ = unsafe chmod(systemPath, status.st_mode & 0o700)
    }
}
