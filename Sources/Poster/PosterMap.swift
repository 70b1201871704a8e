import Cairo
import TileDrawing
import TileMath
import TileRendering

/// The map of a poster, in bands of rows.
final class PosterMap {
    private let mosaic: TileMosaic

    /// Pixels of the map's width, and one more at each side, because the pixels at the edges are interpolated.
    var columns: Int { mosaic.columns.count }
    /// The first column, in pixels of the zoom level's world.
    var firstColumn: Int { mosaic.columns.lowerBound }
    /// The first row.
    var firstRow: Int { mosaic.rows.lowerBound }
    /// The number of rows.
    var rows: Int { mosaic.rows.count }

    init(
        _ request: PosterRequest, _ layout: PosterLayout, _ renderer: TileRenderer,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        var tile = TileRequest(
            style: request.style, selection: request.selection, tile: TileCoordinate(northWestOf: layout.zoom),
            scale: .double)
        tile.theme = request.theme
        let right = layout.left + layout.map.width / layout.pixelMillimetres
        let bottom = layout.top + layout.map.height / layout.pixelMillimetres
        mosaic = TileMosaic(
            tile, columns: Int(layout.left.rounded(.down)) - 1..<Int(right.rounded(.up)) + 1,
            rows: Int(layout.top.rounded(.down)) - 1..<Int(bottom.rounded(.up)) + 1, renderer,
            isCancelled: isCancelled)
    }

    /// The map's pixels in some rows, counted from `firstRow`; transparent where there is no data.
    func band(_ wanted: Range<Int>) throws -> ImageSurface {
        try ImageSurface(try mosaic.image(firstRow + wanted.lowerBound..<firstRow + wanted.upperBound))
    }
}
