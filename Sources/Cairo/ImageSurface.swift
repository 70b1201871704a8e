import CCairo
import Colors

/// An image in memory that cairo can draw on and that safe code can read and write.
///
/// The handle has one owner. While the pixels are borrowed, the surface is borrowed too, so nothing can draw. Safe:
/// every pointer into cairo stays inside a call, and pixels are accessed through spans of their exact size.
@safe
public struct ImageSurface: ~Copyable {
    /// The pixel format.
    public enum Format: Sendable {
        /// One byte: an alpha, or any number that the caller stores there.
        case alpha8
        /// A 32-bit word 0xAARRGGBB with premultiplied colours.
        case argb32
    }

    let handle: OpaquePointer
    public let format: Format
    /// Pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The distance of two rows in bytes; a multiple of 4.
    public let bytesPerRow: Int

    private let data: UnsafeMutablePointer<UInt8>

    /// A transparent surface; throws if cairo has no memory for it or a side exceeds 32,767 pixels.
    public init(_ format: Format, width: Int, height: Int) throws(CairoError) {
        precondition(width > 0 && height > 0, "a picture has pixels")
        let cairoFormat =
            switch format {
            case .alpha8: CAIRO_FORMAT_A8
            case .argb32: CAIRO_FORMAT_ARGB32
            }
        // Even on failure cairo returns an object, which holds the status.
        let made = unsafe cairo_image_surface_create(cairoFormat, Int32(clamping: width), Int32(clamping: height))
        guard let made = unsafe made else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        let status = unsafe cairo_surface_status(made)
        guard status == CAIRO_STATUS_SUCCESS, let data = unsafe cairo_image_surface_get_data(made) else {
            unsafe cairo_surface_destroy(made)
            throw CairoError(status == CAIRO_STATUS_SUCCESS ? CAIRO_STATUS_NO_MEMORY : status)
        }
        unsafe handle = unsafe made
        unsafe self.data = unsafe data
        self.format = format
        self.width = width
        self.height = height
        bytesPerRow = unsafe Int(cairo_image_surface_get_stride(made))
    }

    deinit {
        unsafe cairo_surface_destroy(handle)
    }

    /// Calls `body` with the pixels of an `.alpha8` surface, for writing: `height` rows, `bytesPerRow` apart.
    public mutating func withBytes<Result, Failure: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(format == .alpha8, "bytes are the pixels of alpha8")
        unsafe cairo_surface_flush(handle)
        defer { unsafe cairo_surface_mark_dirty(handle) }
        var span = unsafe MutableSpan(_unsafeStart: data, count: bytesPerRow * height)
        return try body(&span)
    }

    /// Calls `body` with the pixels of an `.argb32` surface, for writing: `height` rows of `width` words, without
    /// padding.
    public mutating func withWords<Result, Failure: Error>(
        _ body: (inout MutableSpan<UInt32>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(format == .argb32, "words are the pixels of argb32")
        unsafe cairo_surface_flush(handle)
        defer { unsafe cairo_surface_mark_dirty(handle) }
        // Rows of 4-byte pixels are already a multiple of 4 bytes, so cairo adds no padding; this is checked here.
        precondition(bytesPerRow == 4 * width, "rows without padding")
        let words = unsafe UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt32.self)
        var span = unsafe MutableSpan(_unsafeStart: words, count: width * height)
        return try body(&span)
    }

    /// Makes every pixel transparent (0).
    public mutating func clear() {
        unsafe cairo_surface_flush(handle)
        unsafe data.update(repeating: 0, count: bytesPerRow * height)
        unsafe cairo_surface_mark_dirty(handle)
    }

    /// Draws on the surface; after `body` has returned, throws the first status that was not success.
    public mutating func draw(_ body: (borrowing Context) -> Void) throws(CairoError) {
        let context = try unsafe Context(on: handle)
        body(context)
        try context.finish()
        unsafe cairo_surface_flush(handle)
        try CairoError.check(unsafe cairo_surface_status(handle))
    }

    /// The pixels as bytes red, green, blue, alpha with straight alpha; an `.alpha8` surface gives black with its
    /// alphas.
    public mutating func straightBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        switch format {
        case .argb32:
            bytes = [UInt8](repeating: 0, count: 4 * width * height)
            withWords { words in
                var straight = bytes.mutableSpan
                for index in words.indices { Self.put(words[index], into: &straight, at: 4 * index) }
            }
        case .alpha8:
            let (width, height, bytesPerRow) = (width, height, bytesPerRow)
            withBytes { alphas in
                for y in 0..<height {
                    for x in 0..<width { bytes += [0, 0, 0, alphas[y * bytesPerRow + x]] }
                }
            }
        }
        return bytes
    }

    @inline(__always)
    private static func put(_ word: UInt32, into bytes: inout MutableSpan<UInt8>, at index: Int) {
        // Most pictures are maps without holes, whose colours are what they are.
        guard word < 0xFF00_0000 else {
            bytes[index] = UInt8(truncatingIfNeeded: word >> 16)
            bytes[index + 1] = UInt8(truncatingIfNeeded: word >> 8)
            bytes[index + 2] = UInt8(truncatingIfNeeded: word)
            bytes[index + 3] = .max
            return
        }
        let color = Color(premultiplied: word)
        bytes[index] = color.red
        bytes[index + 1] = color.green
        bytes[index + 2] = color.blue
        bytes[index + 3] = color.alpha
    }
}
