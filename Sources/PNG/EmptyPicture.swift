import Colors

/// The PNG of an empty tile: one transparent colour, one bit a pixel.
public enum EmptyPicture {
    /// 256 × 256 pixels, 116 bytes.
    public static let tile: [UInt8] = png(side: 256)
    /// 512 × 512 pixels, 139 bytes.
    public static let doubleTile: [UInt8] = png(side: 512)

    private static func png(side: Int) -> [UInt8] {
        var writer = PNGWriter(.smallest)
        let image = IndexedImage(
            width: side, height: side, palette: [.transparent], pixels: [UInt8](repeating: 0, count: side * side))
        do {
            return try writer.png(of: image)
        } catch {
            preconditionFailure("an empty picture can always be written: \(error)")
        }
    }
}
