internal import Glibc

/// Who may read what is made.
public enum FileAccess: Sendable {
    /// Its owner alone, whatever the process's umask is.
    case owner
    /// Its owner and his group, as far as the umask admits them.
    case group
    /// Everybody, as far as the umask admits them.
    case shared

    var fileMode: mode_t {
        switch self {
        case .owner: 0o600
        case .group: 0o640
        case .shared: 0o644
        }
    }

    var folderMode: mode_t {
        switch self {
        case .owner: 0o700
        case .group: 0o750
        case .shared: 0o755
        }
    }
}

/// Files and folders that only their owner may read.
///
/// By their paths alone: to open and close a database of SQLite's would release the locks that this process holds on it.
public enum OwnerOnly {
    /// Makes an empty file unless there is one; one that is there and this user's is tightened.
    public static func prepareFile(_ path: String) throws(FileError) {
        if unsafe mknod(path, S_IFREG | FileAccess.owner.fileMode, 0) == 0 {
            guard unsafe chmod(path, FileAccess.owner.fileMode) == 0 else { throw FileError("change", path) }
            return try AtomicFile.synchroniseFolder(of: path)
        }
        guard errno == EEXIST else { throw FileError("make", path) }
        tighten(path)
    }

    /// Makes an empty file unless there is one, with the files that SQLite keeps beside it, and tightens those there are.
    public static func prepareDatabase(_ path: String) throws(FileError) {
        try prepareFile(path)
        // SQLite gives these the rights of the database when it makes them.
        for suffix in ["-wal", "-shm"] { tighten(path + suffix) }
    }

    /// Takes the rights of group and others from a file or folder of this user's. What is somebody else's, is not there, or
    /// is a folder that everybody writes to stays as it is.
    public static func tighten(_ path: String) {
        var status = stat()
        guard unsafe fstatat(AT_FDCWD, path, &status, 0) == 0, status.st_uid == geteuid() else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR, status.st_mode & 0o077 != 0, status.st_mode & S_ISVTX == 0 else {
            return
        }
        // A file system without rights refuses, and has none to take.
        _ = unsafe chmod(path, status.st_mode & 0o700)
    }
}

extension FileStatus {
    /// Whether this process may write to a file, or make files in a folder; false where it is not there.
    public static func isWritable(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }
}
