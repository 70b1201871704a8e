/// The sizes of a `LineRaster`.
public enum RasterGrid {
    /// Grid points of the margin at each side.
    public static let margin = TileLines.marginPixels * TileLines.unitsPerPixel
    /// Rows of a raster, and grid points of a row.
    public static let side = TileLines.unitsPerSide + 2 * margin
    /// Words of a row. The tile begins with the second word, so its pixels, of 4 bits each, never cross a word.
    public static let wordsPerRow = TileLines.unitsPerSide / UInt64.bitWidth + 2
    /// Pixels of a row, with the margin.
    public static let pixelsPerRow = side / TileLines.unitsPerPixel
    /// The bit of a row at which its margin begins.
    static let firstBit = UInt64.bitWidth - margin
}
