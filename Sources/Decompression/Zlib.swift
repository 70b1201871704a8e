internal import CZlib

/// Streams in the format of zlib (RFC 1950), as PNG contains them.
public enum Zlib {
    /// The bytes of a stream of at most `limit` bytes; throws `damaged` if it has more or is not complete.
    public static func decompressed(_ bytes: [UInt8], limit: Int) throws(DecompressionError) -> [UInt8] {
        var status = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var length = uLongf(limit)
            status = unsafe uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
            count = status == Z_OK ? Int(length) : 0
        }
        switch status {
        case Z_OK: return output
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
    }
}
