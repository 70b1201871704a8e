internal import Database
internal import Files
package import PrimaryStore
internal import RecordingStore
internal import SQLiteStorage

/// The files of a library in a folder that a backup needs, as they are at one moment: the tracks, recorded points that were
/// not moved into them yet, refused points, and the same of the inbox.
///
/// The library is not opened: nothing of it is changed, not even by an upgrade of its tables. Others may record and
/// import meanwhile; all that was acknowledged before is in the snapshot.
package struct LibrarySnapshot {
    private let source: String
    private let target: String
    private let includesTokens: Bool
    private let isStopped: () -> Bool

    /// The newest change that is in the snapshot; nil if its tables have another version than those of this program.
    package private(set) var head: Head?

    /// Writes the snapshot of the library in the folder `source` to a folder, which is created. `source` has no databases of a
    /// server. Throws `MigrationError.stopped` after `isStopped` became true.
    package init(
        of source: String, to target: String, includesTokens: Bool, isStopped: @escaping () -> Bool
    ) throws {
        self.source = source
        self.target = target
        self.includesTokens = includesTokens
        self.isStopped = isStopped
        try TrackDatabase.mappingErrors(source + "/" + Self.tracks) {
            // What moves from the inbox to the tracks meanwhile is then in both rather than in neither.
            if SQLiteStorage(folder: Library.inboxFolder(of: source)).exists(.tracks) {
                _ = try copy(Library.inboxName + "/")
            }
            head = try copy("")
        }
    }

    private static let tracks = "tracks.sqlite"
    /// Copied before the tracks: a file that is listed in it was imported.
    private static let watched = "watched.json"
    /// What gives access to the library: tokens and links.
    private static let access = ["access.json", "links.json"]

    /// Copies the files of the library, or of its inbox, whose paths begin with `prefix`.
    private func copy(_ prefix: String) throws -> Head? {
        try checkStop()
        let library = String((source + "/" + prefix).dropLast())
        let folder = target + "/" + prefix
        try Folder.make(folder, access: .owner, durability: .cached)
        for name in [Self.watched] + (includesTokens ? Self.access : []) {
            try writeIfExists(library + "/" + name, to: folder + name)
        }
        // Opened before the snapshot of the tracks begins and read after it: points that move into the tracks in between are in
        // both, with the progress of their segment, and none is in neither. A segment that was deleted can be read to its end.
        let storage = SQLiteStorage(folder: library)
        let segments = try RecordingFolder.openSegments(ofLibrary: library)
        try storage.copy(.tracks, to: folder + Self.tracks)
        try checkStop()
        let head = try check(folder, named: storage.name(of: .tracks))
        for segment in segments {
            try write(segment.file, to: folder + RecordingFolder.name + "/" + segment.name)
        }
        for record in try RefusalFolder.files(ofLibrary: library) {
            try writeIfExists(record.path, to: folder + record.name)
        }
        return head
    }

    private func writeIfExists(_ path: String, to target: String) throws {
        guard FileStatus.ifExists(of: path) != nil else { return }
        try write(try FileSource(path: path), to: target)
    }

    private func write(_ source: FileSource, to path: String) throws {
        try Folder.make(FileName.parentFolder(of: path), access: .owner, durability: .cached)
        let file = try RandomAccessFile(appendingTo: path)
        while case let bytes = try source.read(upTo: FileSource.blockBytes), !bytes.isEmpty { try file.append(bytes) }
    }

    /// The newest change of the copy; throws if its rows do not match their sums, so that no backup takes the place of a good
    /// one unnoticed.
    private func check(_ folder: String, named name: String) throws -> Head? {
        let database = try SQLiteStorage(folder: String(folder.dropLast())).database(.tracks, isReadOnly: true)
        return try database.snapshot { session in
            switch try database.schemaState(in: session) {
            case .current:
                if let altered = try session.alteredBlocks(of: nil).first {
                    throw MigrationError.damaged(source: name, table: altered.table)
                }
                return try ChangeLog.head(session)
            // A copy that is not complete is no library, and has to be made again.
            case let state where state == .incomplete || state == .foreign || state == .empty:
                throw TrackSchema.error(state, path: name) ?? LibraryError.notALibrary(path: name)
            default: return nil
            }
        }
    }

    // MARK: Names

    /// Whether this is the path of a file of a snapshot, in the folder of the library.
    package static func isName(_ name: String) -> Bool {
        let inboxPrefix = Library.inboxName + "/"
        let own = name.hasPrefix(inboxPrefix) ? String(name.dropFirst(inboxPrefix.count)) : name
        if ([tracks, watched] + access).contains(own) { return true }
        let parts = own.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0] == RecordingFolder.name
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// The order in which the files become those of a library: the tracks last, because without them there is none.
    package static func isBefore(_ left: String, _ right: String) -> Bool {
        left != tracks && (right == tracks || left < right)
    }

    private func checkStop() throws {
        if isStopped() { throw MigrationError.stopped }
    }
}
