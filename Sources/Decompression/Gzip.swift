/// Gzip streams that are complete in memory.
public enum Gzip {
    /// Whether the bytes begin like a gzip stream.
    public static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
    }

    /// Compresses at zlib's default level, without name and time, so that equal bytes give equal streams.
    public static func compress(_ bytes: [UInt8]) throws(DecompressionError) -> [UInt8] {
        try DeflateWriter(.gzip, level: .standard).compress(bytes, isLast: true)
    }
}
