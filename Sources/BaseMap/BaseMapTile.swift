import Cairo
public import PNG
public import Styling
public import TileMath

extension BaseMap {
    /// A tile as a PNG. Throws if there is no memory for it.
    public func png(
        of tile: TileCoordinate, _ scale: TileScale, _ content: Content, theme: Theme
    ) throws -> [UInt8] {
        var surface = try surface(of: MapView(tile, scale), content, theme: theme)
        return try surface.withWords { words throws(PNGError) in
            if content == .land { for index in words.indices { words[index] = Self.rounded(words[index]) } }
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: scale.side, height: scale.side)
        }
    }

    /// An opaque colour with channels that are multiples of 5: a tile of land then has at most 256 colours, and its PNG
    /// a quarter of the size.
    private static func rounded(_ word: UInt32) -> UInt32 {
        var result: UInt32 = 0xFF00_0000
        for shift in [0, 8, 16] as [UInt32] { result |= ((word >> shift & 0xFF) + 2) / 5 * 5 << shift }
        return result
    }

    /// A view as an image, of whole pixels. Throws if there is no memory for it.
    public func image(of view: MapView, _ content: Content, theme: Theme) throws -> RGBAImage {
        var surface = try surface(of: view, content, theme: theme)
        return RGBAImage(width: surface.width, height: surface.height, bytes: surface.straightBytes())
    }

    private func surface(of view: MapView, _ content: Content, theme: Theme) throws -> ImageSurface {
        var surface = try ImageSurface(
            .argb32, width: Int(view.width.rounded()), height: Int(view.height.rounded()))
        try surface.draw { context in draw(view, content, theme: theme, on: context) }
        return surface
    }
}
