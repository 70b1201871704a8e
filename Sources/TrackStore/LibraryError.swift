public import Files
public import SQLite

/// What keeps a library from being opened or read; one sentence: where: what; what to do.
public enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// A newer tileserve wrote the file.
    case newerVersion(path: String, version: Int64)
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

    public var description: String {
        switch self {
        case .newerVersion(let path, let version):
            "\(path): was written by a newer tileserve; this one reads up to version \(TruthSchema.version), "
                + "the file has \(version): install the newer one"
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
