import Cairo
import Colors
import HeatGrid
import TileMath

/// Draws a tile from the cells of its four children so that lines keep their width: each pixel takes the greatest of
/// itself and its west, north and north-west neighbours.
///
/// Palette indices rise with the count (or with the difference), so the greatest index is that of the greatest count.
/// The column and row before the tile's first come from the neighbouring tiles, so there is no seam between tiles.
struct LineWidening {
    /// The children's pixels along one side.
    private static let side = 2 * TileCoordinate.cellsPerSide
    /// The distance of two rows: the neighbour's column, the children's columns, and padding.
    private static let stride = side + 16

    /// Palette indices, starting at row −1 and column −1.
    private var grid = [UInt8](repeating: 0, count: (side + 1) * stride)

    /// Draws on a surface of 512 × 512 pixels and returns the palette; nil if there is nothing to draw.
    mutating func draw(
        _ placedTiles: [PlacedTile], counts: [CellCounts], paletteMapper: PaletteMapper,
        paletteIndex: inout PaletteIndex,
        on surface: inout ImageSurface
    ) -> [Color]? {
        let allCounts = placedTiles.map { placedTile in Self.border(of: counts[placedTile.index], for: placedTile) }
        guard allCounts.contains(where: { !$0.isEmpty }) else { return nil }
        paletteIndex.clear()
        for (placedTile, tileCounts) in zip(placedTiles, allCounts) {
            paletteIndex.add(
                tileCounts, in: tileCounts.cells.indices, paletteMapper: paletteMapper,
                x: placedTile.column * TileCoordinate.cellsPerSide,
                y: placedTile.row * TileCoordinate.cellsPerSide)
        }
        let order = paletteIndex.order(of: paletteMapper)
        for index in grid.indices { grid[index] = 0 }
        var done = 0
        for (placedTile, tileCounts) in zip(placedTiles, allCounts) {
            drawCells(
                tileCounts.cells.span, paletteIndex.indices.span.extracting(done..<done + tileCounts.cells.count),
                order,
                at: placedTile)
            done += tileCounts.cells.count
        }
        widen(to: &surface)
        return paletteIndex.palette(of: paletteMapper)
    }

    /// All cells of a child; of a neighbour only the cells of its last column, row or corner.
    private static func border(of counts: CellCounts, for placedTile: PlacedTile) -> CellCounts {
        // In a Morton code, all bits of x are set in the last column, and all bits of y in the last row.
        let wanted: UInt16 = (placedTile.column < 0 ? 0x5555 : 0) | (placedTile.row < 0 ? 0xAAAA : 0)
        guard wanted != 0 else { return counts }
        var border = CellCounts()
        let cells = counts.cells.span
        for index in cells.indices where cells[index] & wanted == wanted {
            border.cells.append(cells[index])
            border.counts.append(counts.counts[index])
        }
        return border
    }

    private mutating func drawCells(
        _ cells: Span<UInt16>, _ indices: Span<UInt8>, _ order: [UInt8], at placedTile: PlacedTile
    ) {
        let byteTable = CellLayout.table
        let bytePositions = byteTable.span
        let cellsPerSide = TileCoordinate.cellsPerSide
        let origin = (placedTile.row * cellsPerSide + 1) * Self.stride + placedTile.column * cellsPerSide + 1
        var grid = grid.mutableSpan
        for index in cells.indices {
            let at = CellLayout.position(of: cells[index], bytePositions)
            grid[origin + (at >> 8) * Self.stride + (at & 255)] = order[Int(indices[index])]
        }
    }

    private func widen(to surface: inout ImageSurface) {
        let bytesPerRow = surface.bytesPerRow
        let grid = grid.span
        surface.withBytes { bytes in
            for y in 0..<Self.side {
                let north = grid.extracting(y * Self.stride..<y * Self.stride + Self.side + 1)
                let here = grid.extracting((y + 1) * Self.stride..<(y + 1) * Self.stride + Self.side + 1)
                let row = y * bytesPerRow
                for x in 0..<Self.side {
                    bytes[row + x] = max(max(north[x], north[x + 1]), max(here[x], here[x + 1]))
                }
            }
        }
    }
}
