internal import Digest
internal import Files
internal import Foundation
internal import Locking

/// A running server's word, to all who remove, up to which revision its memory is clean.
///
/// A small file in `LIBRARY/serving`, held locked for as long as the server lives, so that a dead server binds nobody.
public final class Heartbeat: Sendable {
    private let lock: LockFile
    private let path: String

    /// Registers a server that has nothing in memory yet beyond `head`.
    public init(folder: String, head: Head) throws {
        try Folder.make(folder + "/serving", access: .owner)
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        path = folder + "/serving/" + name
        try Heartbeat.write(head, to: path + ".clean")
        lock = try LockFile.wait(for: path + ".lock")
    }

    deinit {
        // What stays is removed by whoever looks next.
        _ = try? AtomicFile.remove(path + ".clean")
        _ = try? AtomicFile.remove(lock.path)
    }

    /// Says that nothing in memory is older than `head`.
    public func publish(_ head: Head) throws {
        try Heartbeat.write(head, to: path + ".clean")
    }

    /// Waits until every running server has published `revision` or a later one; false where one has not within
    /// `timeoutMilliseconds`.
    public static func waitUntilServersAreClean(
        folder: String, revision: Int64, timeoutMilliseconds: Int
    ) throws -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
        while true {
            if try laggards(folder: folder, revision: revision) == 0 { return true }
            if ContinuousClock.now >= deadline { return false }
            Thread.sleep(forTimeInterval: pollSeconds)
        }
    }

    /// Servers look for changes a few times a second: looking more often than that finds nothing.
    private static let pollSeconds = 0.02

    /// How many running servers have not published `revision` yet; what dead ones left is removed.
    static func laggards(folder: String, revision: Int64) throws -> Int {
        let serving = folder + "/serving"
        guard FileStatus.ifAny(of: serving) != nil else { return 0 }
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

    /// The revision in the first line, the digest in the second.
    private static func write(_ head: Head, to path: String) throws {
        try AtomicFile.write(Array("\(head.revision)\n\(head.digest)\n".utf8), to: path, durability: .cached)
    }

    private static func published(_ path: String) -> Int64? {
        guard let bytes = try? AtomicFile.read(path, limit: 1000) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int64($0) }
    }
}
