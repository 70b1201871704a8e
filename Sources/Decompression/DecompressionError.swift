/// What was found wrong with compressed bytes.
public enum DecompressionError: Error, Equatable {
    /// The bytes are no stream of this kind, or were changed.
    case damaged
    /// The stream ends before its end marker.
    case truncated
    /// Decoding the stream needs more memory than this many bytes.
    case memoryLimit(bytes: UInt64)
    /// The library could allocate no memory.
    case outOfMemory
}
