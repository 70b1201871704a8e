internal import Glibc

/// Who may read a new file or folder.
public enum FileAccess: Sendable {
    /// Only its owner, whatever the umask is.
    case owner
    /// Its owner and group, as far as the umask permits.
    case group
    /// Everybody, as far as the umask permits.
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

extension FileStatus {
    /// Whether this process may write to a file, or create files in a folder; false if it does not exist.
    public static func isWritable(_ path: String) -> Bool {
        unsafe faccessat(AT_FDCWD, FileName.systemPath(path), W_OK, AT_EACCESS) == 0
    }
}
