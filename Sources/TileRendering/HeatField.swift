import Foundation
import Styling
import TileMath

extension HeatRecipe {
    /// A square of grid cells that a kernel spreads counts over, and the tiles around that reach into it.
    struct Field: Hashable {
        /// Where the square lies, in cells from the north-west of the picture's first grid tile.
        let west: Int
        let north: Int
        /// Cells along a side.
        let side: Int
        /// The kernel's radius for each row, in cells.
        let radii: [Int]
        /// Tiles that are read, each once, and where each lies; one may lie at several places.
        let tiles: [TileCoordinate]
        let parts: [Part]

        init(kernel: KernelRadius, tile: TileCoordinate, scale: PictureScale, way: Way) {
            let first = HeatRecipe.firstGridTile(of: tile, way: way)
            var factor = 1
            switch way {
            case .cells: (west, north, side) = (0, 0, TileCoordinate.cellsPerSide)
            case .children: (west, north, side) = (0, 0, 2 * TileCoordinate.cellsPerSide)
            case .enlarged(_, let times):
                factor = times
                let cells = TileCoordinate.cellsPerSide >> (tile.zoom.number - first.zoom.number)
                (west, north, side) = (tile.x * cells & 255, tile.y * cells & 255, cells)
            }
            // Lines of a picture of children would be thinner than those of their parent.
            let least = if case .children = way { 1 } else { 0 }
            let rows = first.y * TileCoordinate.cellsPerSide + north
            switch kernel {
            case .pixels(let pixels):
                let cells = pixels * Double(scale.rawValue) / Double(factor)
                radii = Array(repeating: Self.held(cells, least), count: side)
            case .metres(let metres):
                radii = (rows..<rows + side).map { row in
                    Self.held(metres / Self.metresPerCell(row: row, zoom: first.zoom), least)
                }
            }
            let reach = radii.max() ?? 0
            var tiles: [TileCoordinate] = []
            var parts: [Part] = []
            let shift = TileCoordinate.cellsPerSide.trailingZeroBitCount
            for row in (north - reach) >> shift...(north + side - 1 + reach) >> shift {
                for column in (west - reach) >> shift...(west + side - 1 + reach) >> shift {
                    guard let tile = first.neighbour(dx: column, dy: row) else { continue }
                    let index = tiles.firstIndex(of: tile) ?? tiles.count
                    if index == tiles.count { tiles.append(tile) }
                    parts.append(Part(index: index, column: column, row: row))
                }
            }
            self.tiles = tiles
            self.parts = parts
        }

        private static func held(_ cells: Double, _ least: Int) -> Int {
            min(max(Int(cells.rounded()), least), KernelRadius.mostCells)
        }

        /// How long the side of a cell is on the ground (web mercator on the sphere of WGS 84's equator): a cell's row
        /// says it, so that it does not depend on the tile.
        private static func metresPerCell(row: Int, zoom: ZoomLevel) -> Double {
            let rows = Double(zoom.tilesPerSide * TileCoordinate.cellsPerSide)
            let ordinate = Double.pi * (1 - 2 * (Double(row) + 0.5) / rows)
            return equatorMetres / rows / cosh(ordinate)
        }

        private static let equatorMetres = 2 * Double.pi * 6_378_137
    }

    /// The grid tile that a picture's cells are counted from: its own, its ancestor or its north-western child.
    static func firstGridTile(of tile: TileCoordinate, way: Way) -> TileCoordinate {
        switch way {
        case .cells: tile
        case .children: tile.children.first ?? tile
        case .enlarged: tile.ancestor(at: .deepestGrid)
        }
    }

    /// The tiles of a picture and those around them.
    static func neighbourhood(of tile: TileCoordinate, way: Way) -> [TileCoordinate] {
        let first = firstGridTile(of: tile, way: way)
        let last = if case .children = way { 2 } else { 1 }
        return (-1...last).flatMap { row in
            (-1...last).compactMap { column in
                let held = min(max(first.y + row, 0), first.zoom.tilesPerSide - 1) - first.y
                return first.neighbour(dx: column, dy: held)
            }
        }
    }
}
