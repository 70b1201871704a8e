/// An error in compressed data.
public enum DecompressionError: Error, Equatable {
    /// The bytes are not a stream of this format, or are damaged.
    case damaged
    /// The stream ends before its end marker.
    case truncated
    /// The library could not allocate memory.
    case outOfMemory
}
