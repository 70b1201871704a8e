public import TileMath

/// A place on the map and when a track was there.
public struct TimedPlace: Hashable, Sendable {
    /// Where.
    public var point: WorldPoint
    /// Milliseconds since 1970, or `PointChunk.untimed`.
    public var time: Int64

    /// A place and its time.
    @inlinable
    public init(point: WorldPoint, time: Int64) {
        self.point = point
        self.time = time
    }

    /// Where and when a point of a walk is.
    @inlinable
    public init(_ walked: CleanedPoint) {
        self.init(
            point: WorldPoint(longitude: Double(walked.longitude) / 1e7, latitude: Double(walked.latitude) / 1e7),
            time: walked.time)
    }

    /// The place at an instant on the line between two places, in the order of their times, travelled at one speed: where
    /// lines are cut at midnight and at the ends of windows, so that all who cut get the same ends.
    public static func between(_ early: TimedPlace, _ late: TimedPlace, at time: Int64) -> TimedPlace {
        let part = (Double(time) - Double(early.time)) / (Double(late.time) - Double(early.time))
        let eastwards = Double(early.point.eastwards(to: late.point))
        let southwards = Double(late.point.y - early.point.y)
        return TimedPlace(
            point: WorldPoint(
                x: early.point.x + Int64((eastwards * part).rounded()),
                y: early.point.y + Int64((southwards * part).rounded())),
            time: time)
    }
}
