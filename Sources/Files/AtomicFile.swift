internal import Glibc

/// Files that are written whole or not at all.
public enum AtomicFile {
    /// How sure a written file is before the call returns.
    public enum Durability: Sendable {
        /// It survives a loss of power.
        case synchronised
        /// It survives the end of the process; a loss of power may take it, or leave it empty.
        case cached
    }

    /// Replaces the file at `path`, or makes it: a neighbour is written and then renamed, so that a reader finds the old
    /// bytes or the new ones.
    public static func write(
        _ bytes: [UInt8], to path: String, durability: Durability = .synchronised, access: FileAccess = .owner
    ) throws(FileError) {
        let neighbour = path + ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).part"
        do {
            try writeNew(bytes, to: neighbour, durability, access)
            try rename(neighbour, to: path)
        } catch {
            _ = unsafe Glibc.unlink(neighbour)
            throw error
        }
        if durability == .synchronised { try synchroniseFolder(of: path) }
    }

    /// All bytes of a file of at most `limit` bytes; nil where it has more.
    public static func read(_ path: String, limit: Int = 1 << 30) throws(FileError) -> [UInt8]? {
        try FileSource(path: path).readAll(limit: limit)
    }

    /// Gives a file another name, in place of one that had it; where it is to survive a loss of power, file and name do.
    public static func rename(
        _ path: String, to newPath: String, durability: Durability = .cached
    ) throws(FileError) {
        if durability == .synchronised { try Descriptor(opening: path, O_RDONLY).synchronise() }
        guard unsafe Glibc.rename(path, newPath) == 0 else { throw FileError("rename", path) }
        if durability == .synchronised { try synchroniseFolder(of: newPath) }
    }

    /// Removes a file; false where there was none.
    @discardableResult
    public static func remove(_ path: String) throws(FileError) -> Bool {
        if unsafe Glibc.unlink(path) == 0 { return true }
        if errno == ENOENT { return false }
        throw FileError("remove", path)
    }

    private static func writeNew(
        _ bytes: [UInt8], to path: String, _ durability: Durability, _ access: FileAccess
    ) throws(FileError) {
        let descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, access: access)
        try descriptor.write(bytes)
        if durability == .synchronised { try descriptor.synchronise() }
    }

    static func synchroniseFolder(of path: String) throws(FileError) {
        let folder = Folder.containing(path)
        let descriptor = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY)
        // Some file systems cannot synchronise a folder, and need not.
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw FileError("synchronise", folder) }
    }
}
