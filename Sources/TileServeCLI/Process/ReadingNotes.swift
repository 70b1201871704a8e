import Files
import Foundation
import Locking

/// Which files of watched folders are being read, on the disk before the first byte of one is read: what is still noted when
/// a server starts ended the one before, or was being read beside that, and would do so again and again.
///
/// Of several noted files any may be the one: they are read again one at a time. One that was read alone is passed over until
/// it changes.
final class ReadingNotes: Sendable {
    private struct Content: Codable {
        /// Being read.
        var underWay: [String: WatchedFile] = [:]
        /// Passed over.
        var skipped: [String: WatchedFile] = [:]
    }

    private let path: String
    private let content: Locked<Content>
    /// Files to be read one at a time, as they were when a server ended beside them.
    private let suspects: Locked<[String: WatchedFile]>

    /// The notes in a library's folder as an earlier server left them; none where they cannot be read.
    init(in folder: String) {
        path = folder + "/watched-reading.json"
        var content = Content()
        if let bytes = try? AtomicFile.read(path), let read = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        {
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

    /// The files that are passed over, in the order of their names.
    var skipped: [String] { content.withLock { $0.skipped.keys.sorted() } }

    /// Whether a file is passed over in this state.
    func isSkipped(_ file: String, _ state: WatchedFile) -> Bool {
        content.withLock { $0.skipped[file] == state }
    }

    /// Whether a file in this state has to be read alone.
    func isSuspect(_ file: String, _ state: WatchedFile) -> Bool {
        suspects.withLock { $0[file] == state }
    }

    /// Notes that a file is read from now on, and returns once that would survive a loss of power.
    func begin(_ file: String, _ state: WatchedFile) throws {
        try content.withLock { content in
            content.underWay[file] = state
            content.skipped[file] = nil
            try write(content)
        }
    }

    /// Notes that files have been read; it is on the disk with the next that begins, or with `finish`.
    func end(_ file: String) {
        content.withLock { $0.underWay[file] = nil }
        suspects.withLock { $0[file] = nil }
    }

    /// Notes that no file is being read.
    func finish() throws {
        try content.withLock { content in
            content.underWay = [:]
            content.skipped = content.skipped.filter { FileStatus.ifAny(of: $0.key) != nil }
            try write(content)
        }
    }

    private func write(_ content: Content) throws {
        try AtomicFile.write(Array(try JSONEncoder().encode(content)), to: path)
    }
}

/// What tells one state of a file from another.
struct WatchedFile: Hashable, Codable, Sendable {
    var bytes: Int64
    var modified: Int64

    init(_ facts: FileStatus) {
        bytes = facts.byteCount
        modified = facts.modifiedNanoseconds
    }
}
