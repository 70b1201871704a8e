/// Decompresses a stream in chunks; concatenated streams are read as one.
///
/// The memory does not grow with the size of the stream; see the codecs for their limits.
public final class StreamDecoder {
    private let codec: any Codec
    // A codec may hold more output if it filled the last output buffer.
    private var isOutputPending = false
    private var hasStarted = false
    private var isBetweenStreams = false

    /// Whether the end was reached: of the stream, and no further stream follows.
    public private(set) var isFinished = false

    /// A decoder of the format that the bytes begin with: gzip, xz or bzip2; nil for others.
    public init?(recognising head: [UInt8]) throws(DecompressionError) {
        if Gzip.recognises(head) {
            codec = try DeflateCodec(raw: false)
        } else if XZCodec.recognises(head) {
            codec = try XZCodec()
        } else if BZip2Codec.recognises(head) {
            codec = try BZip2Codec()
        } else {
            return nil
        }
    }

    /// A decoder of deflate data without header and trailer, as in ZIP archives.
    public init(rawDeflate: ()) throws(DecompressionError) {
        codec = try DeflateCodec(raw: true)
    }

    /// Decompresses `input` from `offset`, which is advanced past the consumed bytes, into at most `limit` bytes.
    ///
    /// An empty result means that more input is needed or, if `isFinished`, that the stream has ended.
    public func decode(
        _ input: [UInt8], from offset: inout Int, limit: Int
    ) throws(DecompressionError) -> [UInt8] {
        guard !isFinished, offset < input.count || isOutputPending else { return [] }
        if isBetweenStreams {
            // Same as the programs `gzip` and `bzip2`: a second stream is read, anything else after the end is padding.
            guard input[offset] == codec.firstByteOfNext else {
                isFinished = true
                return []
            }
            try codec.restart()
            isBetweenStreams = false
        }
        return try run(input, from: &offset, limit: limit, isLast: false)
    }

    /// Declares the end of the input; throws `truncated` if a stream has begun and not ended.
    public func finish() throws(DecompressionError) {
        if hasStarted, !isFinished, !isBetweenStreams {
            var offset = 0
            // All output was taken before the input ended: only the end of the stream can follow.
            _ = try run([], from: &offset, limit: 1, isLast: true)
            guard isFinished || isBetweenStreams else { throw .truncated }
        }
        isFinished = true
    }

    private func run(
        _ input: [UInt8], from offset: inout Int, limit: Int, isLast: Bool
    ) throws(DecompressionError) -> [UInt8] {
        hasStarted = true
        let start = offset
        var step = Result<CodecStep, DecompressionError>.failure(.damaged)
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                let rest = unsafe UnsafeBufferPointer(rebasing: bytes[start...])
                do throws(DecompressionError) {
                    let done = unsafe try codec.decode(rest, into: buffer, isLast: isLast)
                    count = done.written
                    step = .success(done)
                } catch {
                    step = .failure(error)
                }
            }
        }
        let done = try step.get()
        offset += done.used
        isOutputPending = output.count == limit && !done.isAtEnd
        if done.isAtEnd, codec.firstByteOfNext == nil { isFinished = true } else { isBetweenStreams = done.isAtEnd }
        return output
    }
}

/// What a codec did with its input.
struct CodecStep {
    /// The number of bytes taken from the input.
    var used: Int
    /// The number of bytes written to the output.
    var written: Int
    /// Whether the stream has ended.
    var isAtEnd: Bool
}

/// The decoder of one format, in a C library.
protocol Codec: AnyObject {
    /// The first byte of another stream that may follow a complete one; nil if the codec itself finds the end.
    var firstByteOfNext: UInt8? { get }

    /// Begins another stream.
    func restart() throws(DecompressionError)

    /// Decodes as much as possible; `isLast` if no more input follows.
    func decode(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, isLast: Bool
    ) throws(DecompressionError) -> CodecStep
}
