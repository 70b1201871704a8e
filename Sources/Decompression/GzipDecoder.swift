internal import CZlib

/// Decompresses a gzip stream in chunks; concatenated streams are read as one.
///
/// The state takes about 40 KiB, whatever the size of the stream. Not thread-safe.
@safe
public final class GzipDecoder {
    // zlib keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    // zlib may hold more output if it filled the last output buffer.
    private var isOutputPending = false
    private var isInStream = false

    /// Whether the end was reached: of the stream, and no further stream follows.
    public private(set) var isFinished = false

    /// 15 bits is the largest window; adding 16 selects the gzip format.
    private static let windowBits: Int32 = 15 + 16
    private static let firstByteOfStream: UInt8 = 0x1F

    /// A decoder at the beginning of a stream.
    public init() throws(DecompressionError) {
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decompresses `input` from `offset`, which is advanced past the consumed bytes, into at most `limit` bytes.
    ///
    /// An empty result means that more input is needed or, if `isFinished`, that the stream has ended.
    public func decode(
        _ input: [UInt8], from offset: inout Int, limit: Int
    ) throws(DecompressionError) -> [UInt8] {
        guard !isFinished, offset < input.count || isOutputPending else { return [] }
        if !isInStream {
            // Same as the program `gzip`: a second stream is read, anything else after the end is padding.
            guard input[offset] == Self.firstByteOfStream else {
                isFinished = true
                return []
            }
            guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
            isInStream = true
        }
        let start = offset
        var status = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                let rest = unsafe UnsafeBufferPointer(rebasing: bytes[start...])
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(clamping: rest.count)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(clamping: limit)
                let given = unsafe stream.pointee.avail_in
                status = unsafe inflate(stream, Z_NO_FLUSH)
                offset += unsafe Int(given - stream.pointee.avail_in)
                count = unsafe limit - Int(stream.pointee.avail_out)
            }
        }
        switch status {
        // Z_BUF_ERROR: no progress was possible.
        case Z_OK, Z_BUF_ERROR, Z_STREAM_END: break
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        isInStream = status != Z_STREAM_END
        isOutputPending = output.count == limit && isInStream
        return output
    }

    /// Declares the end of the input; throws `truncated` if a stream has begun and not ended.
    public func finish() throws(DecompressionError) {
        guard isFinished || !isInStream else { throw .truncated }
        isFinished = true
    }
}
