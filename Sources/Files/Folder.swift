internal import Glibc

/// Creates, lists, walks and removes folders.
public enum Folder {
    /// An entry of a folder.
    public struct Entry: Sendable, Equatable {
        /// The path, beginning with that of the folder.
        public let path: String
        /// The kind; symbolic links are followed.
        public let kind: FileStatus.Kind
    }

    /// Creates a folder and its missing parents; the parents are `.shared`.
    ///
    /// Each new folder survives a power failure unless `durability` is `.cached`.
    public static func make(
        _ path: String, access: FileAccess = .shared, durability: AtomicFile.Durability = .durable
    ) throws(FileError) {
        if try makeOne(path, access, durability) { return }
        let parent = FileName.parentFolder(of: path)
        guard parent != path else { throw FileError("create", path, code: ENOENT) }
        try make(parent, durability: durability)
        guard try makeOne(path, access, durability) else { throw FileError("create", path, code: ENOENT) }
    }

    /// Creates one folder; false if its parent does not exist.
    private static func makeOne(
        _ path: String, _ access: FileAccess, _ durability: AtomicFile.Durability
    ) throws(FileError) -> Bool {
        guard unsafe mkdir(FileName.systemPath(path), access.folderMode) == 0 else {
            let code = errno
            if code == ENOENT { return false }
            // Another process may have created it meanwhile, and a read-only file system fails even if the folder
            // exists.
            if FileStatus.ifExists(of: path)?.kind == .folder { return true }
            throw FileError("create", path, code: code)
        }
        if access == .owner, unsafe chmod(FileName.systemPath(path), access.folderMode) != 0 {
            throw FileError("change the permissions of", path)
        }
        if durability == .durable { try Descriptor.flushFolder(of: path) }
        return true
    }

    /// The entries of a folder, ordered by their names; those whose status cannot be read are omitted.
    public static func entries(of path: String) throws(FileError) -> [Entry] {
        let paths = try paths(in: path).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        return paths.compactMap { path in
            FileStatus.ifExists(of: path).map { Entry(path: path, kind: $0.kind) }
        }
    }

    /// The paths of what a folder contains, in no order.
    private static func paths(in path: String) throws(FileError) -> [String] {
        guard let stream = unsafe opendir(FileName.systemPath(path)) else { throw FileError("read", path) }
        defer { _ = unsafe closedir(stream) }
        let base = path.hasSuffix("/") ? path : path + "/"
        var paths: [String] = []
        while true {
            // readdir(3) returns null at the end and after an error; only errno tells them apart.
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            let name = FileName.text(bytes)
            if name != ".", name != ".." { paths.append(base + name) }
        }
        guard errno == 0 else { throw FileError("read", path) }
        return paths
    }

    /// Calls `body` for every file below a folder, ordered by the names in each folder; a folder reached
    /// through several links is walked once.
    ///
    /// `refused` is called for folders that cannot be read.
    public static func walk(
        _ path: String, refused: (FileError) -> Void = { _ in }, _ body: (String) throws -> Void
    ) throws {
        var seen: Set<FileStatus.Identity> = []
        try walk(path, &seen, refused, body)
    }

    private static func walk(
        _ path: String, _ seen: inout Set<FileStatus.Identity>, _ refused: (FileError) -> Void,
        _ body: (String) throws -> Void
    ) throws {
        let entries: [Entry]
        do {
            guard seen.insert(try FileStatus(of: path).identity).inserted else { return }
            entries = try Folder.entries(of: path)
        } catch {
            refused(error)
            return
        }
        for entry in entries {
            switch entry.kind {
            case .file: try body(entry.path)
            case .folder: try walk(entry.path, &seen, refused, body)
            case .other: continue
            }
        }
    }

    /// Removes a folder and its contents; symbolic links are removed, not followed.
    public static func remove(_ path: String) throws(FileError) {
        if unsafe unlinkat(AT_FDCWD, FileName.systemPath(path), 0) == 0 { return }
        // unlink(2) of a folder: EISDIR on Linux, EPERM in POSIX. Trying it first never follows a symbolic link.
        guard errno == EISDIR || errno == EPERM else {
            if errno == ENOENT { return }
            throw FileError("remove", path)
        }
        for entry in try paths(in: path) { try remove(entry) }
        guard unsafe rmdir(FileName.systemPath(path)) == 0 else { throw FileError("remove", path) }
    }
}

/// A temporary folder, removed with its contents by `deinit`.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// Creates a folder with a unique name in `parent`, by default the system's folder for temporary files.
    public init(in parent: String? = nil) throws(FileError) {
        let base = parent ?? TemporaryFolder.systemFolder
        var template = FileName.systemPath(base + "/tileserve-XXXXXX")
        guard unsafe mkdtemp(&template) != nil else { throw FileError("create", base) }
        path = FileName.text(template.dropLast().map { UInt8(bitPattern: $0) })
    }

    deinit {
        // A failure cannot be reported here; the system clears its temporary folder.
        try? Folder.remove(path)
    }

    static var systemFolder: String {
        guard let text = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: text)
        return path.isEmpty ? "/tmp" : path
    }
}
