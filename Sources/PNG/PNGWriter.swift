import CISAL
import CPNG
import CZlib
public import Colors

/// Encodes images as PNG files. A writer reuses its compressor's memory for all images.
///
/// libpng writes the container and its checksums. The compressed data come from isa-l at level 1: it takes a quarter
/// to an eighth of the time of zlib with Z_RLE and gives about as many bytes as zlib at level 1. The bytes depend on
/// the image only, except on processors with AVX-512: if its thread is interrupted there, isa-l sometimes finds other
/// repetitions, which decode to the same pixels. Safe: the writer owns all memory, and every C call gets the length of
/// its buffers.
@safe
public struct PNGWriter: ~Copyable {
    /// The trade-off between time and size.
    public enum Compression: Sendable {
        /// isa-l at level 1, for images drawn on request.
        case fast
        /// zlib at level 9, a hundred times slower, for images drawn once.
        case smallest
    }

    private let compression: Compression
    private let deflater: UnsafeMutableRawPointer
    /// The rows of a picture, with a filter byte before each; memory that all pictures use.
    var rows: [UInt8] = []
    /// Memory for the palette indices of a picture.
    var indices: [UInt8] = []
    private var deflated: [UInt8] = []

    /// The size of the compression window, as a power of two.
    ///
    /// For palette indices 2^11 bytes are four rows of the largest tile; heat tiles become up to 3 % smaller than with
    /// 2^15. For four bytes a pixel 2^11 bytes are less than one row: line tiles become 6–9 % smaller with 2^15, in up
    /// to a third more time.
    private static let indexedWindowBits: Int32 = 11
    private static let rgbaWindowBits: Int32 = 15

    /// A writer with memory for its compressor, about 350 KiB.
    public init(_ compression: Compression = .fast) {
        self.compression = compression
        unsafe deflater = UnsafeMutableRawPointer.allocate(byteCount: isal_deflater_byte_count(), alignment: 64)
        unsafe deflater.initializeMemory(as: UInt8.self, repeating: 0, count: isal_deflater_byte_count())
    }

    deinit {
        unsafe deflater.deallocate()
    }

    /// An indexed PNG with 1, 2, 4 or 8 bits a pixel, depending on the size of the palette.
    ///
    /// Unused colours are kept.
    public mutating func png(of image: IndexedImage) throws(PNGError) -> [UInt8] {
        try png(
            indices: image.pixels.span, bytesPerRow: image.width, width: image.width, height: image.height,
            palette: image.palette)
    }

    /// An indexed PNG of rows that lie `bytesPerRow` apart.
    ///
    /// Each index must be below `palette.count`: a greater one is not checked, and shows as another colour or is
    /// rejected by readers.
    public mutating func png(
        indices: Span<UInt8>, bytesPerRow: Int, width: Int, height: Int, palette: [Color]
    ) throws(PNGError) -> [UInt8] {
        precondition((1...256).contains(palette.count), "1–256 colours")
        precondition(width > 0 && height > 0 && bytesPerRow >= width, "rows as long as the picture")
        precondition(indices.count >= (height - 1) * bytesPerRow + width, "a pixel for each place")
        let depth = PixelPacking.depth(colors: palette.count)
        PixelPacking.pack(
            indices, bytesPerRow: bytesPerRow, width: width, height: height, depth: depth, into: &rows)
        return try container(
            width: width, height: height, depth: depth, colorType: PNG_COLOR_TYPE_PALETTE, palette: palette)
    }

    /// A PNG with four bytes a pixel, for images of more than 256 colours.
    public mutating func png(of image: RGBAImage) throws(PNGError) -> [UInt8] {
        let rowBytes = 4 * image.width
        rows.removeAll(keepingCapacity: true)
        rows.reserveCapacity(image.height * (rowBytes + 1))
        for y in 0..<image.height {
            rows.append(0)
            rows.append(contentsOf: image.bytes[y * rowBytes..<(y + 1) * rowBytes])
        }
        return try container(
            width: image.width, height: image.height, depth: 8, colorType: PNG_COLOR_TYPE_RGB_ALPHA, palette: [])
    }

    /// The file of `rows`.
    mutating func container(
        width: Int, height: Int, depth: Int, colorType: Int32, palette: [Color]
    ) throws(PNGError) -> [UInt8] {
        let dataCount = try deflateRows(window: palette.isEmpty ? Self.rgbaWindowBits : Self.indexedWindowBits)
        return try PNGContainer(width: width, height: height, depth: depth, colorType: colorType, palette: palette)
            .file(of: deflated, count: dataCount)
    }

    /// Compresses `rows` into the start of `deflated`; returns the number of bytes.
    private mutating func deflateRows(window: Int32) throws(PNGError) -> Int {
        // Incompressible data are stored in blocks of at most 65,535 bytes with 5 bytes of header each, far less than
        // half as much again.
        let room = rows.count + rows.count / 2 + 1_024
        guard room <= Int(UInt32.max) else { throw PNGError(message: "the picture is too large") }
        if deflated.count < room { deflated = [UInt8](repeating: 0, count: room) }
        let count = unsafe rows.withUnsafeBufferPointer { rows in
            unsafe deflated.withUnsafeMutableBufferPointer { deflated in
                guard let input = rows.baseAddress, let output = deflated.baseAddress else { return 0 }
                switch compression {
                case .fast:
                    return unsafe isal_deflater_zlib(
                        deflater, window, input, UInt32(rows.count), output, UInt32(room))
                case .smallest:
                    var count = uLongf(room)
                    let status = unsafe compress2(output, &count, input, uLong(rows.count), Z_BEST_COMPRESSION)
                    return status == Z_OK ? Int(count) : 0
                }
            }
        }
        guard count > 0 else { throw PNGError(message: "the picture could not be compressed") }
        return count
    }
}
