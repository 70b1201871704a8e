/// Names of fields that many formats share, with their units.
///
/// A field without a name here keeps the name from its file.
public enum FieldName {
    /// Metres above the ellipsoid or sea level, as in the file.
    public static let elevation = "ele"
    /// Metres per second.
    public static let speed = "speed"
    /// Degrees from north, clockwise: the direction of travel.
    public static let course = "course"
    /// Degrees from north, clockwise: where the device points.
    public static let heading = "heading"
    /// Metres.
    public static let horizontalAccuracy = "hacc"
    /// Metres.
    public static let verticalAccuracy = "vacc"
    /// Beats per minute.
    public static let heartRate = "hr"
    /// Revolutions or steps per minute.
    public static let cadence = "cad"
    /// Watts.
    public static let power = "power"
    /// Degrees Celsius.
    public static let temperature = "temp"
    /// Metres since the start, as measured by the device.
    public static let distance = "distance"
    /// Dilution of precision.
    public static let hdop = "hdop"
    /// Dilution of precision.
    public static let vdop = "vdop"
    /// Dilution of precision.
    public static let pdop = "pdop"
    /// The number of satellites.
    public static let satellites = "sat"
    /// `none`, `2d`, `3d`, `dgps` or `pps`.
    public static let fix = "fix"
    /// Per cent, 0–100.
    public static let battery = "battery"
    /// The name that a user gave to this point.
    public static let pointName = "name"
    /// 1 for a waypoint: the user marked the point.
    public static let waypoint = "mark"
    /// The postal address of the place, in one line.
    public static let address = "address"
    /// How many times in a row the recorder found the same location; 1 for once.
    public static let repeats = "repeats"
    /// The recorder's own identifier of this point.
    public static let pointID = "id"
    /// The point's time as given by the recorder, in milliseconds since 1970, if it is not plausible
    /// (`Instant.plausible`).
    public static let implausibleTime = "implausible_time"
    /// Heading changes between this point and the next: `TIME DEGREES ID`, separated by `; `, times in UTC.
    public static let headingChanges = "headings"
    /// Fields beyond those that a stream can store as columns: `NAME=VALUE`, separated by `; `.
    public static let otherFields = "other_fields"
}
