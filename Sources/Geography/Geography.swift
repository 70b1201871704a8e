public import TileMath

/// Countries, coasts, borders, lakes, rivers and towns of the world, from Natural Earth.
public struct Geography: Sendable {
    /// A country or territory.
    public struct Country: Sendable, Hashable {
        /// Two letters of ISO 3166-1, or `X-` and three letters of Natural Earth where ISO has no code.
        public let code: String
        /// Natural Earth's code: three letters.
        public let longCode: String
        /// The English name.
        public let name: String
        /// Whether its status is disputed or indeterminate.
        public let isDisputed: Bool
        /// A place well inside the largest part, such as for the country's name on a map.
        public let center: MapVertex
        /// The distance from `center` to the outline, as a part of the width of the world.
        public let radius: Double
    }

    /// An arc of outlines: the same countries are on both sides throughout.
    public struct Arc: Sendable {
        /// The index of the country on the left when going along the vertices; nil for the sea.
        public let left: Int?
        /// The index of the country on the right; nil for the sea.
        public let right: Int?
        /// Whether the arc is the edge of the map (180° or the South Pole), not a coast.
        public let isMapEdge: Bool
        /// The vertices.
        public let line: MapLine

        /// Whether land is on both sides.
        public var isBorder: Bool { left != nil && right != nil }
    }

    /// A closed outline of a country; land is on its right.
    public struct Ring: Sendable {
        /// The index of the country.
        public let country: Int
        /// The arcs in order.
        public let arcs: [(index: Int, isReversed: Bool)]
        /// The bounds of all vertices.
        public let bounds: MapBounds
    }

    /// A lake (a closed line) or a river.
    public struct Water: Sendable {
        /// The importance: 0 is the most important.
        public let rank: Int
        public let line: MapLine
    }

    /// A town or city.
    public struct Town: Sendable {
        public let name: String
        public let place: MapVertex
        /// The zoom level from which on a map should show it, times 10.
        public let firstZoomTimesTen: Int
        public let population: Int
        /// Whether it is the capital of a country.
        public let isCapital: Bool
    }

    public let countries: [Country]
    public let arcs: [Arc]
    public let rings: [Ring]
    public let lakes: [Water]
    public let rivers: [Water]
    /// The most important one first.
    public let towns: [Town]
    /// The coordinates of all lines.
    public let vertices: MapVertices
}

/// A place on the map: parts of the width of the world, eastwards from 180° W and southwards from 85.05° N.
public struct MapVertex: Sendable, Hashable {
    public var x: Double
    public var y: Double

    /// Projects a place (Web Mercator).
    public init(_ place: GeoPoint) {
        x = place.longitude / 360 + 0.5
        y = Double(WorldPoint(place).y) / Double(WorldPoint.side)
    }
}

/// The bounds of a line on the map, in parts of the width of the world.
public struct MapBounds: Sendable, Hashable {
    public var minX = Float.infinity
    public var minY = Float.infinity
    public var maxX = -Float.infinity
    public var maxY = -Float.infinity

    /// No place.
    public init() {}

    /// The larger of width and height; negative without any place.
    public var size: Double { Double(max(maxX - minX, maxY - minY)) }

    mutating func add(x: Float, y: Float) {
        minX = min(minX, x)
        maxX = max(maxX, x)
        minY = min(minY, y)
        maxY = max(maxY, y)
    }

    mutating func formUnion(_ other: MapBounds) {
        add(x: other.minX, y: other.minY)
        add(x: other.maxX, y: other.maxY)
    }
}

/// A run of `MapVertices`.
public struct MapLine: Sendable {
    public let range: Range<Int>
    public let bounds: MapBounds
}

/// The vertices of all lines, as columns.
public struct MapVertices: Sendable {
    /// 0.0001° east.
    public internal(set) var longitudes: [Int32] = []
    /// 0.0001° north.
    public internal(set) var latitudes: [Int32] = []
    /// Parts of the width of the world, as in `MapVertex`.
    public internal(set) var x: [Float] = []
    public internal(set) var y: [Float] = []
    /// The first zoom level that needs the vertex; 15 if no map up to zoom level 8 does.
    public internal(set) var levels: [UInt8] = []
}
