/// The recorded points in and near a tile, for drawing.
public struct TilePoints: Sendable, Equatable {
    /// Units east of the tile's western edge.
    public var xs: [Int32] = []
    /// Units south of the tile's northern edge.
    public var ys: [Int32] = []
    /// Whether the point is a waypoint.
    public var areWaypoints: [Bool] = []

    /// Creates an empty list.
    public init() {}

    /// Adds a point.
    public mutating func append(x: Int32, y: Int32, isWaypoint: Bool) {
        xs.append(x)
        ys.append(y)
        areWaypoints.append(isWaypoint)
    }

    /// Appends points in the same units.
    public mutating func append(_ other: TilePoints) {
        xs += other.xs
        ys += other.ys
        areWaypoints += other.areWaypoints
    }
}
