import TileMath

/// The tiles that a track has visited since its last frame.
struct VisitedTiles {
    private(set) var cover: TileCover
    private let zoom: ZoomLevel
    private var last: WorldPoint?

    /// The maximum number of tiles in an event; for more, tiles of a lower zoom level are listed.
    static let maxTiles = 256

    /// Creates an empty collection of tiles of a zoom level.
    init(zoom: ZoomLevel) {
        self.zoom = zoom
        cover = TileCover(zoom: zoom, limit: Self.maxTiles)
    }

    /// Whether there is a starting position.
    var isBegun: Bool { last != nil }

    /// Clears the tiles and starts at this position, in 1e-7°.
    mutating func begin(_ longitude: Int32, _ latitude: Int32) {
        let place = Self.place(longitude, latitude)
        last = place
        cover.removeAll(zoom: zoom)
        insert(from: place, to: place)
    }

    /// Adds the tiles on the line to this position, by the shorter way around the world.
    mutating func advance(_ longitude: Int32, _ latitude: Int32) {
        let place = Self.place(longitude, latitude)
        insert(from: last ?? place, to: place)
        last = place
    }

    private static func place(_ longitude: Int32, _ latitude: Int32) -> WorldPoint {
        WorldPoint(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7)
    }

    /// Adds the tiles that a straight line on the map touches; none where it lies north or south of the map.
    private mutating func insert(from start: WorldPoint, to end: WorldPoint) {
        let east = start.x + start.eastwards(to: end)
        let level = Self.level(zoom, columns: abs(east - start.x), rows: abs(end.y - start.y))
        let shift = Int64(32 - level.number)
        let (from, to) = start.x <= east ? ((start.x, start.y), (east, end.y)) : ((east, end.y), (start.x, start.y))
        let slope = to.0 == from.0 ? 0 : Double(to.1 - from.1) / Double(to.0 - from.0)
        func row(at x: Int64) -> Int64 { (from.1 + Int64((Double(x - from.0) * slope).rounded(.down))) >> shift }
        let side = Int64(level.tilesPerSide)
        for column in (from.0 >> shift)...(to.0 >> shift) {
            // The rows at which the line enters and leaves the column.
            let first = column << shift <= from.0 ? from.1 >> shift : row(at: column << shift)
            let last = (column + 1) << shift > to.0 ? to.1 >> shift : row(at: (column + 1) << shift)
            let (north, south) = (max(min(first, last), 0), min(max(first, last), side - 1))
            guard north <= south else { continue }
            cover.insert((north...south).map { Morton.code(x: UInt32(column & (side - 1)), y: UInt32($0)) }, of: level)
        }
    }

    /// The deepest zoom level, at most `zoom`, at which a line of this width and height touches no more than
    /// `maxTiles` tiles.
    private static func level(_ zoom: ZoomLevel, columns width: Int64, rows height: Int64) -> ZoomLevel {
        var level = zoom
        while (width >> Int64(32 - level.number)) + (height >> Int64(32 - level.number)) + 3 > Int64(maxTiles),
            let above = ZoomLevel(level.number - 1)
        {
            level = above
        }
        return level
    }
}
