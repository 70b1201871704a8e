internal import Glibc

/// Files that are written completely or not at all.
public enum AtomicFile {
    /// What a written file survives once the call has returned.
    public enum Durability: Sendable {
        /// A power failure (fsync).
        case durable
        /// The end of the process; a power failure may lose the file or leave it empty.
        case cached
    }

    /// Creates or replaces the file at `path`: a temporary file beside it is written and renamed, so that a reader sees
    /// either the old bytes or the new ones. A device or a named pipe is written to, because a file in its place would
    /// break other programs (`--output /dev/null` as root).
    public static func write(
        _ bytes: [UInt8], to path: String, durability: Durability = .durable, access: FileAccess = .owner
    ) throws(FileError) {
        if FileStatus.ifExists(of: path)?.kind == .other {
            return try Descriptor(opening: path, O_WRONLY).write(bytes)
        }
        let temporaryPath = path + ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).part"
        do {
            try writeNew(bytes, to: temporaryPath, durability, access)
            try rename(temporaryPath, to: path)
        } catch {
            _ = unsafe Glibc.unlink(FileName.systemPath(temporaryPath))
            throw error
        }
        // The fsync of a file does not include its name, which is in the folder (fsync(2)).
        if durability == .durable { try Descriptor.flushFolder(of: path) }
    }

    /// All bytes of a file; nil if there are more than `limit`.
    public static func read(_ path: String, limit: Int = 1 << 30) throws(FileError) -> [UInt8]? {
        try FileSource(path: path).readAll(limit: limit)
    }

    /// Renames a file, replacing an existing one. If `durable`, both its content and its name survive a power
    /// failure.
    public static func rename(
        _ path: String, to newPath: String, durability: Durability = .cached
    ) throws(FileError) {
        if durability == .durable { try Descriptor(opening: path, O_RDONLY).flushToDisk() }
        guard unsafe Glibc.rename(FileName.systemPath(path), FileName.systemPath(newPath)) == 0 else {
            throw FileError("rename", path)
        }
        if durability == .durable { try Descriptor.flushFolder(of: newPath) }
    }

    /// Removes a file; false if it did not exist.
    @discardableResult
    public static func remove(_ path: String) throws(FileError) -> Bool {
        if unsafe Glibc.unlink(FileName.systemPath(path)) == 0 { return true }
        if errno == ENOENT { return false }
        throw FileError("remove", path)
    }

    private static func writeNew(
        _ bytes: [UInt8], to path: String, _ durability: Durability, _ access: FileAccess
    ) throws(FileError) {
        let descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, access: access)
        try descriptor.write(bytes)
        if durability == .durable { try descriptor.flushToDisk() }
    }
}
