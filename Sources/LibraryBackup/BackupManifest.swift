internal import Text

/// What a backup contains: its first member.
struct BackupManifest: Codable, Equatable {
    /// A member.
    struct File: Codable, Equatable {
        /// The path in the folder of the library.
        var name: String
        var bytes: Int64
        /// Hexadecimal.
        var sha256: String
    }

    /// The format of the backup.
    var format = BackupManifest.currentFormat
    /// The version of the program that wrote it.
    var version: String
    /// When it was begun (RFC 3339).
    var created: String
    /// The newest change of the library, and its digest; nil if the library was last changed by another version.
    var revision: Int64?
    var digest: String?
    var files: [File]

    static let name = "tileserve-backup.json"
    static let currentFormat = 1

    func bytes() throws -> [UInt8] {
        try JSONCoding.bytes(of: self, isIndented: true)
    }

    /// The format alone, which later formats have, too.
    struct Format: Codable {
        var format: Int
    }
}
