public import Digest
import PNG
public import Styling
public import TileMath

/// How a heat tile is made from grid tiles. It is computed before anything is read, so an ETag needs no drawing.
public struct HeatTileLayout: Hashable, Sendable {
    /// Must be incremented with every change that produces other bytes from the same counts and colours.
    public static let encoderVersion = 1

    /// As `encoderVersion`, for pictures with a kernel.
    public static let fieldVersion = 3

    /// The requested tile.
    public let tile: TileCoordinate
    /// The requested size.
    public let scale: TileScale
    /// The grid tiles whose counts the picture reads, each once: 1, up to 9 for `@2x`, more with a kernel.
    public let tilesNeeded: [TileCoordinate]

    let mapping: CellMapping
    /// The area over which a kernel spreads counts; nil without a kernel.
    let field: HeatField?
    /// The tiles whose neighbourhoods colour the picture: a square, row by row. Beyond the north and south edges of
    /// the map the last row is repeated. Empty unless the scale is `local`.
    public let neighbourhoodTiles: [TileCoordinate]

    /// Whether a kernel spreads the counts.
    public var hasKernel: Bool { field != nil }

    /// All tiles whose content the picture depends on, each at least once.
    public var tilesRead: [TileCoordinate] { tilesNeeded + neighbourhoodTiles }

    public init(tile: TileCoordinate, scale: TileScale, kernel: KernelRadius? = nil, isLocal: Bool = false) {
        let plain = Self.plain(tile, scale)
        self.tile = tile
        self.scale = scale
        mapping = plain.mapping
        field = kernel.map { HeatField(kernel: $0, tile: tile, scale: scale, mapping: plain.mapping) }
        tilesNeeded = field?.tiles ?? plain.tiles
        neighbourhoodTiles = isLocal ? plain.mapping.neighbourhood(of: tile) : []
    }

    private static func plain(_ tile: TileCoordinate, _ scale: TileScale) -> (
        tiles: [TileCoordinate], mapping: CellMapping
    ) {
        let depth = tile.zoom.number - ZoomLevel.deepestGrid.number
        if depth < 0 && scale == .double {
            return children(of: tile)
        } else if depth <= 0 && scale == .single {
            return ([tile], .cells)
        } else {
            // The tile's position below its ancestor is also the position of its square among the ancestor's cells.
            let cells = TileCoordinate.cellCount >> (2 * depth)
            let square = Int(tile.morton & (UInt64(1) << UInt64(2 * depth) - 1))
            return (
                [tile.ancestor(at: .deepestGrid)],
                .enlarged(codes: square * cells..<(square + 1) * cells, factor: scale.rawValue << depth)
            )
        }
    }

    private static func children(of tile: TileCoordinate) -> ([TileCoordinate], CellMapping) {
        guard let northWest = tile.children.first else {
            preconditionFailure("only zoom levels above the deepest grid have children")
        }
        var tiles: [TileCoordinate] = []
        var placedTiles: [PlacedTile] = []
        // Column −1 and row −1 are neighbours of the children: their last cells are widened into the picture.
        for row in -1...1 {
            for column in -1...1 {
                guard let placedTile = northWest.neighbour(dx: column, dy: row) else { continue }
                // At zoom level 0 the western neighbour is the eastern child.
                let index = tiles.firstIndex(of: placedTile) ?? tiles.count
                if index == tiles.count { tiles.append(placedTile) }
                placedTiles.append(PlacedTile(index: index, column: column, row: row))
            }
        }
        return (tiles, .children(placedTiles))
    }

    /// The digest of everything the picture depends on.
    ///
    /// `contents` holds the content digests of `tilesRead` in their order; they must include the window. `table` is
    /// the digest of the colour table.
    public func digest(contents: [UInt64], table: ContentDigest) -> ContentDigest {
        precondition(contents.count == tilesRead.count, "a content for each tile read")
        var digester = Digester()
        digester.update("heat tile")
        digester.update(Self.encoderVersion)
        digester.update(scale.rawValue)
        switch mapping {
        case .cells: digester.update(0)
        case .enlarged(let codes, let factor):
            digester.update(factor)
            digester.update(codes.lowerBound)
        case .children(let placedTiles):
            digester.update(1)
            for placedTile in placedTiles {
                digester.update((placedTile.index * 3 + placedTile.column) * 3 + placedTile.row)
            }
        }
        for content in contents { digester.update(content) }
        digester.update(table)
        digester.update(neighbourhoodTiles.count)
        if let field {
            digester.update("field")
            digester.update(Self.fieldVersion)
            for extent in field.extents { digester.update(extent.bitPattern) }
        }
        return digester.finish()
    }
}

extension HeatTileLayout {
    /// The PNG of this layout if nothing is counted.
    public var emptyPicture: [UInt8] { scale.emptyPicture }
}

extension TileScale {
    /// The PNG of an empty tile of this size.
    public var emptyPicture: [UInt8] {
        switch self {
        case .single: EmptyPicture.tile
        case .double: EmptyPicture.doubleTile
        }
    }
}
