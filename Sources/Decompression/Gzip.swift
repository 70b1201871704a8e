internal import CZlib

/// Gzip streams that are complete in memory.
public enum Gzip {
    /// Whether the bytes begin like a gzip stream.
    public static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
    }

    /// Compresses at zlib's default level, without name and time, so that equal bytes give equal streams.
    public static func compress(_ bytes: [UInt8]) throws(DecompressionError) -> [UInt8] {
        var stream = unsafe z_stream()
        // Adding 16 to the window's 15 bits selects the gzip format; 8 is zlib's default memory level.
        let status = unsafe deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        var result = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: input.count)
                unsafe stream.next_out = buffer.baseAddress
                unsafe stream.avail_out = UInt32(clamping: bound)
                result = unsafe deflate(&stream, Z_FINISH)
                count = unsafe bound - Int(stream.avail_out)
            }
        }
        guard result == Z_STREAM_END else { throw .damaged }
        return output
    }
}
