import CPNG
import CZlib

/// Encodes a large opaque image as PNG, in bands of rows, so that only one band is in memory besides the compressed data.
///
/// Each row stores the differences to the row above (filter type 2), which suits large smooth images. Safe: the writer
/// owns the stream, and every C call gets the length of its buffers.
@safe
public final class PNGBandWriter {
    // zlib keeps a pointer back to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let width: Int
    private let height: Int
    private let dpi: Int
    private var rowsDone = 0
    private var previous: [UInt8]
    private var deflated: [UInt8] = []

    private static let level: Int32 = 6
    private static let blockBytes = 256 * 1024
    /// Differences to the row above.
    private static let upFilter: UInt8 = 2

    /// A writer for an image of `width` × `height` pixels, which is printed with `dpi` pixels an inch.
    public init(width: Int, height: Int, dpi: Int) throws(PNGError) {
        precondition(width > 0 && height > 0 && dpi > 0, "a picture has pixels")
        self.width = width
        self.height = height
        self.dpi = dpi
        previous = [UInt8](repeating: 0, count: 3 * width)
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe deflateInit_(
            stream, Self.level, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw PNGError(message: "zlib has no memory")
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Adds the next rows: opaque words 0xFFRRGGBB, `width` a row.
    public func add(_ words: Span<UInt32>, rows: Int) throws(PNGError) {
        precondition(words.count == rows * width && rowsDone + rows <= height, "a pixel for each place")
        var line = [UInt8](repeating: 0, count: 1 + 3 * width)
        line[0] = Self.upFilter
        for row in 0..<rows {
            for x in 0..<width {
                let word = words[row * width + x]
                for (channel, shift) in [(0, UInt32(16)), (1, 8), (2, 0)] {
                    let byte = UInt8(truncatingIfNeeded: word >> shift)
                    let place = 3 * x + channel
                    line[1 + place] = byte &- previous[place]
                    previous[place] = byte
                }
            }
            try deflate(line, isLast: false)
        }
        rowsDone += rows
    }

    /// The file; all rows must have been added.
    public func finish() throws(PNGError) -> [UInt8] {
        precondition(rowsDone == height, "all rows")
        try deflate([], isLast: true)
        return try PNGContainer(
            width: width, height: height, depth: 8, colorType: PNG_COLOR_TYPE_RGB, palette: [], dpi: dpi
        ).file(of: deflated, count: deflated.count)
    }

    private func deflate(_ bytes: [UInt8], isLast: Bool) throws(PNGError) {
        var status = Z_OK
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
            repeat {
                let block = unsafe [UInt8](unsafeUninitializedCapacity: Self.blockBytes) { buffer, count in
                    unsafe stream.pointee.next_out = buffer.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
                    status = unsafe CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    count = unsafe buffer.count - Int(stream.pointee.avail_out)
                }
                deflated += block
            } while unsafe status == Z_OK && stream.pointee.avail_out == 0
            unsafe stream.pointee.next_in = nil
        }
        // Z_BUF_ERROR: there was nothing more to do.
        guard status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END, !isLast || status == Z_STREAM_END
        else { throw PNGError(message: "the picture could not be compressed") }
    }
}
