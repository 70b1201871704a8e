import Text

/// An area of the Earth between two meridians and two parallels; it crosses 180° if west is greater than east (RFC
/// 7946).
public struct BoundingBox: Hashable, Sendable {
    /// Degrees.
    public let west: Double
    /// Degrees.
    public let south: Double
    /// Degrees; less than `west` if the box crosses 180°.
    public let east: Double
    /// Degrees.
    public let north: Double

    /// nil unless the corners are places on Earth and `south` is not greater than `north`.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard abs(west) <= 180, abs(east) <= 180, abs(south) <= 90, abs(north) <= 90, south <= north else { return nil }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Parses `W,S,E,N` in degrees, with or without spaces around the numbers; nil for anything else.
    public init?(text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            FixedDecimal(String(part))?.double
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3]
        else { return nil }
        self.init(west: west, south: south, east: east, north: north)
    }

    /// The latitude limit of Web Mercator, in degrees north and south: atan(sinh(π)), where the map is as high as wide.
    public static let mercatorLatitude = 85.051_128_779_806_59

    /// Whether the box crosses the 180° meridian.
    public var crossesAntimeridian: Bool { west > east }

    /// Whether a place is in the box, edges included.
    public func contains(_ place: GeoPoint) -> Bool {
        guard place.latitude >= south, place.latitude <= north else { return false }
        if crossesAntimeridian {
            return place.longitude >= west || place.longitude <= east
        }
        return place.longitude >= west && place.longitude <= east
    }

    /// Whether the two boxes have a place in common.
    public func intersects(_ other: BoundingBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return spans.contains { mine in
            other.spans.contains { mine.west <= $0.east && $0.west <= mine.east }
        }
    }

    /// The smallest box around all given boxes; nil if there are none. The widest range of longitudes without a box is
    /// left out, so the result may cross 180°.
    public static func enclosing(_ boxes: [BoundingBox]) -> BoundingBox? {
        guard let south = boxes.map(\.south).min(), let north = boxes.map(\.north).max() else { return nil }
        let spans = boxes.flatMap(\.spans).sorted { ($0.west, $0.east) < ($1.west, $1.east) }
        var reach = spans[0].east
        var gap = (width: -1.0, from: reach, to: spans[0].west)
        for span in spans.dropFirst() {
            if span.west - reach > gap.width, span.west > reach { gap = (span.west - reach, reach, span.west) }
            reach = max(reach, span.east)
        }
        // The range across 180° is the one that an ordinary box leaves out.
        let outer = spans[0].west + 360 - reach
        if outer >= gap.width { gap = (outer, reach, spans[0].west) }
        return BoundingBox(west: gap.to, south: south, east: gap.from, north: north)
    }

    /// The box of a tile.
    public init(of tile: TileCoordinate) {
        let shift = Int64(32 - tile.zoom.number)
        let northWest = WorldPoint(x: Int64(tile.x) << shift, y: Int64(tile.y) << shift)
        let southEdge = WorldPoint(x: 0, y: Int64(tile.y + 1) << shift)
        let side = Double(tile.zoom.tilesPerSide)
        self.west = northWest.longitude
        self.south = southEdge.latitude
        self.east = Double(tile.x + 1) / side * 360 - 180
        self.north = northWest.latitude
    }

    /// One range of longitudes, or two if the box crosses 180°.
    private var spans: [(west: Double, east: Double)] {
        crossesAntimeridian ? [(west, 180), (-180, east)] : [(west, east)]
    }
}
