import Tracks

/// When and where the points of a file are, as it has them.
public struct FileCoverage: Sendable, Equatable {
    /// Milliseconds since 1970 of the earliest point that carries a time.
    public private(set) var start: Int64?
    /// Milliseconds since 1970 of the latest.
    public private(set) var end: Int64?
    private var south = Int64.max
    private var north = Int64.min
    /// Counted from 180° west, and from Greenwich eastwards all round: what lies on both sides of 180° is together in one of
    /// them.
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

    /// Of no point.
    init() {}

    private static let turn: Int64 = 360_000_000_000

    /// Adds the points of a chunk; some ns a point.
    mutating func add(_ chunk: PointChunk) {
        for time in chunk.times where time != PointChunk.untimed {
            if time < start ?? .max { start = time }
            if time > end ?? .min { end = time }
        }
        guard let low = chunk.latitudes.min(), let high = chunk.latitudes.max() else { return }
        south = min(south, chunk.unit.nanodegrees(low))
        north = max(north, chunk.unit.nanodegrees(high))
        var west = (least: Int64.max, most: Int64.min)
        var east = west
        for longitude in chunk.longitudes {
            if longitude < 0 {
                west = (min(west.least, longitude), max(west.most, longitude))
            } else {
                east = (min(east.least, longitude), max(east.most, longitude))
            }
        }
        if west.least <= west.most {
            let span = Span(
                west: chunk.unit.nanodegrees(west.least), east: chunk.unit.nanodegrees(west.most))
            fromDateLine.add(span)
            fromGreenwich.add(Span(west: span.west + Self.turn, east: span.east + Self.turn))
        }
        if east.least <= east.most {
            let span = Span(
                west: chunk.unit.nanodegrees(east.least), east: chunk.unit.nanodegrees(east.most))
            fromDateLine.add(span)
            fromGreenwich.add(span)
        }
    }

    /// Adds what another covers.
    mutating func add(_ other: FileCoverage) {
        if let time = other.start, time < start ?? .max { start = time }
        if let time = other.end, time > end ?? .min { end = time }
        south = min(south, other.south)
        north = max(north, other.north)
        fromDateLine.add(other.fromDateLine)
        fromGreenwich.add(other.fromGreenwich)
    }

    /// West, south, east, north in degrees, the narrower of both ways round the Earth: west is greater than east over 180°.
    /// nil without a point.
    public var box: [Double]? {
        guard south <= north else { return nil }
        var span = fromDateLine
        if fromGreenwich.east - fromGreenwich.west < span.east - span.west {
            span = fromGreenwich
            if span.east > Self.turn / 2 { span.east -= Self.turn }
            if span.west > Self.turn / 2 { span.west -= Self.turn }
        }
        return [span.west, south, span.east, north].map { Double($0) / 1e9 }
    }
}
