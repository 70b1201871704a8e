internal import CBZip2

/// bzip2. The state takes at most 4 MiB, whatever the size of the stream.
@safe
final class BZip2Codec: Codec {
    // libbz2 keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<bz_stream>
    private var isOpen = false

    var firstByteOfNext: UInt8? { UInt8(ascii: "B") }

    /// Whether the bytes begin like a bzip2 stream: the level, then the magic number of a block or of the end.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 10, bytes.starts(with: "BZh".utf8), (0x31...0x39).contains(bytes[3]) else { return false }
        let magic = bytes[4..<10]
        return magic.elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
            || magic.elementsEqual([0x17, 0x72, 0x45, 0x38, 0x50, 0x90])
    }

    init() throws(DecompressionError) {
        unsafe stream = UnsafeMutablePointer<bz_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: bz_stream())
        try restart()
    }

    deinit {
        close()
        unsafe stream.deallocate()
    }

    func restart() throws(DecompressionError) {
        close()
        unsafe stream.pointee = bz_stream()
        guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else { throw .outOfMemory }
        isOpen = true
    }

    private func close() {
        guard isOpen else { return }
        unsafe BZ2_bzDecompressEnd(stream)
        isOpen = false
    }

    func decode(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, isLast: Bool
    ) throws(DecompressionError) -> CodecStep {
        // libbz2 reports input that ends early as a wrong sequence of calls.
        guard !isLast else { return CodecStep(used: 0, written: 0, isAtEnd: false) }
        // libbz2 never writes through next_in.
        unsafe stream.pointee.next_in = input.baseAddress.map {
            unsafe UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: CChar.self)
        }
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
        unsafe stream.pointee.next_out = output.baseAddress.map {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
        }
        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
        let given = unsafe stream.pointee.avail_in
        let status = unsafe BZ2_bzDecompress(stream)
        switch status {
        case BZ_OK, BZ_STREAM_END: break
        case BZ_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        return unsafe CodecStep(
            used: Int(given - stream.pointee.avail_in), written: output.count - Int(stream.pointee.avail_out),
            isAtEnd: status == BZ_STREAM_END)
    }
}
