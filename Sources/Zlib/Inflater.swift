import CZlib

/// What zlib found wrong with compressed bytes.
public enum ZlibError: Error, Equatable {
    /// The bytes are no gzip or zlib stream, or were damaged.
    case damaged
    /// The stream breaks off before its end.
    case truncated
    /// zlib found no memory.
    case outOfMemory
}

/// Unpacks a gzip or zlib stream piece by piece; gzip members that follow one another read as one.
///
/// The state takes about 40 KiB, whatever the stream's size.
@safe
public final class Inflater {
    // zlib keeps a pointer back to its stream, so that one must never move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var betweenMembers = false
    private var started = false
    private let isRaw: Bool
    // zlib may hold more output back when it filled the last one.
    private var outputPending = false

    /// Whether nothing is left to come: the stream's end was seen, and what follows is no further member.
    public private(set) var isFinished = false

    /// 15 bits of window, the greatest there is; 32 more lets zlib tell gzip from its own format.
    private static let windowBits: Int32 = 15 + 32
    /// The same window; below 0 there is no frame.
    private static let rawWindowBits: Int32 = -15

    /// An unpacker at the beginning of a stream; `raw` for deflated bytes without any frame, as in ZIP archives.
    public init(raw: Bool = false) throws {
        isRaw = raw
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit2_(
            stream, raw ? Self.rawWindowBits : Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw ZlibError.outOfMemory
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Unpacks `input` from `offset` on (which is moved behind what was used) into at most `limit` bytes.
    ///
    /// An empty result says that more input is needed, or, with `isFinished`, that there is no more.
    public func inflate(_ input: [UInt8], from offset: inout Int, limit: Int) throws -> [UInt8] {
        guard !isFinished, offset < input.count || outputPending else { return [] }
        if betweenMembers {
            // What gzip itself does: a second member is read on, anything else behind the end is padding.
            guard input[offset] == 0x1F else {
                isFinished = true
                return []
            }
            guard unsafe inflateReset(stream) == Z_OK else { throw ZlibError.damaged }
            betweenMembers = false
        }
        started = true
        var status = Z_OK
        var used = 0
        let start = offset
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: bytes.baseAddress.map { unsafe $0 + start })
                unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count - start)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(clamping: limit)
                let given = unsafe stream.pointee.avail_in
                status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                used = unsafe Int(given - stream.pointee.avail_in)
                count = unsafe limit - Int(stream.pointee.avail_out)
            }
        }
        offset += used
        outputPending = output.count == limit && status == Z_OK
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END where isRaw: isFinished = true
        case Z_STREAM_END: betweenMembers = true
        case Z_MEM_ERROR: throw ZlibError.outOfMemory
        default: throw ZlibError.damaged
        }
        return output
    }

    /// Says that no input follows; throws `truncated` where the stream was not at its end.
    public func finish() throws {
        guard betweenMembers || isFinished || !started else { throw ZlibError.truncated }
        isFinished = true
    }
}
