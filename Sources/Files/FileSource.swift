internal import Glibc

/// Reads a file, or the standard input, block by block from its beginning.
///
/// Not thread-safe.
public final class FileSource {
    /// The path, for messages.
    private let path: String
    /// The status when it was opened.
    public let fileStatus: FileStatus
    /// The offset of the next byte to read.
    public private(set) var position: Int64 = 0
    private let descriptor: Descriptor
    /// Whether to stop waiting for the bytes of a pipe or terminal.
    private let isStopped: () -> Bool

    /// Milliseconds after which a wait notices that it was stopped: soon enough for people.
    private static let waitMilliseconds: Int32 = 100

    /// Opens a file; fails for a folder. Reading a pipe without a writer, or one without data, ends with an error when
    /// `isStopped` returns true.
    public init(path: String, isStopped: @escaping () -> Bool = { false }) throws(FileError) {
        // Opening a named pipe would wait for its writer.
        let isOrdinary = FileStatus.ifExists(of: path)?.kind != .other
        let descriptor = try Descriptor(opening: path, isOrdinary ? O_RDONLY : O_RDONLY | O_NONBLOCK)
        let fileStatus = try descriptor.fileStatus()
        guard fileStatus.kind != .folder else { throw FileError("read", path, code: EISDIR) }
        // Advice only: errors do not matter.
        _ = posix_fadvise(descriptor.number, 0, 0, POSIX_FADV_SEQUENTIAL)
        self.path = path
        self.fileStatus = fileStatus
        self.descriptor = descriptor
        self.isStopped = isStopped
    }

    /// Opens the standard input.
    public init(standardInput: (), isStopped: @escaping () -> Bool = { false }) throws(FileError) {
        let descriptor = try Descriptor(duplicating: STDIN_FILENO, path: "standard input")
        self.path = "standard input"
        self.fileStatus = try descriptor.fileStatus()
        self.descriptor = descriptor
        self.isStopped = isStopped
    }

    /// Continues reading at this offset from the beginning.
    public func move(to position: Int64) throws(FileError) {
        try descriptor.move(to: position)
        self.position = position
    }

    /// The next bytes, at least one and at most `limit`; empty at the end.
    public func read(upTo limit: Int) throws(FileError) -> [UInt8] {
        if fileStatus.kind == .other { try waitForBytes() }
        let bytes = try descriptor.read(upTo: limit)
        position += Int64(bytes.count)
        return bytes
    }

    /// Waits until there are bytes or an end to be read. A named pipe without a writer has neither.
    private func waitForBytes() throws(FileError) {
        while !descriptor.isReadable(within: Self.waitMilliseconds) {
            if isStopped() { throw FileError("read", path, code: ECANCELED) }
        }
    }

    /// All remaining bytes; nil if there are more than `limit`.
    public func readAll(limit: Int) throws(FileError) -> [UInt8]? {
        var result: [UInt8] = []
        while true {
            let block = try read(upTo: FileSource.blockBytes)
            if block.isEmpty { return result }
            guard result.count + block.count <= limit else { return nil }
            result += block
        }
    }

    /// The default block size: large enough that the cost of the call is negligible, small enough for the processor's
    /// cache.
    public static let blockBytes = 256 * 1024
}
