import CPNG
import Colors

extension PNGWriter {
    /// A PNG of pixels in cairo's ARGB32 format (words 0xAARRGGBB with premultiplied colours), row by row.
    ///
    /// It is indexed if there are at most 256 colours, else it has four bytes a pixel. The encoding is lossless:
    /// premultiplied again, the colours are the same. A tile that is completely transparent gives the bytes of
    /// `EmptyPicture`.
    public mutating func png(
        premultiplied words: Span<UInt32>, width: Int, height: Int
    ) throws(PNGError) -> [UInt8] {
        precondition(width > 0 && height > 0 && words.count == width * height, "a pixel for each place")
        // The array is moved out of `self`, because `self` is changed while the rows are written.
        var indices: [UInt8] = []
        swap(&indices, &self.indices)
        defer { swap(&indices, &self.indices) }
        guard let found = PaletteScan(words, indices: &indices) else {
            PremultipliedPixels.write(words, width: width, height: height, into: &rows)
            return try container(
                width: width, height: height, depth: 8, colorType: PNG_COLOR_TYPE_RGB_ALPHA, palette: [])
        }
        if found.words == [0], width == height {
            if width == 256 { return EmptyPicture.tile }
            if width == 512 { return EmptyPicture.doubleTile }
        }
        let palette = found.words.map { Color(premultiplied: $0) }
        let depth = PixelPacking.depth(colors: palette.count)
        PixelPacking.pack(indices.span, bytesPerRow: width, width: width, height: height, depth: depth, into: &rows)
        return try container(
            width: width, height: height, depth: depth, colorType: PNG_COLOR_TYPE_PALETTE, palette: palette)
    }
}
