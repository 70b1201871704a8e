internal import Glibc

/// Folders: made, listed, walked, removed.
public enum Folder {
    /// What stands in a folder.
    public struct Entry: Sendable, Equatable {
        /// The path, beginning with the folder's own.
        public let path: String
        /// File, folder or other, symbolic links followed.
        public let kind: FileStatus.Kind
    }

    /// Makes a folder, and those on the way to it, which are `.shared`.
    ///
    /// Each one that is made survives a loss of power unless `durability` says otherwise.
    public static func make(
        _ path: String, access: FileAccess = .shared, durability: AtomicFile.Durability = .synchronised
    ) throws(FileError) {
        if try makeOne(path, access, durability) { return }
        let parent = containing(path)
        guard parent != path else { throw FileError("make", path, code: ENOENT) }
        try make(parent, durability: durability)
        guard try makeOne(path, access, durability) else { throw FileError("make", path, code: ENOENT) }
    }

    /// False where the folder that it belongs in is not there.
    private static func makeOne(
        _ path: String, _ access: FileAccess, _ durability: AtomicFile.Durability
    ) throws(FileError) -> Bool {
        guard unsafe mkdir(path, access.folderMode) == 0 else {
            let code = errno
            if code == ENOENT { return false }
            // Somebody may have made it meanwhile; a read-only disk refuses before it looks.
            if FileStatus.ifAny(of: path)?.kind == .folder { return true }
            throw FileError("make", path, code: code)
        }
        if access == .owner, unsafe chmod(path, access.folderMode) != 0 { throw FileError("change", path) }
        if durability == .synchronised { try AtomicFile.synchroniseFolder(of: path) }
        return true
    }

    /// The folder that a file or folder is in, as it is named: `.` for a name alone.
    static func containing(_ path: String) -> String {
        var trimmed = path[...]
        while trimmed.hasSuffix("/"), trimmed.count > 1 { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: "/") else { return trimmed == "." ? "/" : "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// The names in a folder, ordered by their bytes; what cannot be looked at is left out.
    ///
    /// `refused` is told of names that are no UTF-8, and so have no path.
    public static func entries(
        of path: String, refused: (FileError) -> Void = { _ in }
    ) throws(FileError) -> [Entry] {
        guard let stream = unsafe opendir(path) else { throw FileError("read", path) }
        defer { _ = unsafe closedir(stream) }
        let base = path.hasSuffix("/") ? path : path + "/"
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                refused(FileError("read", base + String(decoding: bytes, as: UTF8.self), code: EILSEQ))
                continue
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw FileError("read", path) }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.compactMap { name in
            FileStatus.ifAny(of: base + name).map { Entry(path: base + name, kind: $0.kind) }
        }
    }

    /// Calls `body` with every file below a folder, ordered by their bytes; a folder that links lead to twice is walked once.
    ///
    /// `refused` is told of a folder that cannot be read, and of names that are no UTF-8.
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
            entries = try Folder.entries(of: path, refused: refused)
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

    /// Removes a folder with all that is in it; links are removed, not followed.
    public static func remove(_ path: String) throws(FileError) {
        if unsafe unlinkat(AT_FDCWD, path, 0) == 0 { return }
        guard errno == EISDIR || errno == EPERM else {
            if errno == ENOENT { return }
            throw FileError("remove", path)
        }
        for entry in try namesForRemoval(in: path) { try remove(entry) }
        guard unsafe rmdir(path) == 0 else { throw FileError("remove", path) }
    }

    private static func namesForRemoval(in path: String) throws(FileError) -> [String] {
        guard let stream = unsafe opendir(path) else { throw FileError("read", path) }
        defer { _ = unsafe closedir(stream) }
        var paths: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { paths.append(path + "/" + name) }
        }
        return paths
    }
}

/// A folder for the time being, removed with all that is in it when the object goes.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let path: String

    /// Makes a folder that nobody else has, in `parent` (the system's place for such, unless said).
    public init(in parent: String? = nil) throws(FileError) {
        let base = parent ?? TemporaryFolder.systemFolder
        var template = Array((base + "/tileserve-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw FileError("make", base) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // Nothing is left to tell of a failure here; the system clears such folders.
        try? Folder.remove(path)
    }

    static var systemFolder: String {
        guard let text = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: text)
        return path.isEmpty ? "/tmp" : path
    }
}
