import Foundation
import Styling
import TileMath

/// A square of grid cells over which a kernel spreads counts, and the tiles that contribute to it.
struct HeatField: Hashable {
    /// Pixels of a block: a row of the largest field has as many blocks as a word has bits.
    static let blockPixels = 8

    /// The position of the square, in cells from the north-western corner of the picture's first grid tile.
    let west: Int
    let north: Int
    /// Cells along one side.
    let side: Int
    /// Pixels along one side of a cell, a power of two.
    let factor: Int
    /// The extent of the kernel for each row, in cells.
    let extents: [Double]
    /// The tiles to read, each once. `placedTiles` holds their positions; a tile may have several.
    let tiles: [TileCoordinate]
    let placedTiles: [PlacedTile]

    init(kernel: KernelRadius, tile: TileCoordinate, scale: TileScale, mapping: CellMapping) {
        let first = mapping.firstGridTile(of: tile)
        var factor = 1
        switch mapping {
        case .cells: (west, north, side) = (0, 0, TileCoordinate.cellsPerSide)
        case .children: (west, north, side) = (0, 0, 2 * TileCoordinate.cellsPerSide)
        case .enlarged(_, let times):
            factor = times
            let cells = TileCoordinate.cellsPerSide >> (tile.zoom.number - first.zoom.number)
            (west, north, side) = (tile.x * cells & 255, tile.y * cells & 255, cells)
        }
        self.factor = factor
        // With radius 0, lines in a picture made of four children would be thinner than those of their parent.
        let minRadius = if case .children = mapping { 1.0 } else { 0.0 }
        let rows = first.y * TileCoordinate.cellsPerSide + north
        switch kernel {
        case .pixels(let pixels):
            // One pixel more, because the pixel of the cell itself is part of the kernel.
            let cells = (pixels[tile.zoom] + 1) * Double(scale.rawValue) / Double(factor)
            extents = Array(repeating: Self.clamped(cells, minRadius), count: side)
        case .metres(let metres):
            extents = (rows..<rows + side).map { row in
                let cells = metres / Self.metresPerCell(row: row, zoom: first.zoom)
                return Self.clamped(cells.rounded() + 1, minRadius)
            }
        }
        let reach = Kernel(extent: extents.max() ?? 1, factor: factor).reach
        var tiles: [TileCoordinate] = []
        var placedTiles: [PlacedTile] = []
        let shift = TileCoordinate.cellsPerSide.trailingZeroBitCount
        for row in (north - reach) >> shift...(north + side - 1 + reach) >> shift {
            for column in (west - reach) >> shift...(west + side - 1 + reach) >> shift {
                guard let tile = first.neighbour(dx: column, dy: row) else { continue }
                let index = tiles.firstIndex(of: tile) ?? tiles.count
                if index == tiles.count { tiles.append(tile) }
                placedTiles.append(PlacedTile(index: index, column: column, row: row))
            }
        }
        self.tiles = tiles
        self.placedTiles = placedTiles
    }

    /// The factor of the fractions of a count at which colours fade in: the greater a kernel, the smaller the
    /// fraction in the middle of a single cell, which has to be as visible as a line. Large kernels are meant to be
    /// soft, and enlarged cells are large enough to be seen.
    func fadeShare(_ kernel: Kernel) -> Double {
        let isDoubled = side > TileCoordinate.cellsPerSide
        guard factor == 1, kernel.extent <= (isDoubled ? Self.smallDoubledExtent : Self.smallExtent) else {
            return 1
        }
        let fraction = Double(kernel.weights[kernel.reach] / kernel.weights.reduce(0, +))
        let fadeEnd = Double(ColorTable.fadeEnd) / Double(ColorTable.kernelUnit)
        return min(1, fraction / fadeEnd * (isDoubled ? Self.doubledShare : 1))
    }

    /// In cells: more than the kernel of the default style has where cells are not enlarged.
    private static let smallExtent = 8.0
    /// In cells of a picture made of four children.
    private static let smallDoubledExtent = 5.0
    /// So that the colour of a single cell covers three pixels of a tile of 256 pixels in each direction, too.
    private static let doubledShare = 0.68

    private static func clamped(_ extent: Double, _ minRadius: Double) -> Double {
        min(max(extent, minRadius + 1), Double(KernelRadius.maxCells) + 1)
    }

    /// The side of a cell on the ground in metres (web Mercator on the sphere of the WGS 84 equatorial radius). It
    /// depends on the cell's row only, not on the tile.
    private static func metresPerCell(row: Int, zoom: ZoomLevel) -> Double {
        let rows = Double(zoom.tilesPerSide * TileCoordinate.cellsPerSide)
        let ordinate = Double.pi * (1 - 2 * (Double(row) + 0.5) / rows)
        return equatorMetres / rows / cosh(ordinate)
    }

    private static let equatorMetres = 2 * Double.pi * 6_378_137
}
