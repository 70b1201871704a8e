internal import Database
internal import Digest
internal import Files
internal import PostgreSQLStorage
internal import Text

/// Where the databases of a library are that has them in PostgreSQL. The library has a folder on this machine, too, with what no
/// other needs; its file `postgresql` contains the URI.
public enum ServerLocation {
    private static let file = "/postgresql"

    /// Whether a text is a URI of PostgreSQL, not the path of a folder.
    public static func isLocation(_ text: String) -> Bool {
        PostgreSQLLocation.isLocation(text)
    }

    /// The folder of the library at a URI, below `parent`; it is created if it does not exist.
    public static func folder(for uri: String, below parent: String) throws -> String {
        let location = try PostgreSQLLocation(uri)
        // Without the password, which may change.
        let digest = ContentDigest(of: Array(location.name.utf8)).description.prefix(digestLength)
        let folder = "\(parent)/\(digest)"
        if try content(folder) != uri {
            try Folder.make(folder, access: .owner)
            try AtomicFile.write(Array(uri.utf8), to: folder + file)
        }
        return folder
    }

    /// 64 bits: enough to distinguish the libraries that one user has.
    private static let digestLength = 16

    /// The location of the library in a folder; nil if its databases are files there.
    static func location(in folder: String) throws -> PostgreSQLLocation? {
        if let uri = try content(folder) { return try PostgreSQLLocation(uri) }
        let suffix = "/" + Library.inboxName
        if folder.hasSuffix(suffix), let outer = try content(String(folder.dropLast(suffix.count))) {
            return try PostgreSQLLocation(outer).inbox
        }
        if let inner = Library.libraryOfEdition(in: folder), let outer = try content(inner.folder) {
            return try PostgreSQLLocation(outer).edition(inner.id)
        }
        return nil
    }

    /// The URI in a folder; nil if it has none.
    private static func content(_ folder: String) throws -> String? {
        guard FileStatus.ifExists(of: folder + file) != nil else { return nil }
        return try AtomicFile.read(folder + file, limit: limit).map { String(decoding: $0, as: UTF8.self).trimmed }
    }

    private static let limit = 1 << 16
}
