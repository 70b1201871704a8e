import Files
import Locking
import Text

/// Records on disk which files of watched folders are being read, before the first byte is read. A file that is still
/// recorded when a server starts either crashed the previous server or was being read at the same time; reading it
/// again could crash each new server.
///
/// If several files are recorded, any of them may be the cause: they are read again one at a time. A file that was read
/// alone is skipped until it changes.
final class ReadJournal: Sendable {
    private struct Content: Codable {
        /// Files being read.
        var underWay: [String: FileVersion] = [:]
        /// Files that are skipped.
        var skipped: [String: FileVersion] = [:]
    }

    private let path: String
    private let content: Locked<Content>
    /// Files to be read one at a time, in the state in which they were when a server crashed.
    private let suspects: Locked<[String: FileVersion]>

    /// Loads the record that an earlier server left in a library's folder; empty if it cannot be read.
    init(in folder: String) {
        path = folder + "/watched-reading.json"
        var content = Content()
        if let bytes = try? AtomicFile.read(path), let read = JSONCoding.value(Content.self, from: bytes) {
            content = read
        }
        var suspects = content.underWay
        if let (file, state) = suspects.first, suspects.count == 1 {
            content.skipped[file] = state
            suspects = [:]
        }
        content.underWay = [:]
        self.suspects = Locked(suspects)
        self.content = Locked(content)
    }

    /// The skipped files, ordered by name.
    var skipped: [String] { content.withLock { $0.skipped.keys.sorted() } }

    /// Whether a file is skipped in this state.
    func isSkipped(_ file: String, _ state: FileVersion) -> Bool {
        content.withLock { $0.skipped[file] == state }
    }

    /// Whether a file in this state must be read alone.
    func isSuspect(_ file: String, _ state: FileVersion) -> Bool {
        suspects.withLock { $0[file] == state }
    }

    /// Records that reading a file begins; when this returns, the record survives a power failure.
    func begin(_ file: String, _ state: FileVersion) throws {
        try content.withLock { content in
            content.underWay[file] = state
            content.skipped[file] = nil
            try write(content)
        }
    }

    /// Records that a file has been read; written to disk with the next `begin` or `finish`.
    func end(_ file: String) {
        content.withLock { $0.underWay[file] = nil }
        suspects.withLock { $0[file] = nil }
    }

    /// Records that no file is being read.
    func finish() throws {
        try content.withLock { content in
            content.underWay = [:]
            content.skipped = content.skipped.filter { !$0.value.isRemoved($0.key) }
            try write(content)
        }
    }

    private func write(_ content: Content) throws {
        try AtomicFile.write(JSONCoding.bytes(of: content), to: path)
    }
}

/// The state of a file, compared to detect changes.
struct FileVersion: Equatable, Codable, Sendable {
    var bytes: Int64
    var modified: Int64
    /// The device number of the file system that holds the file; nil in records of earlier versions.
    private var device: UInt64?

    init(_ fileStatus: FileStatus) {
        bytes = fileStatus.byteCount
        modified = fileStatus.modifiedNanoseconds
        device = fileStatus.identity.device
    }

    /// Whether the file is unchanged. Devices are not compared: a file system may get another number when it is mounted
    /// again.
    static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes && left.modified == right.modified }

    /// Whether the file that had this state at a path has been removed. If its file system is not mounted, the file is
    /// missing, but comes back unchanged: then the folder at its path belongs to another file system, the one that holds
    /// the mount point.
    func isRemoved(_ path: String) -> Bool {
        do {
            _ = try FileStatus(of: path)
            return false
        } catch {
            guard error.isMissing else { return false }
        }
        // The nearest folder that exists.
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            do {
                return try FileStatus(of: folder.isEmpty ? "/" : String(folder)).identity.device == device
            } catch {
                guard error.isMissing else { return false }
            }
        }
        // A relative path.
        return FileStatus.ifExists(of: ".")?.identity.device == device
    }
}
