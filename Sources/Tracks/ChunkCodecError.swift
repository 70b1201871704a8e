/// Why bytes cannot be decoded as a chunk.
public enum ChunkCodecError: Error, Sendable, Equatable {
    /// The bytes end too early.
    case truncated
    /// A newer tileserve wrote the bytes, with this version of the format.
    case newerVersion(UInt8)
    /// The bytes contradict the format.
    case malformed
}
