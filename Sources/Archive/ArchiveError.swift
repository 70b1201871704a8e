/// Why an archive, a member or a compressed file was not read.
public enum ArchiveError: Error, Equatable, Sendable {
    /// The archive is invalid; the text is libarchive's message.
    case invalid(String)
    /// The content of a member, or a compressed file, is damaged.
    case damagedData
    /// The archive or file ends too early.
    case truncated
    /// A password is needed.
    case encrypted
    /// The compression, or a property of the archive, is not supported; the text names it.
    case unsupported(String)
    /// The content of a member does not match its checksum or its size.
    case checksum
    /// The compressed data expands by more than this factor.
    case bomb(ratio: Int)
    /// More than this many members, bytes or so; the text is the limit.
    case limit(String)
    /// Reading it needs more than this many bytes of memory.
    case memory(bytes: Int)
    /// The library could not allocate memory.
    case outOfMemory
}
