internal import CZlib

/// gzip, zlib or raw deflate data. The state takes about 40 KiB, whatever the size of the stream.
@safe
final class DeflateCodec: Codec {
    // zlib keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isRaw: Bool

    /// 15 bits is the largest window; adding 32 makes zlib detect gzip or zlib format.
    private static let windowBits: Int32 = 15 + 32
    /// The same window; a negative value means no header and trailer.
    private static let rawWindowBits: Int32 = -15

    var firstByteOfNext: UInt8? { isRaw ? nil : 0x1F }

    init(raw: Bool) throws(DecompressionError) {
        isRaw = raw
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, raw ? Self.rawWindowBits : Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func restart() throws(DecompressionError) {
        guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
    }

    func decode(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, isLast: Bool
    ) throws(DecompressionError) -> CodecStep {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
        let given = unsafe stream.pointee.avail_in
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        switch status {
        // Z_BUF_ERROR: no progress was possible.
        case Z_OK, Z_BUF_ERROR, Z_STREAM_END: break
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        return unsafe CodecStep(
            used: Int(given - stream.pointee.avail_in), written: output.count - Int(stream.pointee.avail_out),
            isAtEnd: status == Z_STREAM_END)
    }
}
