internal import CLZMA

/// xz, with concatenated streams. Memory is limited to `memoryLimit`, whatever the stream requires.
@safe
final class XZCodec: Codec {
    /// The largest preset, `xz -9`, has a dictionary of 64 MiB; the decoder needs a little more.
    private static let memoryLimit: UInt64 = 72 * 1024 * 1024

    // liblzma keeps a pointer to its internal state in the stream; it is freed once, in `deinit`.
    private let stream: UnsafeMutablePointer<lzma_stream>

    var firstByteOfNext: UInt8? { nil }

    /// Whether the bytes begin like an xz stream.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    }

    init() throws(DecompressionError) {
        unsafe stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
        // LZMA_STREAM_INIT is all zeros.
        unsafe stream.initialize(to: lzma_stream())
        // 8 is LZMA_CONCATENATED, a macro that is not imported into Swift.
        guard unsafe lzma_stream_decoder(stream, Self.memoryLimit, 8) == LZMA_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    func restart() {}

    func decode(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, isLast: Bool
    ) throws(DecompressionError) -> CodecStep {
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = input.count
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = output.count
        let status = unsafe lzma_code(stream, isLast ? LZMA_FINISH : LZMA_RUN)
        switch status {
        // LZMA_BUF_ERROR: no progress was possible.
        case LZMA_OK, LZMA_BUF_ERROR, LZMA_STREAM_END: break
        case LZMA_MEM_ERROR: throw .outOfMemory
        case LZMA_MEMLIMIT_ERROR: throw .memoryLimit(bytes: Self.memoryLimit)
        default: throw .damaged
        }
        return unsafe CodecStep(
            used: input.count - stream.pointee.avail_in, written: output.count - stream.pointee.avail_out,
            isAtEnd: status == LZMA_STREAM_END)
    }
}
