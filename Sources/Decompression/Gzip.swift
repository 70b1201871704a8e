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

    /// The bytes of a stream of at most `limit` bytes; throws `damaged` if it has more, `truncated` if it is not
    /// complete.
    public static func decompressed(_ bytes: [UInt8], limit: Int) throws(DecompressionError) -> [UInt8] {
        guard recognises(bytes) else { throw .damaged }
        let decoder = try GzipDecoder()
        var output: [UInt8] = []
        var offset = 0
        while true {
            let start = offset
            let block = try decoder.decode(bytes, from: &offset, limit: blockBytes)
            if block.isEmpty, offset == start { break }
            guard output.count + block.count <= limit else { throw .damaged }
            output += block
        }
        try decoder.finish()
        return output
    }

    private static let blockBytes = 64 * 1024
}
