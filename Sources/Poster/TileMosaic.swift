import PNG
import Parallelism
import TileDrawing
import TileMath

/// A rectangle of the map, composed of the tiles that the server returns, pixel by pixel.
///
/// Memory: the rows that are asked for, and the tiles that they touch. Each row of tiles is drawn once if rows are read from top
/// to bottom.
final class TileMosaic {
    /// The request for each tile, but for its place.
    private let request: TileRequest
    private let renderer: TileRenderer
    private let isCancelled: @Sendable () -> Bool
    /// The tiles of the rows in use, by row and column, without empty ones.
    private var tiles: [Int: [Int: RGBAImage]] = [:]
    private let zoom: ZoomLevel

    /// The columns and rows of pixels of the zoom level's world; columns may be beyond it, because it repeats.
    let columns: Range<Int>
    let rows: Range<Int>

    init(
        _ request: TileRequest, columns: Range<Int>, rows: Range<Int>, _ renderer: TileRenderer,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.request = request
        self.columns = columns
        self.rows = rows
        self.renderer = renderer
        self.isCancelled = isCancelled
        zoom = request.tile.zoom
    }

    private var side: Int { request.scale.side }

    /// The pixels of some rows; transparent where there is no data.
    func image(_ wanted: Range<Int>) throws -> RGBAImage {
        var bytes = [UInt8](repeating: 0, count: 4 * columns.count * wanted.count)
        let tileRows = Self.tiles(wanted, side)
        for row in tiles.keys where !tileRows.contains(row) { tiles[row] = nil }
        for row in tileRows {
            for (column, image) in try tileRow(row) {
                let (left, top) = (column * side, row * side)
                let width = max(left, columns.lowerBound)..<min(left + side, columns.upperBound)
                for y in max(top, wanted.lowerBound)..<min(top + side, wanted.upperBound) {
                    let source = 4 * ((y - top) * side + width.lowerBound - left)
                    let target = 4 * ((y - wanted.lowerBound) * columns.count + width.lowerBound - columns.lowerBound)
                    bytes.replaceSubrange(
                        target..<target + 4 * width.count, with: image.bytes[source..<source + 4 * width.count])
                }
            }
        }
        return RGBAImage(width: columns.count, height: wanted.count, bytes: bytes)
    }

    /// The requests for all tiles, row by row.
    var requests: [TileRequest] {
        Self.tiles(rows, side).flatMap { row in tileColumns.compactMap { request(row, $0) } }
    }

    private var tileColumns: ClosedRange<Int> { Self.tiles(columns, side) }

    /// An arithmetic shift rounds down, also before the world's edge.
    private static func tiles(_ pixels: Range<Int>, _ side: Int) -> ClosedRange<Int> {
        let shift = side.trailingZeroBitCount
        return pixels.lowerBound >> shift...(pixels.upperBound - 1) >> shift
    }

    /// The request for a tile; nil beyond the edges in the north and south. The world repeats to the east and west.
    private func request(_ row: Int, _ column: Int) -> TileRequest? {
        guard let tile = TileCoordinate(zoom: zoom, x: column & (zoom.tilesPerSide - 1), y: row) else { return nil }
        var result = request
        result.tile = tile
        return result
    }

    private func tileRow(_ row: Int) throws -> [Int: RGBAImage] {
        if let known = tiles[row] { return known }
        let (renderer, isCancelled) = (renderer, isCancelled)
        let wanted = tileColumns.compactMap { column in request(row, column).map { (column, $0) } }
        let drawn = try wanted.parallelMap { column, request -> (Int, RGBAImage)? in
            if isCancelled() { throw CancellationError() }
            let picture = try renderer.picture(request)
            return picture.isEmpty ? nil : (column, try PNGReader.image(of: picture.bytes))
        }
        let images = Dictionary(uniqueKeysWithValues: drawn.compactMap { $0 })
        tiles[row] = images
        return images
    }
}
