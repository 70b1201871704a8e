import TileLog

/// The lines of a tile for drawing: simplified polylines in the tile's coordinates.
///
/// Coordinates are quarter pixels of a 256-pixel tile: 1,024 along a side, from the north-western corner eastwards and
/// southwards. Vertices may be outside the tile: every segment within the margin is included uncut, with the same ends
/// as in the neighbouring tiles, so that a line shows no seam.
public struct TileLines: Sendable, Equatable {
    /// Units along a side of a tile.
    public static let unitsPerSide = 1024
    /// Units per pixel of a 256-pixel tile.
    public static let unitsPerPixel = 4
    /// How far outside a tile its log includes lines, in pixels: half of the widest line that a style may draw, plus
    /// one.
    public static let marginPixels = 8

    /// The runs of a track in the tile on one day.
    public struct Fragment: Sendable, Equatable {
        /// The track's number.
        public var track: Int64
        /// Days since 1970-01-01 in the library's time zone, or `FragmentOrder.untimedDay`.
        public var day: Int32
        /// The indices of its runs in `runs`.
        public var runs: Range<Int>

        /// Creates a fragment.
        public init(track: Int64, day: Int32, runs: Range<Int>) {
            self.track = track
            self.day = day
            self.runs = runs
        }
    }

    /// The fragments in order of day, person and track.
    public var fragments: [Fragment] = []
    /// The indices of the vertices of each polyline; a single vertex is a single place.
    public var runs: [Range<Int>] = []
    /// Units east of the tile's western edge.
    public var xs: [Int32] = []
    /// Units south of the tile's northern edge.
    public var ys: [Int32] = []
    /// The speed from the vertex before to this one, as a `SpeedCode`.
    public var speeds: [UInt8] = []
    /// Metres above sea level (or the ellipsoid, as recorded), or `noElevation`.
    public var elevations: [Int16] = []

    /// The value for a vertex without a recorded elevation.
    public static let noElevation = DayStep.noElevation

    /// Creates an empty list.
    public init() {}

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { runs.isEmpty }
}

extension TileLines {
    /// Appends lines in the same units.
    public mutating func append(_ other: TileLines) {
        let (vertices, ranges) = (xs.count, runs.count)
        fragments += other.fragments.map { fragment in
            Fragment(
                track: fragment.track, day: fragment.day,
                runs: fragment.runs.lowerBound + ranges..<fragment.runs.upperBound + ranges)
        }
        runs += other.runs.map { $0.lowerBound + vertices..<$0.upperBound + vertices }
        xs += other.xs
        ys += other.ys
        speeds += other.speeds
        elevations += other.elevations
    }
}
