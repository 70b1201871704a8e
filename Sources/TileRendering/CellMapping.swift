import TileMath

/// How the cells of grid tiles become the pixels of a heat tile.
enum CellMapping: Hashable {
    /// One pixel for each cell.
    case cells
    /// A block of `factor` × `factor` pixels for each cell of a square, which is one run of Morton codes.
    case enlarged(codes: Range<Int>, factor: Int)
    /// One pixel for each cell of the four children, widened to the south and east.
    case children([PlacedTile])

    /// The grid tile at which a picture's cells begin: the tile itself, its ancestor or its north-western child.
    func firstGridTile(of tile: TileCoordinate) -> TileCoordinate {
        switch self {
        case .cells: tile
        case .children: tile.children.first ?? tile
        case .enlarged: tile.ancestor(at: .deepestGrid)
        }
    }

    /// The grid tiles of a picture and those around them.
    func neighbourhood(of tile: TileCoordinate) -> [TileCoordinate] {
        let first = firstGridTile(of: tile)
        let last = if case .children = self { 2 } else { 1 }
        return (-1...last).flatMap { row in
            (-1...last).compactMap { column in
                let clamped = min(max(first.y + row, 0), first.zoom.tilesPerSide - 1) - first.y
                return first.neighbour(dx: column, dy: clamped)
            }
        }
    }
}

/// A grid tile and its position relative to the children: columns and rows −1 (neighbours), 0 and 1.
struct PlacedTile: Hashable {
    let index: Int
    let column: Int
    let row: Int
}
