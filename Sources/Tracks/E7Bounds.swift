public import TileMath

/// A bounding box in 1e-7°; `east` is less than `west` if the box crosses 180°.
public struct E7Bounds: Sendable, Hashable {
    public var west: Int32
    public var south: Int32
    public var east: Int32
    public var north: Int32

    /// West, south, east, north in degrees.
    public var degrees: [Double] { [west, south, east, north].map { Double($0) / 1e7 } }

    private static let halfTurn: Int32 = 1_800_000_000

    /// Creates a box from its four edges.
    public init(west: Int32, south: Int32, east: Int32, north: Int32) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Whether a place is in the box or on its edge.
    public func contains(longitude: Int32, latitude: Int32) -> Bool {
        guard south <= latitude, latitude <= max(south, north) else { return false }
        guard west <= east else { return longitude >= west || longitude <= east }
        // The place -180° is also the place 180°.
        return west <= longitude && longitude <= east || longitude == -Self.halfTurn && east == Self.halfTurn
    }

    /// Whether two boxes intersect.
    public func intersects(_ other: E7Bounds) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return spans.contains { mine in other.spans.contains { mine.0 <= $0.1 && $0.0 <= mine.1 } }
    }

    private var spans: [(Int32, Int32)] {
        west <= east ? [(west, east)] : [(west, Self.halfTurn), (-Self.halfTurn, east)]
    }
}

extension E7Bounds {
    /// A box in degrees, rounded to 1e-7°.
    public init(_ box: BoundingBox) {
        self.init(
            west: Int32((box.west * 1e7).rounded()), south: Int32((box.south * 1e7).rounded()),
            east: Int32((box.east * 1e7).rounded()), north: Int32((box.north * 1e7).rounded()))
    }
}

extension BoundingBox {
    /// The box in degrees; nil unless its corners are places on Earth.
    public init?(_ bounds: E7Bounds) {
        self.init(
            west: Double(bounds.west) / 1e7, south: Double(bounds.south) / 1e7, east: Double(bounds.east) / 1e7,
            north: Double(bounds.north) / 1e7)
    }
}
