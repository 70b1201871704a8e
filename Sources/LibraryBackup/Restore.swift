internal import Archive
internal import Digest
internal import Files
internal import Text
internal import TrackStore

/// Unpacks a backup into a new library.
package struct Restore {
    private let path: String
    private let folder: String
    /// Where files are unpacked until all are known to be complete.
    private let part: String

    private static let partName = "restore.part"

    /// Checks that the folder of the new library does not exist or is empty, except for what an interrupted restore has left.
    package init(_ path: String, to folder: String) throws {
        self.path = path
        self.folder = folder
        part = folder + "/" + Self.partName
        guard FileStatus.ifExists(of: folder) != nil else { return }
        guard FileStatus.ifExists(of: folder)?.kind == .folder,
            try Folder.entries(of: folder).allSatisfy({ $0.path == folder + "/" + Self.partName })
        else { throw BackupError.folderNotEmpty(path: folder) }
    }

    /// Unpacks all files. `report` gets the share that is done. If it throws, nothing is left; after a kill, the folder contains
    /// no library, and restoring begins anew.
    package func run(isStopped: () -> Bool, report: (Double) -> Void) throws {
        let isNew = FileStatus.ifExists(of: folder) == nil
        let source = try FileSource(path: path)
        try Folder.make(folder, access: .owner)
        do {
            try Folder.remove(part)
            try Folder.make(part, access: .owner)
            let manifest = try unpack(source, isStopped, report)
            try move(manifest)
        } catch {
            _ = try? Folder.remove(isNew ? folder : part)
            throw error
        }
    }

    // MARK: Unpacking

    private func unpack(
        _ source: FileSource, _ isStopped: () -> Bool, _ report: (Double) -> Void
    ) throws -> BackupManifest {
        let archive: ArchiveReader
        let manifest: BackupManifest
        do {
            archive = try open(source)
            manifest = try self.manifest(archive)
        } catch is ArchiveError {
            throw BackupError.notABackup(path: path)
        }
        var rest = Dictionary(manifest.files.map { ($0.name, $0) }) { first, _ in first }
        var damaged: [String] = []
        var isTruncated = false
        let totalBytes = max(1, manifest.files.reduce(0) { $0 + $1.bytes })
        var doneBytes: Int64 = 0
        do {
            while let bytes = try archive.next() {
                guard let file = rest.removeValue(forKey: String(decoding: bytes, as: UTF8.self)) else { continue }
                damaged.append(file.name)
                let isComplete = try write(file, from: archive) { count in
                    if isStopped() { throw MigrationError.stopped }
                    doneBytes += Int64(count)
                    report(Double(doneBytes) / Double(totalBytes))
                }
                if isComplete { damaged.removeLast() }
            }
        } catch let error as ArchiveError {
            // What follows cannot be read; the files that were not complete are named below.
            isTruncated = error == .truncated
        }
        damaged += rest.keys.sorted()
        guard damaged.isEmpty else {
            throw BackupError.damaged(path: path, members: damaged, isTruncated: isTruncated)
        }
        return manifest
    }

    private func open(_ source: FileSource) throws -> ArchiveReader {
        var limits = ArchiveLimits()
        limits.memberBytes = .max
        limits.totalBytes = .max
        limits.expansion = .none
        let compressed = try ArchiveReader(.zstd, limits: limits) { try source.read(upTo: FileSource.blockBytes) }
        return try ArchiveReader(.tar, limits: limits) { try compressed.read() }
    }

    /// A manifest is at most this long: a library has less than a million files.
    private static let manifestBytes = 256 << 20

    private func manifest(_ archive: ArchiveReader) throws -> BackupManifest {
        guard try archive.next().map({ String(decoding: $0, as: UTF8.self) }) == BackupManifest.name else {
            throw BackupError.notABackup(path: path)
        }
        var bytes: [UInt8] = []
        while case let block = try archive.read(), !block.isEmpty {
            bytes += block
            guard bytes.count <= Self.manifestBytes else { throw BackupError.notABackup(path: path) }
        }
        guard let format = JSONCoding.value(BackupManifest.Format.self, from: bytes)?.format else {
            throw BackupError.notABackup(path: path)
        }
        guard format <= BackupManifest.currentFormat else {
            throw BackupError.newerFormat(path: path, format: format)
        }
        guard let manifest: BackupManifest = JSONCoding.value(from: bytes),
            manifest.files.allSatisfy({ LibrarySnapshot.isName($0.name) && $0.bytes >= 0 })
        else { throw BackupError.notABackup(path: path) }
        return manifest
    }

    /// Writes a file; false if it differs from its digest.
    private func write(
        _ file: BackupManifest.File, from archive: ArchiveReader, _ count: (Int) throws -> Void
    ) throws -> Bool {
        let target = part + "/" + file.name
        try Folder.make(FileName.parentFolder(of: target), access: .owner)
        let output = try RandomAccessFile(appendingTo: target)
        var digest = SHA256()
        while case let bytes = try archive.read(), !bytes.isEmpty {
            digest.update(bytes)
            try output.append(bytes)
            try count(bytes.count)
        }
        return digest.finish() == file.sha256
    }

    // MARK: Moving

    /// Moves the files into the folder of the library. The tracks are the last: without them there is no library.
    private func move(_ manifest: BackupManifest) throws {
        for name in manifest.files.map(\.name).sorted(by: { LibrarySnapshot.isBefore($0, $1) }) {
            let target = folder + "/" + name
            try Folder.make(FileName.parentFolder(of: target), access: .owner)
            try AtomicFile.rename(part + "/" + name, to: target, durability: .durable)
        }
        try Folder.remove(part)
    }
}
