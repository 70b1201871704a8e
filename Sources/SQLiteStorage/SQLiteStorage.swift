public import Database
internal import Files
internal import SQLite

/// A library in a folder: `tracks.sqlite`, `grid.sqlite`, and the other files beside them.
public struct SQLiteStorage: LibraryStorage {
    public let folder: String
    /// Keeps a temporary folder while it is used.
    private let temporary: TemporaryFolder?

    public init(folder: String) {
        self.folder = folder
        temporary = nil
    }

    private init(_ temporary: TemporaryFolder) {
        folder = temporary.path
        self.temporary = temporary
    }

    public var isReadOnly: Bool { ReadOnlyFiles.isReadOnly(folder) }

    public var shared: (any SharedDatabase)? { nil }

    public var jobs: (any JobTable)? { nil }

    public func name(of kind: DatabaseKind) -> String {
        switch kind {
        case .tracks: folder + "/tracks.sqlite"
        case .grid: folder + "/grid.sqlite"
        }
    }

    public func exists(_ kind: DatabaseKind) -> Bool {
        FileStatus.ifExists(of: name(of: kind)) != nil
    }

    public func hasContent(_ kind: DatabaseKind) -> Bool {
        FileStatus.ifExists(of: name(of: kind)).map { $0.byteCount > 0 } ?? false
    }

    public func hasRemains(_ kind: DatabaseKind) -> Bool {
        FileStatus.ifExists(of: name(of: kind) + "-wal").map { $0.byteCount > 0 } ?? false
    }

    public func byteCount(_ kind: DatabaseKind) -> Int64 {
        // The WAL is a separate file beside the database.
        ["", "-wal"].reduce(0) { $0 + (FileStatus.ifExists(of: name(of: kind) + $1)?.byteCount ?? 0) }
    }

    /// Writes a database as it is at one moment to a new file, without what is left of deleted rows. Nothing is changed, and
    /// writers do not wait. The file is one of SQLite, with a journal as its mode until it is opened as a database of a library.
    package func copy(_ kind: DatabaseKind, to path: String) throws {
        let source = name(of: kind)
        var options = isReadOnly ? ReadOnlyFiles.options(source) : OpenOptions(mode: .readOnly)
        options.cacheBytes = 64 << 20
        try Connection(path: source, options: options).run("VACUUM INTO $1", [.text(path)])
    }

    public func database(_ kind: DatabaseKind, isReadOnly: Bool) throws -> any Database {
        let path = name(of: kind)
        switch kind {
        case .tracks:
            if !isReadOnly {
                try Folder.make(folder, access: .owner)
                try OwnerOnly.prepareDatabase(path)
                LibraryFolder.restrict(folder)
            }
            var options = Self.trackOptions
            // After a crash, nobody uses temporary storage.
            if temporary != nil { options.durability = .off }
            return SQLiteDatabase(
                path: path, folder: folder, TrackTables.definition, options: options, isReadOnly: isReadOnly)
        case .grid:
            return SQLiteDatabase(
                path: path, folder: folder, GridTables.definition, options: Self.gridOptions, isReadOnly: isReadOnly)
        }
    }

    private static let trackOptions = {
        var options = OpenOptions(mode: .create)
        options.secureDelete = true
        options.cacheBytes = 16 << 20
        // Fewer, larger checkpoints: each one waits for the disk twice.
        options.checkpointPages = 4000
        options.summedTables = TrackTables.summed
        return options
    }()

    private static let gridOptions = {
        var options = OpenOptions(mode: .create)
        // What is lost in a power failure is rebuilt from the primary store.
        options.durability = .normal
        // Removed data must not remain readable in the file.
        options.secureDelete = true
        options.pageBytes = 8192
        options.cacheBytes = 64 << 20
        // While a large grid is filled for the first time, others cannot read it: see `Database.fill`.
        options.busyMilliseconds = 600_000
        options.summedTables = GridTables.definition.summed
        return options
    }()

    public func pictureTables() -> (any PictureTables)? {
        nil
    }

    public func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase {
        try TemporaryDatabaseFile(table, below: folder)
    }

    /// A database for temporary data, in the system's folder for temporary files.
    package static func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase {
        try TemporaryDatabaseFile(table, below: nil)
    }

    /// Empty storage in the system's folder for temporary files, deleted when it is no longer used.
    package static func temporary() throws -> any LibraryStorage {
        SQLiteStorage(try TemporaryFolder())
    }

    public func temporaryStorage() throws -> any LibraryStorage {
        try Self.temporary()
    }
}
