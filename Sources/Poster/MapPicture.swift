import BaseMap
import Cairo
package import Digest
import PNG
import Styling
package import TileDrawing
import TileMath
import TileRendering

/// A picture of a rectangle of the map: the pixels of the tiles, on a transparent background or on the base map.
package struct MapPicture {
    /// What is shown, and where.
    package struct Request: Sendable {
        /// How tiles look and what they show; its place gives the zoom level only.
        package var tile: TileRequest
        /// The columns and rows of pixels of the zoom level's world.
        package var columns: Range<Int>
        package var rows: Range<Int>
        package var base: PosterRequest.Base

        package init(_ tile: TileRequest, columns: Range<Int>, rows: Range<Int>, base: PosterRequest.Base) {
            precondition(!columns.isEmpty && !rows.isEmpty, "a picture has pixels")
            self.tile = tile
            self.columns = columns
            self.rows = rows
            self.base = base
        }
    }

    /// Pixels of each side; four bytes for each are in memory three times.
    package static let sides = 1...4096

    private let request: Request
    private let renderer: TileRenderer
    private let mosaic: TileMosaic

    package init(
        _ request: Request, renderer: TileRenderer, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.request = request
        self.renderer = renderer
        mosaic = TileMosaic(
            request.tile, columns: request.columns, rows: request.rows, renderer, isCancelled: isCancelled)
    }

    /// The digest of everything that the picture reads, known before it is drawn.
    package func digest() throws -> ContentDigest {
        var digester = Digester()
        digester.update("picture")
        for number in [request.columns, request.rows].flatMap({ [$0.lowerBound, $0.count] }) { digester.update(number) }
        digester.update(request.tile.tile.zoom.number)
        digester.update(request.tile.scale.rawValue)
        digester.update(request.base.rawValue)
        if request.base == .map { digester.update(renderer.baseMap.identity) }
        digester.update(request.tile.theme.rawValue)
        for tile in mosaic.requests { digester.update(try renderer.digest(of: tile)) }
        return digester.finish()
    }

    /// The picture as PNG. Throws `CancellationError` when nobody needs it any more.
    package func png() throws -> [UInt8] {
        let tiles = try mosaic.image(request.rows)
        var writer = PNGWriter()
        guard request.base == .map else { return try writer.png(of: tiles) }
        var surface = try ImageSurface(.argb32, width: tiles.width, height: tiles.height)
        let picture = try ImageSurface(tiles)
        let scale = request.tile.scale
        let view = MapView(
            worldPixels: Double(scale.side * request.tile.tile.zoom.tilesPerSide),
            originX: Double(request.columns.lowerBound), originY: Double(request.rows.lowerBound),
            width: Double(tiles.width), height: Double(tiles.height), scale: Double(scale.rawValue))
        let theme = request.tile.theme
        try surface.draw { context in
            context.setSource(theme.background)
            context.paint()
            renderer.baseMap.draw(view, .land, theme: theme, on: context)
            context.paint(picture, x: 0, y: 0)
            renderer.baseMap.draw(view, .names, theme: theme, on: context)
        }
        return try surface.withWords { words throws(PNGError) in
            try writer.png(premultiplied: words.span, width: tiles.width, height: tiles.height)
        }
    }
}
