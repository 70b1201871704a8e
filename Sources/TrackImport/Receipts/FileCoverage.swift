import Tracks

/// The time range and bounding box of a file's points, as recorded.
public struct FileCoverage: Sendable, Equatable {
    /// Time of the earliest timed point, in milliseconds since 1970.
    public private(set) var start: Int64?
    /// Time of the latest timed point, in milliseconds since 1970.
    public private(set) var end: Int64?
    private var south = Int64.max
    private var north = Int64.min
    /// Longitude ranges in nanodegrees, counted from 180° west, and from Greenwich eastwards; points on both sides of
    /// 180° are contiguous in the second.
    private var fromDateLine = Span()
    private var fromGreenwich = Span()

    private struct Span: Sendable, Equatable {
        var west = Int64.max
        var east = Int64.min

        mutating func add(_ other: Span) {
            west = min(west, other.west)
            east = max(east, other.east)
        }
    }

    /// Creates a coverage without points.
    init() {}

    private static let fullCircle: Int64 = 360_000_000_000

    /// Whether it covers no point.
    var isEmpty: Bool { south > north }

    /// Adds the points of a chunk; costs a few nanoseconds per point.
    mutating func add(_ chunk: PointColumns) {
        for time in chunk.times where time != PointColumns.untimed {
            if time < start ?? .max { start = time }
            if time > end ?? .min { end = time }
        }
        guard let low = chunk.latitudes.min(), let high = chunk.latitudes.max() else { return }
        south = min(south, chunk.unit.nanodegrees(low))
        north = max(north, chunk.unit.nanodegrees(high))
        var west = (lowest: Int64.max, highest: Int64.min)
        var east = west
        for longitude in chunk.longitudes {
            if longitude < 0 {
                west = (min(west.lowest, longitude), max(west.highest, longitude))
            } else {
                east = (min(east.lowest, longitude), max(east.highest, longitude))
            }
        }
        if west.lowest <= west.highest {
            let span = Span(
                west: chunk.unit.nanodegrees(west.lowest), east: chunk.unit.nanodegrees(west.highest))
            fromDateLine.add(span)
            fromGreenwich.add(Span(west: span.west + Self.fullCircle, east: span.east + Self.fullCircle))
        }
        if east.lowest <= east.highest {
            let span = Span(
                west: chunk.unit.nanodegrees(east.lowest), east: chunk.unit.nanodegrees(east.highest))
            fromDateLine.add(span)
            fromGreenwich.add(span)
        }
    }

    /// Adds the coverage of another file.
    mutating func add(_ other: FileCoverage) {
        if let time = other.start, time < start ?? .max { start = time }
        if let time = other.end, time > end ?? .min { end = time }
        south = min(south, other.south)
        north = max(north, other.north)
        fromDateLine.add(other.fromDateLine)
        fromGreenwich.add(other.fromGreenwich)
    }

    /// West, south, east and north in degrees, by the narrower way round the Earth; nil without points.
    ///
    /// West is greater than east if the box crosses 180°.
    public var box: [Double]? {
        guard south <= north else { return nil }
        var span = fromDateLine
        // Tracks around Fiji are narrow only when longitudes are counted eastwards from Greenwich.
        if fromGreenwich.east - fromGreenwich.west < span.east - span.west {
            span = fromGreenwich
            if span.east > Self.fullCircle / 2 { span.east -= Self.fullCircle }
            if span.west > Self.fullCircle / 2 { span.west -= Self.fullCircle }
        }
        return [span.west, south, span.east, north].map { Double($0) / 1e9 }
    }
}
