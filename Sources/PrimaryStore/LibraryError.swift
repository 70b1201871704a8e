public import Database
public import Files

/// Why a library cannot be opened or read, as one sentence: where: what; what to do.
public enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// A newer tileserve wrote the file.
    case newerVersion(path: String, version: Int64)
    /// An older tileserve wrote the file, and it cannot be upgraded here.
    case olderVersion(path: String)
    /// A copy of another library that was interrupted.
    case incomplete(path: String)
    /// The library is read-only.
    case readOnly(path: String)
    /// There is a grid, but the tracks from which it was built are missing.
    case tracksMissing(path: String)
    /// The grid is damaged.
    case gridDamaged(path: String, what: String)
    /// The file is not a database of tileserve.
    case notALibrary(path: String)
    /// There is no library in the folder.
    case missing(path: String)
    /// The file or some of its content is damaged.
    case damaged(path: String, what: String)
    /// An operation on a file failed.
    case file(FileError)
    /// An operation of the database failed.
    case database(path: String, StoreError)

    /// Whether the disk is full or has failed.
    public var isDiskError: Bool {
        switch self {
        case .file(let error): error.isDiskError
        case .database(_, let error): error.kind == .disk
        default: false
        }
    }

    /// Whether the same would fail with other data, too: the database is in use, or the disk is full or has failed.
    package var concernsAllData: Bool {
        if case .database(_, let error) = self, error.kind == .busy || error.kind == .cannotOpen { return true }
        return isDiskError
    }

    public var description: String {
        switch self {
        case .newerVersion(let path, let version):
            "\(path): was written by a newer tileserve; this one reads up to version \(LibraryTables.tracksVersion), "
                + "the file has \(version): install the newer one"
        case .olderVersion(let path):
            "\(path): was written by an older tileserve and has to be upgraded; open it once where it can be "
                + "written to, as with `tileserve verify`"
        case .incomplete(let path):
            "\(path): is an incomplete copy of a library; run `tileserve migrate` again, which begins anew, or delete it"
        case .readOnly(let path):
            "\(path): is read-only; check its permissions, and whether its disk is mounted read-only"
        case .tracksMissing(let path):
            "\(path): is missing, but grid.sqlite beside it was built from its tracks; restore it from a backup, or delete "
                + "grid.sqlite to create a new library"
        case .gridDamaged(let path, let what):
            "\(path): was damaged (\(what)); it is rebuilt from the tracks"
        case .notALibrary(let path):
            "\(path): is not a database of tileserve; use another folder for the library, or move the file away"
        case .missing(let path):
            "\(path): there is no library; import something first, or name another folder with --library"
        case .damaged(let path, let what):
            "\(path): \(what); restore a backup, or run `tileserve verify`"
        case .file(let error):
            error.description
        case .database(let path, let error):
            "\(path): \(error.description); \(error.advice)"
        }
    }
}

extension LibraryError {
    /// Runs `body` and converts errors of files to `LibraryError`.
    package static func mappingFiles<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileError {
            throw LibraryError.file(error)
        }
    }
}
