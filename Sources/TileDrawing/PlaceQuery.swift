package import TileMath

/// The query of `/v1/at`: a place and a radius.
package struct PlaceQuery: Sendable {
    /// The place.
    let place: GeoPoint
    /// The map's zoom level, which determines the size of a cell.
    let zoom: ZoomLevel
    /// In pixels of that zoom level, because a click is seldom exact.
    let radius: Int
    /// Which tracks and which time.
    let selection: TileSelection

    /// Allowed values of `radius`, in pixels.
    package static let radii = 0...16
    /// The default of `radius`, in pixels.
    package static let defaultRadius = 3

    /// A query for a place.
    package init(place: GeoPoint, zoom: ZoomLevel, radius: Int, selection: TileSelection) {
        self.place = place
        self.zoom = zoom
        self.radius = radius
        self.selection = selection
    }
}

/// The cells around a place, at the zoom level of the query or of the deepest grid.
package struct PlaceCells: Sendable {
    /// The zoom level of the cells.
    let zoom: ZoomLevel
    /// The centre of the circle.
    let centre: WorldPoint
    /// The cells of each tile, as Morton codes within it, ascending.
    let tiles: [(tile: TileKey, cells: [UInt16])]
    /// The cells as Morton codes of the whole zoom level.
    let codes: Set<UInt64>

    init(_ query: PlaceQuery) {
        let zoom = min(query.zoom, .deepestGrid)
        let place = WorldPoint(query.place)
        let centre = WorldPoint(x: place.x, y: min(max(place.y, 0), WorldPoint.side - 1))
        let shift = Self.shift(zoom)
        // A pixel of a deeper zoom level is smaller than a cell, so the radius is rounded up to whole cells. (In Swift,
        // shifts bind tighter than sums, here and below.)
        let depth = query.zoom.number - zoom.number
        let reach = (query.radius + 1 << depth - 1) >> depth
        let side = WorldPoint.side >> shift
        var codes: Set<UInt64> = []
        for down in -reach...reach {
            let row = centre.y >> shift + Int64(down)
            guard row >= 0, row < side else { continue }
            for right in -reach...reach where right * right + down * down <= reach * reach {
                // Columns continue at the antimeridian; rows end at the poles.
                let column = (centre.x >> shift + Int64(right)) & (side - 1)
                codes.insert(Morton.code(x: UInt32(column), y: UInt32(row)))
            }
        }
        self.zoom = zoom
        self.centre = centre
        self.codes = codes
        tiles = Dictionary(grouping: codes.sorted()) { $0 >> 16 }.sorted { $0.key < $1.key }.map { morton, codes in
            (TileKey(zoom: zoom.number, morton: morton), codes.map { UInt16(truncatingIfNeeded: $0) })
        }
    }

    /// The code of the cell that contains the place.
    var middle: UInt64 { Self.code(of: centre, zoom) }

    /// The square of the distance of a cell from the centre, in cells.
    func distance(of code: UInt64) -> Int64 {
        let square = square(of: code)
        let half = square.side / 2
        let right = centre.eastwards(to: WorldPoint(x: square.west + half, y: 0)) / square.side
        let down = (square.north + half - centre.y) / square.side
        return right * right + down * down
    }

    /// The square of a cell in world coordinates.
    func square(of code: UInt64) -> (west: Int64, north: Int64, side: Int64) {
        let shift = Self.shift(zoom)
        return (Int64(Morton.x(of: code)) << shift, Int64(Morton.y(of: code)) << shift, 1 << shift)
    }

    /// The bounding box of a cell in degrees: west, south, east, north.
    func box(of code: UInt64) -> [Double] {
        let (west, north, side) = square(of: code)
        let northWest = WorldPoint(x: west, y: north)
        let east = Double(west + side) / Double(WorldPoint.side) * 360 - 180
        return [northWest.longitude, WorldPoint(x: 0, y: north + side).latitude, east, northWest.latitude]
    }

    // World coordinates have 32 bits, and a tile has 2^8 cells on each side.
    private static func shift(_ zoom: ZoomLevel) -> Int64 { Int64(24 - zoom.number) }

    private static func code(of point: WorldPoint, _ zoom: ZoomLevel) -> UInt64 {
        Morton.code(x: UInt32(point.x >> shift(zoom)), y: UInt32(point.y >> shift(zoom)))
    }
}
