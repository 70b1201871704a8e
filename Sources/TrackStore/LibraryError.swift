public import Files
public import SQLite

/// Why a library cannot be opened or read, as one sentence: where: what; what to do.
public enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// A newer tileserve wrote the file.
    case newerVersion(path: String, version: Int64)
    /// An older tileserve wrote the file, and it cannot be upgraded here.
    case olderVersion(path: String)
    /// The library is read-only.
    case readOnly(path: String)
    /// There is a grid, but the tracks from which it was built are missing.
    case tracksMissing(path: String)
    /// The grid is damaged.
    case gridDamaged(path: String, what: String)
    /// The file is not a database of tileserve.
    case notOurs(path: String)
    /// There is no library in the folder.
    case missing(path: String)
    /// The file or some of its content is damaged.
    case damaged(path: String, what: String)
    /// An operation on a file failed.
    case file(FileError)
    /// An operation of SQLite failed.
    case database(path: String, SQLiteError)

    /// Whether the disk is full or has failed.
    public var isDisk: Bool {
        switch self {
        case .file(let error): error.isDisk
        case .database(_, let error): error.isDisk
        default: false
        }
    }

    public var description: String {
        switch self {
        case .newerVersion(let path, let version):
            "\(path): was written by a newer tileserve; this one reads up to version \(TrackSchema.version), "
                + "the file has \(version): install the newer one"
        case .olderVersion(let path):
            "\(path): was written by an older tileserve, and has to be brought to this version; open it once where it can be "
                + "written to, as with `tileserve verify`"
        case .readOnly(let path):
            "\(path): can only be read; check who may write to it, or whether its disk is mounted read-only"
        case .tracksMissing(let path):
            "\(path): is missing, though grid.sqlite beside it was made from its tracks; put back a backup of it, or delete "
                + "grid.sqlite to begin a new library"
        case .gridDamaged(let path, let what):
            "\(path): was damaged (\(what)); it is made again from the tracks"
        case .notOurs(let path):
            "\(path): is no file of tileserve; give another folder as the library, or move the file away"
        case .missing(let path):
            "\(path): there is no library; import something first, or name another folder with --library"
        case .damaged(let path, let what):
            "\(path): \(what); put back a backup, or see what `tileserve verify` says"
        case .file(let error):
            error.description
        case .database(let path, let error):
            "\(path): \(error.description); \(error.isDisk ? "make room on the disk, or check it" : "check the disk")"
        }
    }
}
