import Cairo
import PNG
import Parallelism
import TileDrawing
import TileMath
import TileRendering

/// The map of a poster, composed of the tiles that the server returns, in bands of rows.
///
/// Memory: one band, and the tiles that it touches. Each row of tiles is drawn once if bands are read from top to bottom.
final class PosterMap {
    private let request: PosterRequest
    private let layout: PosterLayout
    private let renderer: TileRenderer
    private let isCancelled: @Sendable () -> Bool
    /// The tiles of the rows in use, by row and column, without empty ones.
    private var tiles: [Int: [Int: RGBAImage]] = [:]

    /// Pixels of the map's width, and one more at each side, because the pixels at the edges are interpolated.
    let columns: Int
    /// The first column, in pixels of the zoom level's world.
    let firstColumn: Int
    /// The first row.
    let firstRow: Int
    /// The number of rows.
    let rows: Int

    init(
        _ request: PosterRequest, _ layout: PosterLayout, _ renderer: TileRenderer,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.request = request
        self.layout = layout
        self.renderer = renderer
        self.isCancelled = isCancelled
        firstColumn = Int(layout.left.rounded(.down)) - 1
        firstRow = Int(layout.top.rounded(.down)) - 1
        columns = Int((layout.left + layout.map.width / layout.pixelMillimetres).rounded(.up)) + 1 - firstColumn
        rows = Int((layout.top + layout.map.height / layout.pixelMillimetres).rounded(.up)) + 1 - firstRow
    }

    /// The map's pixels in some rows, counted from `firstRow`; transparent where there is no data.
    func band(_ wanted: Range<Int>) throws -> ImageSurface {
        let side = PosterLayout.tileSide
        let range = firstRow + wanted.lowerBound..<firstRow + wanted.upperBound
        var surface = try ImageSurface(.argb32, width: columns, height: wanted.count)
        // An arithmetic shift rounds down, also before the world's edge.
        let shift = side.trailingZeroBitCount
        let tileRows = range.lowerBound >> shift...(range.upperBound - 1) >> shift
        for row in tiles.keys where row < tileRows.lowerBound { tiles[row] = nil }
        for row in tileRows {
            let images = try tileRow(row)
            for (column, image) in images.sorted(by: { $0.key < $1.key }) {
                let picture = try ImageSurface(image)
                try surface.draw { context in
                    context.paint(
                        picture, x: Double(column * side - firstColumn), y: Double(row * side - range.lowerBound))
                }
            }
        }
        return surface
    }

    private func tileRow(_ row: Int) throws -> [Int: RGBAImage] {
        if let known = tiles[row] { return known }
        let shift = PosterLayout.tileSide.trailingZeroBitCount
        let range = (firstColumn >> shift)...((firstColumn + columns - 1) >> shift)
        let request = request
        let (renderer, isCancelled, zoom) = (renderer, isCancelled, layout.zoom)
        let drawn = try Array(range).parallelMap { column -> (Int, RGBAImage)? in
            if isCancelled() { throw CancellationError() }
            // The world repeats to the east and west, and ends in the north and south.
            let x = column & ((1 << zoom.number) - 1)
            guard let tile = TileCoordinate(zoom: zoom, x: x, y: row) else { return nil }
            var drawn = TileRequest(
                style: request.style, selection: request.selection, tile: tile, scale: .double)
            drawn.theme = request.theme
            let picture = try renderer.picture(drawn)
            return picture.isEmpty ? nil : (column, try PNGReader.image(of: picture.bytes))
        }
        let images = Dictionary(uniqueKeysWithValues: drawn.compactMap { $0 })
        tiles[row] = images
        return images
    }
}
