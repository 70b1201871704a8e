import CZlib

/// An error in compressed data.
public enum ZlibError: Error, Equatable {
    /// The bytes are not a gzip or zlib stream, or are damaged.
    case damaged
    /// The stream ends early.
    case truncated
    /// zlib could not allocate memory.
    case outOfMemory
}

/// Decompresses a gzip or zlib stream in chunks; concatenated gzip members are read as one stream.
///
/// The state takes about 40 KiB, whatever the size of the stream.
@safe
public final class Inflater {
    // zlib keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var betweenMembers = false
    private var started = false
    private let isRaw: Bool
    // zlib may hold more output if it filled the last output buffer.
    private var outputPending = false

    /// Whether the end was reached: of the stream, and no further member follows.
    public private(set) var isFinished = false

    /// 15 bits is the largest window; adding 32 makes zlib detect gzip or zlib format.
    private static let windowBits: Int32 = 15 + 32
    /// The same window; a negative value means no header and trailer.
    private static let rawWindowBits: Int32 = -15

    /// A decompressor at the beginning of a stream; `raw` is deflate data without header and trailer, as in ZIP
    /// archives.
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

    /// Decompresses `input` from `offset`, which is advanced past the consumed bytes, into at most `limit` bytes.
    ///
    /// An empty result means that more input is needed or, if `isFinished`, that the stream has ended.
    public func inflate(_ input: [UInt8], from offset: inout Int, limit: Int) throws -> [UInt8] {
        guard !isFinished, offset < input.count || outputPending else { return [] }
        if betweenMembers {
            // Same as gzip: a second member is read, anything else after the end is padding.
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

    /// Declares the end of the input; throws `truncated` if the stream has not ended.
    public func finish() throws {
        guard betweenMembers || isFinished || !started else { throw ZlibError.truncated }
        isFinished = true
    }
}
