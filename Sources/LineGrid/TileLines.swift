import TileLog

/// The lines of a tile as a picture draws them: simplified polylines in the tile's own coordinates.
///
/// Coordinates are quarter pixels of a tile of 256: 1,024 along a side, from the north-western corner eastwards and
/// southwards. Vertices may lie outside of the tile: every stretch that comes within the margin of it is there whole, with
/// the very ends that the neighbours have, so that a line shows no edge.
public struct TileLines: Sendable, Equatable {
    /// Units along a side of a tile.
    public static let unitsPerSide = 1024
    /// Units to a pixel of a tile of 256.
    public static let unitsPerPixel = 4
    /// How far outside of a tile its log knows of lines, in pixels: half of the widest line that a style may draw, and one.
    public static let marginPixels = 8

    /// What a track left in the tile on one day: some runs, one behind the other.
    public struct Part: Sendable, Equatable {
        /// The track's number.
        public var track: Int64
        /// Days since 1970-01-01 in the library's zone, or `FragmentOrder.untimedDay`.
        public var day: Int32
        /// Which of `runs` are its own.
        public var runs: Range<Int>

        /// A part of `runs`.
        public init(track: Int64, day: Int32, runs: Range<Int>) {
            self.track = track
            self.day = day
            self.runs = runs
        }
    }

    /// The parts in order of day, person and track.
    public var parts: [Part] = []
    /// Which vertices belong together: a polyline, or a single place where there is one vertex.
    public var runs: [Range<Int>] = []
    /// Units east of the tile's western edge.
    public var xs: [Int32] = []
    /// Units south of the tile's northern edge.
    public var ys: [Int32] = []
    /// How fast the track went from the vertex before to this one, as a `SpeedCode`.
    public var speeds: [UInt8] = []
    /// Metres above the sea (or the ellipsoid, as recorded); `noElevation` where there is none.
    public var elevations: [Int16] = []

    /// Stands where no elevation was recorded.
    public static let noElevation = DayStep.noElevation

    /// No line.
    public init() {}

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { runs.isEmpty }
}

extension TileLines {
    /// Adds lines in the same units behind these.
    public mutating func append(_ other: TileLines) {
        let (vertices, ranges) = (xs.count, runs.count)
        parts += other.parts.map { part in
            Part(
                track: part.track, day: part.day, runs: part.runs.lowerBound + ranges..<part.runs.upperBound + ranges)
        }
        runs += other.runs.map { $0.lowerBound + vertices..<$0.upperBound + vertices }
        xs += other.xs
        ys += other.ys
        speeds += other.speeds
        elevations += other.elevations
    }
}
