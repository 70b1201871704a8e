/// A tile that exists: x from the west, y from the north, both in 0 ..< 2^z.
public struct TileCoordinate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The tile's zoom level.
    public let zoom: ZoomLevel
    /// The column, counted eastwards from 180° W.
    public let x: Int
    /// The row, counted southwards from 85.0511° N (XYZ, not TMS).
    public let y: Int

    /// The number of cells along one side of a tile.
    public static let cellsPerSide = 256
    /// The number of cells in a tile.
    public static let cellCount = 65_536

    /// nil unless both x and y are in 0 ..< 2^z.
    public init?(zoom: ZoomLevel, x: Int, y: Int) {
        guard x >= 0, y >= 0, x < zoom.tilesPerSide, y < zoom.tilesPerSide else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    init(uncheckedZoom zoom: ZoomLevel, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The tile at a position on the zoom level's Morton curve; nil if the position is too large.
    public init?(zoom: ZoomLevel, morton: UInt64) {
        guard morton < UInt64(1) << UInt64(2 * zoom.number) else { return nil }
        self.init(uncheckedZoom: zoom, x: Int(Morton.x(of: morton)), y: Int(Morton.y(of: morton)))
    }

    /// The tile's position on the Morton curve of its zoom level: x in the even bits, y in the odd.
    public var morton: UInt64 { Morton.code(x: UInt32(x), y: UInt32(y)) }

    /// The tile that contains this one at a zoom level not deeper than its own.
    public func ancestor(at level: ZoomLevel) -> TileCoordinate {
        precondition(level <= zoom, "an ancestor is not deeper than its tile")
        let shift = zoom.number - level.number
        return TileCoordinate(uncheckedZoom: level, x: x >> shift, y: y >> shift)
    }

    /// The four tiles one zoom level deeper: north-west, north-east, south-west, south-east; empty at the deepest zoom
    /// level.
    public var children: [TileCoordinate] {
        guard let level = ZoomLevel(zoom.number + 1) else { return [] }
        return [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
            TileCoordinate(uncheckedZoom: level, x: 2 * x + dx, y: 2 * y + dy)
        }
    }

    /// The tile `dx` columns east and `dy` rows south. Columns wrap round the world; nil beyond the first or last row.
    public func neighbour(dx: Int, dy: Int) -> TileCoordinate? {
        let row = y + dy
        guard row >= 0, row < zoom.tilesPerSide else { return nil }
        let side = zoom.tilesPerSide
        return TileCoordinate(uncheckedZoom: zoom, x: (((x + dx) % side) + side) % side, y: row)
    }

    public var description: String { "\(zoom)/\(x)/\(y)" }

    /// By zoom level, then along the Morton curve.
    public static func < (left: Self, right: Self) -> Bool {
        (left.zoom.number, left.morton) < (right.zoom.number, right.morton)
    }
}

extension TileCoordinate {
    /// The north-westernmost tile of a zoom level.
    public init(northWestOf zoom: ZoomLevel) {
        self.init(uncheckedZoom: zoom, x: 0, y: 0)
    }
}
