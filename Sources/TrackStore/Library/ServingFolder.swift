internal import Digest
internal import Files
internal import Foundation
internal import Locking

/// The revision up to which a running server's memory is clean, published for processes that remove tracks.
///
/// It is a small file in `LIBRARY/serving` with a lock that is held while the server runs, so that nobody waits for a
/// killed server.
public final class Heartbeat: Sendable {
    private let lock: LockFile
    private let path: String

    /// Registers a server that has in memory nothing older than `head`.
    public init(folder: String, head: Head) throws {
        try Folder.make(folder + "/serving", access: .owner)
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        path = folder + "/serving/" + name
        try Heartbeat.write(head, to: path + ".clean")
        lock = try LockFile.wait(for: path + ".lock")
    }

    deinit {
        // What remains is removed by the next process that checks.
        _ = try? AtomicFile.remove(path + ".clean")
        _ = try? AtomicFile.remove(lock.path)
    }

    /// Publishes that nothing in memory is older than `head`.
    public func publish(_ head: Head) throws {
        try Heartbeat.write(head, to: path + ".clean")
    }

    /// Waits until every running server has published `revision` or a later one; returns false if one has not within
    /// `timeoutMilliseconds`.
    public static func waitUntilServersAreClean(
        folder: String, revision: Int64, timeoutMilliseconds: Int
    ) throws -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
        while true {
            if try serversBehind(folder: folder, revision: revision) == 0 { return true }
            if ContinuousClock.now >= deadline { return false }
            Thread.sleep(forTimeInterval: pollSeconds)
        }
    }

    /// Servers check for changes a few times a second; polling more often than this gives nothing.
    private static let pollSeconds = 0.02

    /// The number of running servers that have not published `revision` yet. Removes the files of killed servers.
    static func serversBehind(folder: String, revision: Int64) throws -> Int {
        let serving = folder + "/serving"
        guard FileStatus.ifExists(of: serving) != nil else { return 0 }
        var count = 0
        for entry in try Folder.entries(of: serving) where entry.path.hasSuffix(".lock") {
            let clean = entry.path.dropLast(".lock".count) + ".clean"
            if let dead = try LockFile.take(entry.path) {
                try AtomicFile.remove(String(clean))
                try AtomicFile.remove(dead.path)
                continue
            }
            if published(String(clean)) ?? -1 < revision { count += 1 }
        }
        return count
    }

    /// The first line is the revision, the second the digest.
    private static func write(_ head: Head, to path: String) throws {
        try AtomicFile.write(Array("\(head.revision)\n\(head.digest)\n".utf8), to: path, durability: .cached)
    }

    private static func published(_ path: String) -> Int64? {
        guard let bytes = try? AtomicFile.read(path, limit: 1000) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int64($0) }
    }
}
