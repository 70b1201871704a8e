internal import CBZip2

/// Decompresses a bzip2 stream in chunks; concatenated streams are read as one, as by `bzip2 -d`.
///
/// The state takes at most 4 MiB, whatever the size of the stream.
@safe
public final class BZip2Decoder {
    // libbz2 keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<bz_stream>
    private var isOpen = false
    private var outputPending = false

    /// Whether the end was reached: of the stream, and no further stream follows.
    public private(set) var isFinished = false
    private var betweenStreams = false
    private var started = false

    /// Whether the bytes begin like a bzip2 stream: the level, then the magic number of a block or of the end.
    public static func recognises(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 10, bytes.starts(with: "BZh".utf8), (0x31...0x39).contains(bytes[3]) else { return false }
        let magic = bytes[4..<10]
        return magic.elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
            || magic.elementsEqual([0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
    }

    /// A decoder at the beginning of a stream.
    public init() throws {
        unsafe stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: bz_stream())
        do { try open() } catch {
            unsafe stream.deallocate()
            throw error
        }
    }

    deinit {
        close()
        unsafe stream.deallocate()
    }

    private func open() throws {
        guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else { throw DecompressionError.outOfMemory }
        isOpen = true
    }

    private func close() {
        guard isOpen else { return }
        unsafe BZ2_bzDecompressEnd(stream)
        isOpen = false
    }

    /// Decompresses `input` from `offset`, which is advanced past the consumed bytes, into at most `limit` bytes.
    ///
    /// An empty result means that more input is needed or, if `isFinished`, that the stream has ended.
    public func decode(_ input: [UInt8], from offset: inout Int, limit: Int) throws -> [UInt8] {
        guard !isFinished, offset < input.count || outputPending else { return [] }
        if betweenStreams {
            // Same as bzip2: a second stream is read, anything else after the end is ignored.
            guard input[offset] == UInt8(ascii: "B") else {
                isFinished = true
                return []
            }
            close()
            unsafe stream.pointee = bz_stream()
            try open()
            betweenStreams = false
        }
        started = true
        var status = BZ_OK
        var used = 0
        let start = offset
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                // libbz2 never writes through next_in.
                unsafe stream.pointee.next_in = bytes.baseAddress.map {
                    unsafe UnsafeMutableRawPointer(mutating: $0 + start).assumingMemoryBound(to: CChar.self)
                }
                unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count - start)
                unsafe stream.pointee.next_out = buffer.baseAddress.map {
                    unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
                }
                unsafe stream.pointee.avail_out = UInt32(clamping: limit)
                let given = unsafe stream.pointee.avail_in
                status = unsafe BZ2_bzDecompress(stream)
                used = unsafe Int(given - stream.pointee.avail_in)
                count = unsafe limit - Int(stream.pointee.avail_out)
            }
        }
        offset += used
        outputPending = output.count == limit && status == BZ_OK
        switch status {
        case BZ_OK: break
        case BZ_STREAM_END: betweenStreams = true
        case BZ_MEM_ERROR: throw DecompressionError.outOfMemory
        default: throw DecompressionError.damaged
        }
        return output
    }

    /// Declares the end of the input; throws `truncated` if the stream has not ended.
    public func finish() throws {
        guard betweenStreams || isFinished || !started else { throw DecompressionError.truncated }
        isFinished = true
    }
}
