internal import Files
internal import Text

/// Why a backup is not written or not restored, as one sentence: where: what; what to do.
package enum BackupError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file to be written exists.
    case exists(path: String)
    /// Another process writes the same file.
    case inUse(path: String)
    /// The file is something else.
    case notABackup(path: String)
    /// A later version wrote the backup.
    case newerFormat(path: String, format: Int)
    /// These members differ from their digests, or are missing. `isTruncated`: the file ends too early.
    case damaged(path: String, members: [String], isTruncated: Bool)
    /// The folder is not empty.
    case folderNotEmpty(path: String)

    package var description: String {
        switch self {
        case .exists(let path):
            "\(FileName.shown(path)): exists already; choose another name, or replace it with --overwrite"
        case .inUse(let path):
            "\(FileName.shown(path)): another process is writing this backup; wait for its end, or choose another name"
        case .notABackup(let path):
            "\(FileName.shown(path)): is not a backup of tileserve; give a file that 'tileserve backup' has written"
        case .newerFormat(let path, let format):
            "\(FileName.shown(path)): has format \(format), and this version reads up to \(BackupManifest.currentFormat); install the newer one"
        case .damaged(let path, let members, let isTruncated):
            "\(FileName.shown(path)): \(isTruncated ? "ends too early" : "is damaged"): \(DisplayText.list(members, "and")) "
                + "\(members.count == 1 ? "is" : "are") not complete; nothing was restored, use another backup"
        case .folderNotEmpty(let path):
            "\(FileName.shown(path)): is not empty; restore into a new or an empty folder, and replace the library by it yourself"
        }
    }
}
