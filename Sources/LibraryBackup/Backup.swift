internal import Archive
internal import Digest
internal import Files
internal import PrimaryStore
internal import Text
internal import TrackStore

/// Writes a library to one file: a tar archive compressed with zstd, with a manifest of digests as its first member.
///
/// The map and prerendered tiles, which can be made again, are left out.
package struct Backup {
    /// A part of the work that is done.
    package struct Progress: Sendable {
        package var doneBytes: Int64
        package var totalBytes: Int64
    }

    /// What was written.
    package struct Outcome: Sendable, Equatable {
        package var files: Int
        /// The bytes of the files, and of the backup.
        package var libraryBytes: Int64
        package var bytes: Int64
        /// The newest change in it, and its digest; nil if it is of another version.
        package var revision: Int64?
        package var digest: String?
    }

    private let path: String
    /// Written first, then renamed, so that `path` is complete or does not exist.
    private let part: String
    /// Held while the part is written; the file of the lock is the part.
    private let lock: LockFile
    /// The files to be packed.
    private let folder: String

    /// Begins a backup. Throws if the file exists, unless it is to be replaced, or if another process writes it.
    package init(to path: String, replaces: Bool) throws {
        self.path = path
        part = path + ".part"
        folder = path + ".part.files"
        switch FileStatus.ifExists(of: path)?.kind {
        case nil: break
        case .file where replaces: break
        default: throw BackupError.exists(path: path)
        }
        guard let lock = try LockFile.take(part) else { throw BackupError.inUse(path: path) }
        self.lock = lock
        do {
            // What a killed process has left.
            try Folder.remove(folder)
            try Folder.make(folder, access: .owner, durability: .cached)
        } catch {
            _ = try? AtomicFile.remove(part)
            throw error
        }
    }

    /// Writes the backup of the library in `library`, which has no databases of a server; `version` is that of the program,
    /// `now` in milliseconds since 1970. Whatever it throws, no file is left.
    package func write(
        _ library: String, version: String, now: Int64, includesTokens: Bool, isStopped: @escaping () -> Bool,
        report: (Progress) -> Void
    ) throws -> Outcome {
        do {
            let outcome = try writePart(
                library, BackupManifest(version: version, created: InstantFormatter.utc(now / 1000 * 1000), files: []),
                now, includesTokens,
                isStopped, report)
            try Folder.remove(folder)
            try AtomicFile.rename(part, to: path, durability: .durable)
            return outcome
        } catch {
            discard()
            throw error
        }
    }

    /// Ends a backup that is not written.
    package func discard() {
        _ = try? Folder.remove(folder)
        _ = try? AtomicFile.remove(part)
    }

    /// A folder for files that are needed until the backup is written.
    package var workFolder: String { folder + "/work" }

    private func writePart(
        _ library: String, _ header: BackupManifest, _ now: Int64, _ includesTokens: Bool,
        _ isStopped: @escaping () -> Bool, _ report: (Progress) -> Void
    ) throws -> Outcome {
        let snapshot = try LibrarySnapshot(
            of: library, to: folder + "/snapshot", includesTokens: includesTokens, isStopped: isStopped)
        var manifest = header
        manifest.revision = snapshot.head?.revision
        manifest.digest = snapshot.head?.digest.description
        manifest.files = try files(in: folder + "/snapshot", isStopped)
        let file = try RandomAccessFile(appendingTo: part)
        try file.truncate(to: 0)
        let archive = try ArchiveWriter(time: now / 1000) { try file.append($0) }
        try archive.add(BackupManifest.name, try manifest.bytes())
        var progress = Progress(doneBytes: 0, totalBytes: manifest.files.reduce(0) { $0 + $1.bytes })
        for member in manifest.files {
            let source = try FileSource(path: folder + "/snapshot/" + member.name)
            try archive.add(member.name, byteCount: member.bytes) {
                if isStopped() { throw MigrationError.stopped }
                let bytes = try source.read(upTo: FileSource.blockBytes)
                progress.doneBytes += Int64(bytes.count)
                report(progress)
                return bytes
            }
        }
        try archive.finish()
        return Outcome(
            files: manifest.files.count, libraryBytes: progress.totalBytes, bytes: try file.byteCount,
            revision: manifest.revision, digest: manifest.digest)
    }

    /// The files below a folder, with their digests.
    private func files(in folder: String, _ isStopped: () -> Bool) throws -> [BackupManifest.File] {
        var files: [BackupManifest.File] = []
        try Folder.walk(folder) { path in
            let source = try FileSource(path: path)
            var digest = SHA256()
            while case let bytes = try source.read(upTo: FileSource.blockBytes), !bytes.isEmpty {
                if isStopped() { throw MigrationError.stopped }
                digest.update(bytes)
            }
            files.append(
                BackupManifest.File(
                    name: String(path.dropFirst(folder.count + 1)), bytes: source.position, sha256: digest.finish()))
        }
        return files
    }
}

extension ArchiveWriter {
    fileprivate func add(_ name: String, _ bytes: [UInt8]) throws {
        var rest = [bytes]
        try add(name, byteCount: Int64(bytes.count)) { rest.popLast() ?? [] }
    }
}
