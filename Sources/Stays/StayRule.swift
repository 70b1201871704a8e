/// The limits of stays, as computed properties: stored ones are looked up for every point.
///
/// Distances and times are those of Dawarich's detection of visits.
public enum StayRule {
    /// A point belongs to a stay while it is this near to the mean of its points; also the maximum distance between the
    /// two ends of a pause.
    public static var radiusMetres: Double { 100.0 }
    /// A point belongs to a stay while it is this near to its first point.
    public static var driftMetres: Double { 150.0 }
    /// A longer time without points is a pause: it ends a run of points.
    public static var pauseMilliseconds: Int64 { 3_600_000 }
    /// The longest pause that a stay can have.
    public static var bridgeMilliseconds: Int64 { 7 * 86_400_000 }
    /// The shortest stay.
    public static var shortestMilliseconds: Int64 { 600_000 }
    /// The smallest number of points of a stay.
    public static var fewestPoints: Int { 2 }
    /// The time over which movement is measured: so long that errors of the receiver do not count as movement.
    static var windowMilliseconds: Int64 { 60_000 }
    /// That between the means of several points, whose times are about a minute apart.
    static var cellWindowMilliseconds: Int64 { 50_000 }
    /// From this speed over a window on, it is movement.
    static var movingMetresPerSecond: Double { 1.0 }
    /// From this speed on, the last point before a pause is the place of the stay, not the mean of the way to it. Errors
    /// of the receiver look slower, over the shortest window.
    static var arrivingMetresPerSecond: Double { 2.0 }
    /// The shortest window at the end of a run.
    static var lastWindowMilliseconds: Int64 { 20_000 }
    /// A stay may be interrupted for this time, if not by movement: some points were far off.
    static var breakMilliseconds: Int64 { 600_000 }
    /// The shortest part of a stay.
    static var partMilliseconds: Int64 { 120_000 }

    /// Points farther apart at the same time are from two devices: more than a cell that is crossed in a minute has.
    static var jumpMetres: Double { 250.0 }
    /// A further device has so many cells; fewer are errors of the receiver.
    static var fewestCells: Int { 3 }

    /// The largest number of devices at the same time.
    static var mostDevices: Int { 8 }

    /// Whether a time is movement for the greater part.
    static func isMostly(_ moving: Int64, of milliseconds: Int64) -> Bool {
        milliseconds > 0 && moving >= milliseconds - moving
    }
}
