import Digest
import Files
import Text

/// A folder to which an export is written: first under another name, so that it is complete or does not exist.
final class ExportFolder {
    /// A file of the export.
    private struct File: Encodable {
        var name: String
        var bytes: Int
        var sha256: String
        /// What it has, such as points; nil where there is nothing to count.
        var count: Int?
    }

    /// What is in the export.
    private struct Manifest: Encodable {
        var version: String
        var created: String
        /// How much there is of each kind.
        var counts: [String: Int]
        var files: [File]
    }

    let path: String
    private let part: String
    private var files: [String: File] = [:]
    private(set) var counts: [String: Int] = [:]

    static let manifestName = "manifest.json"

    /// Begins an export into a folder that does not exist, or is empty.
    init(_ path: String) throws {
        self.path = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
        part = self.path + ".part"
        if let status = FileStatus.ifExists(of: path) {
            guard status.kind == .folder, try Folder.entries(of: path).isEmpty else {
                throw Failure(
                    .usage, "\(FileName.shown(path)): is not empty; export into a new or an empty folder")
            }
        }
        // What a killed process has left.
        try Folder.remove(part)
        try Folder.make(part, access: .owner)
    }

    /// Writes a file in portions; `write` gets the function that appends to it.
    func write(_ name: String, count: Int? = nil, _ write: (_ put: ([UInt8]) throws -> Void) throws -> Void) throws {
        let target = part + "/" + name
        try Folder.make(FileName.parentFolder(of: target), durability: .cached)
        let file = try RandomAccessFile(appendingTo: target, access: .group)
        // A second attempt replaces the first.
        try file.truncate(to: 0)
        var digest = SHA256()
        var bytes = 0
        try write { portion in
            try file.append(portion)
            digest.update(portion)
            bytes += portion.count
        }
        files[name] = File(name: name, bytes: bytes, sha256: digest.finish(), count: count)
    }

    /// Whether a file was written.
    func has(_ name: String) -> Bool { files[name] != nil }

    func write(_ name: String, _ bytes: [UInt8], count: Int? = nil) throws {
        try write(name, count: count) { try $0(bytes) }
    }

    /// Counts things of a kind.
    func count(_ kind: String, _ number: Int = 1) {
        counts[kind, default: 0] += number
    }

    /// Ends the export with its manifest, which names every file with its SHA-256, and gives the folder its name.
    func finish(version: String, created: String) throws {
        let manifest = Manifest(
            version: version, created: created, counts: counts, files: files.values.sorted { $0.name < $1.name })
        try AtomicFile.write(
            JSONCoding.bytes(of: manifest, isIndented: true), to: part + "/" + Self.manifestName, access: .group)
        // An empty folder is replaced.
        try AtomicFile.rename(part, to: path, durability: .durable)
    }

    /// Removes what was written of an export that cannot be finished.
    func discard() {
        _ = try? Folder.remove(part)
    }

    var fileCount: Int { files.count }
}
