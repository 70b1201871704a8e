import CPNG
import Decompression

/// Encodes a large opaque image as PNG, in bands of rows, so that only one band is in memory besides the compressed data.
///
/// Each row stores the differences to the row above (filter type 2), which suits large smooth images.
public final class PNGBandWriter {
    private let stream: DeflateWriter
    private let width: Int
    private let height: Int
    private let dpi: Int
    private var rowsDone = 0
    private var previous: [UInt8]
    private var deflated: [UInt8] = []

    /// Differences to the row above.
    private static let upFilter: UInt8 = 2

    /// A writer for an image of `width` × `height` pixels, which is printed with `dpi` pixels per inch.
    public init(width: Int, height: Int, dpi: Int) throws(PNGError) {
        precondition(width > 0 && height > 0 && dpi > 0, "a picture has pixels")
        self.width = width
        self.height = height
        self.dpi = dpi
        previous = [UInt8](repeating: 0, count: 3 * width)
        do {
            stream = try DeflateWriter(.zlib, level: .standard)
        } catch {
            throw PNGError(message: "zlib has no memory")
        }
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
                    let position = 3 * x + channel
                    line[1 + position] = byte &- previous[position]
                    previous[position] = byte
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
        do {
            deflated += try stream.compress(bytes, isLast: isLast)
        } catch {
            throw PNGError(message: "the picture could not be compressed")
        }
    }
}
