internal import Files
internal import Locking
internal import SQLite

/// A library in a place that this process cannot write to: a read-only disk, or a folder of somebody else's.
enum ReadOnlyFiles {
    /// Whether the library in a folder can only be read.
    static func isReadOnly(_ folder: String) -> Bool {
        let database = folder + "/tracks.sqlite"
        guard FileStatus.ifAny(of: database) != nil else { return false }
        return !FileStatus.isWritable(folder) || !FileStatus.isWritable(database)
    }

    /// The smallest index of a log of writes (https://www.sqlite.org/walformat.html); on a full disk a shorter one may be left.
    private static let indexBytes: Int64 = 32_768

    /// How a database there is opened now. Beside one that is in use, or was left by a killed process, stands a log of writes; its
    /// index cannot be made there, and SQLite then asks to be told that nobody writes.
    static func options(_ path: String) -> OpenOptions {
        guard let log = FileStatus.ifAny(of: path + "-wal") else { return OpenOptions(mode: .immutable) }
        let index = FileStatus.ifAny(of: path + "-shm")?.byteCount ?? 0
        if index >= indexBytes { return OpenOptions(mode: .readOnly) }
        return OpenOptions(mode: log.byteCount > 0 ? .immutableWithLog : .immutable)
    }

    /// Another number whenever the files of a database are others.
    static func version(_ path: String) -> Int64 {
        ["", "-wal"].reduce(0) { version, suffix in
            guard let facts = FileStatus.ifAny(of: path + suffix) else { return version &* 31 }
            return version &* 31 &+ facts.modifiedNanoseconds &+ facts.byteCount
        }
    }
}

/// Readers of a database that others may change, though this process cannot.
struct ReadOnlyReaders: Sendable {
    let path: String
    let pool: ReaderPool
    private let version = Locked<Int64?>(nil)

    init(path: String) {
        self.path = path
        pool = ReaderPool(path: path) { ReadOnlyFiles.options(path) }
    }

    /// Lets go of connections that were opened before the files changed.
    func look() {
        let now = ReadOnlyFiles.version(path)
        let isOther = version.withLock { version in
            defer { version = now }
            return version != now
        }
        if isOther { pool.closeIdle() }
    }
}
