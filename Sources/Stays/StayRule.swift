import Tracks

/// The limits of stays, as computed properties: stored ones are looked up for every point.
///
/// Distances and times are those of Dawarich's detection of visits.
public enum StayRule {
    /// A point belongs to a stay while it is this near to the mean of its points; so near are the two sides of a silence.
    public static var radiusMetres: Double { 100.0 }
    /// A point belongs to a stay while it is this near to its first point.
    public static var driftMetres: Double { 150.0 }
    /// A longer time without points is a silence: it ends a run of points.
    public static var silenceMilliseconds: Int64 { 3_600_000 }
    /// The longest silence that a stay can have.
    public static var bridgeMilliseconds: Int64 { 7 * 86_400_000 }
    /// The shortest stay.
    public static var shortestMilliseconds: Int64 { 600_000 }
    /// The smallest number of points of a stay.
    public static var fewestPoints: Int { 2 }
    /// The time over which movement is measured: so long that errors of the receiver are no movement.
    static var windowMilliseconds: Int64 { 60_000 }
    /// From this speed over a window on, it is movement.
    static var movingMetresPerSecond: Double { 1.0 }
    /// The shortest window at the end of a run.
    static var lastWindowMilliseconds: Int64 { 20_000 }
    /// A stay may be interrupted for this time, if not by movement: some points were far off.
    static var breakMilliseconds: Int64 { 600_000 }
    /// The shortest part of a stay.
    static var partMilliseconds: Int64 { 120_000 }

    /// Metres of 1e-7° along a meridian of the sphere.
    @inline(__always)
    static var metresPerUnit: Double { 6_371_008.8 * Double.pi / 180 * 1e-7 }

    /// Whether a time is movement for the greater part.
    static func isMostly(_ moving: Int64, of milliseconds: Int64) -> Bool {
        milliseconds > 0 && moving >= milliseconds - moving
    }
}

/// Differences of longitudes in 1e-7°, the short way round.
enum Longitude {
    private static var circle: Int64 { 3_600_000_000 }

    @inline(__always)
    static func difference(_ from: Int32, _ to: Int32) -> Int64 {
        let width = Int64(to) - Int64(from)
        if width > circle / 2 { return width - circle }
        return width < -circle / 2 ? width + circle : width
    }

    static func adding(_ width: Int64, to start: Int32) -> Int32 {
        var sum = Int64(start) + width
        if sum > circle / 2 { sum -= circle }
        if sum < -circle / 2 { sum += circle }
        return Int32(truncatingIfNeeded: sum)
    }
}
