public import Database
internal import PostgreSQLStorage
internal import SQLiteStorage

/// Libraries in folders.
extension Library {
    /// Opens or creates the library in a folder; `zoneIfNew` is the IANA name of the time zone of a new library.
    ///
    /// It is opened read-only if `isReadOnly` is true, or if it is nil and this process cannot write to the folder.
    public convenience init(
        folder: String, zoneIfNew: @autoclosure @Sendable () -> String = "UTC", isReadOnly: Bool? = nil
    )
        throws
    {
        let storage = try Self.storage(in: folder)
        try self.init(
            storage, coordination: .shared(by: storage, folder: folder), zoneIfNew: zoneIfNew(),
            isReadOnly: isReadOnly)
    }

    /// The same, with another coordination of its processes.
    package convenience init(
        folder: String, zoneIfNew: @autoclosure @Sendable () -> String, isReadOnly: Bool?,
        coordination: LibraryCoordination
    ) throws {
        try self.init(
            try Self.storage(in: folder), coordination: coordination, zoneIfNew: zoneIfNew(), isReadOnly: isReadOnly)
    }

    /// Names the library in a folder in messages: the folder, or the URI of its databases without a password.
    public static func name(in folder: String) throws -> String {
        try sharedDatabase(in: folder)?.name ?? folder
    }

    /// What the processes of the library in a folder share in its database; nil if they share files of the folder.
    public static func sharedDatabase(in folder: String) throws -> (any SharedDatabase)? {
        try storage(in: folder).shared
    }

    /// Whether there is a library in the folder.
    ///
    /// Throws if there was one whose tracks are missing.
    public static func existsWithTracks(in folder: String) throws -> Bool {
        try checkTracksExist(storage(in: folder))
        return exists(in: folder)
    }

    /// Whether the database of the tracks exists in the folder.
    public static func exists(in folder: String) -> Bool {
        // Where the location cannot be read, opening the library says why.
        (try? storage(in: folder))?.exists(.tracks) ?? true
    }

    /// The one place where a folder becomes the storage of a library.
    static func storage(in folder: String) throws -> any LibraryStorage {
        try FolderStorage.current.open(folder)
    }
}

/// What a folder becomes.
package struct FolderStorage: Sendable {
    let open: @Sendable (String) throws -> any LibraryStorage

    @TaskLocal fileprivate static var current = FolderStorage { folder in
        if let location = try ServerLocation.location(in: folder) { return PostgreSQLStorage(location) }
        return SQLiteStorage(folder: folder)
    }

    package init(_ open: @escaping @Sendable (String) throws -> any LibraryStorage) {
        self.open = open
    }

    /// Runs `body`, for which folders become this; with it, tests run with other kinds of storage.
    package func use(_ body: () async throws -> Void) async rethrows {
        try await Self.$current.withValue(self, operation: body)
    }
}
