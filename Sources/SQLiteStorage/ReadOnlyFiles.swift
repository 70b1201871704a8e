internal import Files
internal import SQLite

/// A library in a folder that this process cannot write to: on a read-only disk, or owned by another user.
enum ReadOnlyFiles {
    /// Whether the library in a folder is read-only.
    static func isReadOnly(_ folder: String) -> Bool {
        let database = folder + "/tracks.sqlite"
        guard FileStatus.ifExists(of: database) != nil else { return false }
        return !FileStatus.isWritable(folder) || !FileStatus.isWritable(database)
    }

    /// The smallest size of a WAL index (https://www.sqlite.org/walformat.html); on a full disk a shorter one may be
    /// left.
    private static let indexBytes: Int64 = 32_768

    /// The options with which a database can be opened now. If it is in use, or was left by a killed process, there is
    /// a WAL. Its index cannot be created in a read-only folder; SQLite then requires the database to be opened as
    /// immutable.
    static func options(_ path: String) -> OpenOptions {
        guard let log = FileStatus.ifExists(of: path + "-wal") else { return OpenOptions(mode: .immutable) }
        let index = FileStatus.ifExists(of: path + "-shm")?.byteCount ?? 0
        if index >= indexBytes { return OpenOptions(mode: .readOnly) }
        return OpenOptions(mode: log.byteCount > 0 ? .immutableWithWAL : .immutable)
    }

    /// A number that changes whenever the files of a database change.
    static func version(_ path: String) -> Int64 {
        // A database that is opened as immutable does not notice changes by other processes, so the files are compared.
        ["", "-wal"].reduce(0) { version, suffix in
            guard let fileStatus = FileStatus.ifExists(of: path + suffix) else { return version &* 31 }
            return version &* 31 &+ fileStatus.modifiedNanoseconds &+ fileStatus.byteCount
        }
    }
}
