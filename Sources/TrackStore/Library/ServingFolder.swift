internal import Files
internal import Locking
internal import Parallelism
package import PrimaryStore

/// The serving processes of a library, registered in the folder `LIBRARY/serving`.
///
/// Each has a small file `NAME.clean` with the revision up to which its memory is clean, and a lock `NAME.lock` that is
/// held while it runs, so that nobody waits for a killed process. Members of this object are asked without a file.
package final class ServingFolder: Membership {
    private let folder: String
    private let own = Locked<[String: OwnMember]>([:])

    private struct OwnMember {
        var revision: Int64
        var poll: @Sendable () -> Void
    }

    /// The processes of the library in a folder.
    package init(library: String) {
        folder = library + "/serving"
    }

    package func join(head: Head, poll: @escaping @Sendable () -> Void) throws -> any Member {
        try LibraryError.mappingFiles {
            try Folder.make(folder, access: .owner)
            let member = try FolderMember(in: self, head: head)
            own.withLock { $0[member.name] = OwnMember(revision: head.revision, poll: poll) }
            return member
        }
    }

    package func waitUntilConfirmed(_ revision: Int64, timeoutMilliseconds: Int) throws -> Bool {
        for member in own.withLock({ $0 }).values { member.poll() }
        return try LibraryError.mappingFiles {
            try pollUntil(within: .milliseconds(timeoutMilliseconds), periodSeconds: Self.pollSeconds) {
                try membersBehind(revision) == 0
            }
        }
    }

    /// Servers check for changes a few times a second; polling more often than this would be no faster.
    private static let pollSeconds = 0.02

    /// The number of running processes that have not published `revision` yet. Removes the files of killed ones.
    private func membersBehind(_ revision: Int64) throws -> Int {
        let own = own.withLock { $0 }
        var count = own.values.count { $0.revision < revision }
        guard FileStatus.ifExists(of: folder) != nil else { return count }
        for entry in try Folder.entries(of: folder) where entry.path.hasSuffix(Suffix.lock.rawValue) {
            let name = String(entry.path.dropFirst(folder.count + 1).dropLast(Suffix.lock.rawValue.count))
            guard own[name] == nil else { continue }
            if let dead = try LockFile.take(entry.path) {
                try AtomicFile.remove(file(name, .clean))
                try AtomicFile.remove(dead.path)
                continue
            }
            if published(by: name) ?? -1 < revision { count += 1 }
        }
        return count
    }

    private func published(by name: String) -> Int64? {
        guard let bytes = try? AtomicFile.read(file(name, .clean), limit: 1000) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int64($0) }
    }

    // MARK: Files

    fileprivate enum Suffix: String {
        case clean = ".clean"
        case lock = ".lock"
    }

    fileprivate func file(_ name: String, _ suffix: Suffix) -> String {
        folder + "/" + name + suffix.rawValue
    }

    /// The first line is the revision, the second the digest.
    fileprivate func write(_ head: Head, of name: String) throws(FileError) {
        try AtomicFile.write(
            Array("\(head.revision)\n\(head.digest)\n".utf8), to: file(name, .clean), durability: .cached)
        own.withLock { $0[name]?.revision = head.revision }
    }

    fileprivate func forget(_ name: String) {
        own.withLock { $0[name] = nil }
    }
}

/// This process in a `ServingFolder`.
private final class FolderMember: Member {
    let name: String
    private let folder: ServingFolder
    private let lock: LockFile

    init(in folder: ServingFolder, head: Head) throws(FileError) {
        self.folder = folder
        name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        // The revision before the lock: who finds the lock held then finds a revision, too.
        try folder.write(head, of: name)
        lock = try LockFile.wait(for: folder.file(name, .lock))
    }

    deinit {
        folder.forget(name)
        // What remains is removed by the next process that checks.
        _ = try? AtomicFile.remove(folder.file(name, .clean))
        _ = try? AtomicFile.remove(lock.path)
    }

    /// Removals wait for the lock, which is held until the process ends.
    var mayServe: Bool { true }

    var lease: MemberLease? { nil }

    func publish(_ head: Head) throws {
        try LibraryError.mappingFiles { try folder.write(head, of: name) }
    }
}
