internal import CLZMA

/// Decompresses an xz stream in chunks; concatenated streams are read as one.
///
/// Memory is limited to `memoryLimit`, whatever the stream requires.
@safe
public final class XZDecoder {
    /// The largest preset, `xz -9`, has a dictionary of 64 MiB; the decoder needs a little more.
    public static let memoryLimit: UInt64 = 72 * 1024 * 1024

    // liblzma keeps a pointer to its internal state in the stream; it is freed once, in `deinit`.
    private let stream: UnsafeMutablePointer<lzma_stream>
    // liblzma may hold more output if it filled the last output buffer.
    private var outputPending = false

    /// Whether the end was reached.
    public private(set) var isFinished = false

    /// Whether the bytes begin like an xz stream.
    public static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00])
    }

    /// A decoder at the beginning of a stream.
    public init() throws {
        unsafe stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
        // LZMA_STREAM_INIT is all zeros.
        unsafe stream.initialize(to: lzma_stream())
        // 8 is LZMA_CONCATENATED, a macro that is not imported into Swift.
        guard unsafe lzma_stream_decoder(stream, Self.memoryLimit, 8) == LZMA_OK else {
            unsafe stream.deallocate()
            throw DecompressionError.outOfMemory
        }
    }

    deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    /// Decompresses `input` from `offset`, which is advanced past the consumed bytes, into at most `limit` bytes.
    ///
    /// An empty result means that more input is needed or, if `isFinished`, that the stream has ended.
    public func decode(_ input: [UInt8], from offset: inout Int, limit: Int) throws -> [UInt8] {
        guard !isFinished, offset < input.count || outputPending else { return [] }
        return try run(input, from: &offset, limit: limit, LZMA_RUN)
    }

    /// Declares the end of the input; throws `truncated` if the stream has not ended.
    public func finish() throws {
        guard !isFinished else { return }
        var offset = 0
        // All output was taken before the last input ended: only the end marker can follow.
        _ = try run([], from: &offset, limit: 1, LZMA_FINISH)
        guard isFinished else { throw DecompressionError.truncated }
    }

    private func run(
        _ input: [UInt8], from offset: inout Int, limit: Int, _ action: lzma_action
    ) throws -> [UInt8] {
        var status = LZMA_OK
        var used = 0
        let start = offset
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                unsafe stream.pointee.next_in = bytes.baseAddress.map { unsafe $0 + start }
                unsafe stream.pointee.avail_in = bytes.count - start
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = limit
                status = unsafe lzma_code(stream, action)
                used = unsafe bytes.count - start - stream.pointee.avail_in
                count = unsafe limit - stream.pointee.avail_out
            }
        }
        offset += used
        outputPending = output.count == limit && status == LZMA_OK
        switch status {
        // LZMA_BUF_ERROR: no progress was possible.
        case LZMA_OK, LZMA_BUF_ERROR: break
        case LZMA_STREAM_END: isFinished = true
        case LZMA_MEM_ERROR: throw DecompressionError.outOfMemory
        case LZMA_MEMLIMIT_ERROR: throw DecompressionError.memoryLimit(bytes: Self.memoryLimit)
        default: throw DecompressionError.damaged
        }
        return output
    }
}
