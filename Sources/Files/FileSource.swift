internal import Glibc

/// Reads a file, or the standard input, block by block from its beginning.
///
/// One thread uses it at a time.
public final class FileSource {
    /// The file, or `-`.
    public let path: String
    /// What the system knew when it was opened.
    public let facts: FileStatus
    /// How many bytes have been read.
    public private(set) var position: Int64 = 0
    private let descriptor: Descriptor

    /// Opens a file; a folder is refused.
    public init(path: String) throws(FileError) {
        let descriptor = try Descriptor(opening: path, O_RDONLY)
        let facts = try descriptor.facts()
        guard facts.kind != .folder else { throw FileError("read", path, code: EISDIR) }
        // Advice only: a refusal changes nothing.
        _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL)
        self.path = path
        self.facts = facts
        self.descriptor = descriptor
    }

    /// Opens the standard input.
    public init(standardInput: ()) throws(FileError) {
        let descriptor = try Descriptor(duplicating: STDIN_FILENO, path: "standard input")
        self.path = "-"
        self.facts = try descriptor.facts()
        self.descriptor = descriptor
    }

    /// Goes on at another place of the file, counted from its beginning.
    public func move(to position: Int64) throws(FileError) {
        try descriptor.move(to: position)
        self.position = position
    }

    /// The next bytes, at least one and at most `limit`; none at the end.
    public func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        let bytes = try descriptor.read(upTo: limit)
        position += Int64(bytes.count)
        return bytes
    }

    /// All that is left, where it is at most `limit` bytes; nil where it is more.
    public func readAll(limit: Int) throws(FileError) -> [UInt8]? {
        var result: [UInt8] = []
        while true {
            let block = try read(upTo: FileSource.blockBytes)
            if block.isEmpty { return result }
            guard result.count + block.count <= limit else { return nil }
            result += block
        }
    }

    /// A block large enough that the call costs nothing beside the copy, small enough for the processor's cache.
    public static let blockBytes = 256 * 1024
}
