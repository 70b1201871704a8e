/// A point of a track, in the order of time.
struct PlayablePoint: Sendable {
    var longitude: Int32
    var latitude: Int32
    var time: Int64
    /// The index of the point in the track as stored, from 0.
    var index: Int
    var fields: PointFields
    /// Whether its time is estimated.
    var isTimeEstimated = false
    /// Whether there is a gap before the point; true for the first point.
    var begins: Bool
}

/// A point that replay shows: it has a time, recorded or estimated, and is not an outlier.
struct TimedPoint: Sendable {
    var longitude: Int32
    var latitude: Int32
    var time: Int64
    /// The index of the point in the track, from 0.
    var index: Int
    /// The index of the file's segment that holds the point.
    var segment: Int
    /// Whether its time is estimated.
    var isTimeEstimated: Bool
    var fields: PointFields
}

/// The fields of a point, other than place and time, that replay shows.
struct PointFields: Equatable, Sendable {
    private var tenths = Int64.min
    /// A reference, because few points are waypoints and all others should stay small.
    private var waypoint: WaypointName?

    /// Tenths of a metre.
    var elevation: Int64? {
        get { tenths == .min ? nil : tenths }
        set { tenths = newValue ?? .min }
    }
    /// Whether the point is a waypoint: somebody added it by hand.
    var isWaypoint: Bool { waypoint != nil }
    /// The name of the waypoint.
    var name: String? { waypoint?.name }

    /// Makes the point a waypoint.
    mutating func addWaypoint(named name: String?) { waypoint = WaypointName(name) }
}

/// The name of a waypoint.
private final class WaypointName: Sendable, Equatable {
    let name: String?

    init(_ name: String?) { self.name = name }

    static func == (left: WaypointName, right: WaypointName) -> Bool { left.name == right.name }
}
