public import TileMath

/// A place on the map with a time.
public struct TimedPlace: Hashable, Sendable {
    /// The place in world coordinates.
    public var point: WorldPoint
    /// Milliseconds since 1970, or `PointColumns.untimed`.
    public var time: Int64

    /// Creates a place with a time.
    @inlinable
    public init(point: WorldPoint, time: Int64) {
        self.point = point
        self.time = time
    }

    /// The place and time of a point from `OutlierDetector`.
    @inlinable
    public init(_ classified: ClassifiedPoint) {
        self.init(
            point: WorldPoint(
                longitude: Double(classified.longitude) / 1e7, latitude: Double(classified.latitude) / 1e7),
            time: classified.time)
    }

    /// The interpolated place at an instant on the line between two places, at constant speed; `early` must not be
    /// later than `late`. All code that cuts lines, at midnight and at the ends of windows, uses this function, so that
    /// all cuts agree.
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
