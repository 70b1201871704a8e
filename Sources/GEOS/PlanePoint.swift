/// A point of the plane; the unit is that of its geometry, such as metres.
public struct PlanePoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The distance to another point, in the unit of the coordinates.
    @inlinable
    public func distance(to other: PlanePoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}
