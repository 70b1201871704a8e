public import Files
public import SQLite

/// What keeps a library from being opened or read; one sentence: where: what; what to do.
public enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// A newer tileserve wrote the file.
    case newerVersion(path: String, version: Int64)
    /// An older tileserve wrote the file, which cannot be brought to today's version here.
    case olderVersion(path: String)
    /// The library can only be read.
    case readOnly(path: String)
    /// There is a grid without the tracks that it was made from.
    case tracksMissing(path: String)
    /// The grid is damaged.
    case gridDamaged(path: String, what: String)
    /// The file is a database, or none, of something else.
    case notOurs(path: String)
    /// There is no library.
    case missing(path: String)
    /// The file is damaged, or something that it holds.
    case damaged(path: String, what: String)
    /// The system refused.
    case file(FileError)
    /// SQLite refused.
    case database(path: String, SQLiteError)

    /// Whether the disk is full, or failed.
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
