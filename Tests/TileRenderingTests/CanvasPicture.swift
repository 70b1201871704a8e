import HeatGrid
import TileRendering

extension Canvas {
    /// The PNG of a layout without lines and points.
    func picture(_ layout: HeatTileLayout, counts: [CellCounts], colorMapper: ColorMapper) throws -> [UInt8] {
        draw(layout, counts: counts, colorMapper: colorMapper)
        return try png()
    }
}
