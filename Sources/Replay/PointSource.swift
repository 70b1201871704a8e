public import Tracks

/// The source of the points of tracks.
public protocol PointSource: Sendable {
    /// The next points of a track, about `most` and at least one. With `fields` those of `ReplayFields` are included,
    /// otherwise only times and places.
    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) throws -> PointReading
}

/// The fields of points that a replay shows, or needs to detect outliers.
public enum ReplayFields {
    /// The names, ascending.
    public static let names = [
        FieldName.elevation, FieldName.horizontalAccuracy, FieldName.waypoint, FieldName.pointName,
    ]
}

/// The result of reading a track's points.
public enum PointReading: Sendable {
    /// At least one point.
    case points(PointColumns)
    /// There are no more points.
    case end
    /// The track was removed or changed after reading began.
    case changed
}

/// Thrown if a track changed after reading began.
struct TrackChanged: Error {}

/// How far a track has been read. It is sufficient for files, whose points are numbered, and for streams, whose chunks
/// may be split differently at any time around the same points.
public struct ReadingPosition: Sendable, Equatable {
    /// The number of chunks, or parts of chunks, read.
    public private(set) var chunks = 0
    /// The number of points read.
    public private(set) var points = 0
    /// The time of the last point read.
    public private(set) var lastTime: Int64?
    /// The number of consecutive points with this time that were read last.
    public private(set) var pointsAtLastTime = 0

    /// The beginning of a track.
    public init() {}

    /// Advances past a chunk.
    public mutating func advance(over chunk: PointColumns) {
        chunks += 1
        points += chunk.count
        guard let last = chunk.times.last else { return }
        let run = chunk.times.reversed().prefix { $0 == last }.count
        pointsAtLastTime = run == chunk.count && lastTime == last ? pointsAtLastTime + run : run
        lastTime = last
    }
}
