public import Text

/// The unit of a chunk's coordinates.
public enum CoordinateUnit: Hashable, Sendable {
    /// Degrees × 10^places, with 0–9 places.
    case decimal(places: UInt8)
    /// FIT semicircles: 2^31 are 180°.
    case semicircles

    /// Converts a coordinate in this unit to 1e-9°; exact for decimals, rounded for semicircles.
    @inlinable
    public func nanodegrees(_ coordinate: Int64) -> Int64 {
        switch self {
        case .decimal(let places):
            return coordinate &* FixedDecimal.integerPower(9 - places)
        case .semicircles:
            // 180e9 / 2^31 is exact in Double, so the product is exact to far below 1e-9°.
            return Int64((Double(coordinate) * (180_000_000_000 / 2_147_483_648)).rounded())
        }
    }
}

/// Up to `capacity` points of one recording in file order, stored as columns.
///
/// All columns have `count` entries. Each chunk is independent and has its own coordinate unit.
public struct PointChunk: Sendable, Equatable {
    /// The maximum number of points: a few database pages, and a bound on what one read decodes.
    public static let capacity = 4096
    /// The maximum number of different fields of a chunk, so that every stored chunk can be decoded: 32 MiB of numbers.
    public static let fieldLimit = 1000
    /// The value in `times` of a point without a time.
    public static let untimed = Int64.min

    /// The unit of `longitudes` and `latitudes`: the finest that any of the points needs.
    public var unit: CoordinateUnit
    /// In `unit`, east positive.
    public var longitudes: [Int64]
    /// In `unit`, north positive.
    public var latitudes: [Int64]
    /// Milliseconds since 1970-01-01T00:00Z, or `PointChunk.untimed`.
    public var times: [Int64]
    /// Indices of the points that start a segment of the file, ascending.
    public var segmentStarts: [Int]
    /// The columns of all other fields, ordered by name.
    public var fields: [FieldColumn]

    /// Creates a chunk from columns of equal length.
    public init(
        unit: CoordinateUnit, longitudes: [Int64], latitudes: [Int64], times: [Int64], segmentStarts: [Int],
        fields: [FieldColumn] = []
    ) {
        precondition(
            longitudes.count == latitudes.count && latitudes.count == times.count, "columns must have equal length")
        precondition(fields.allSatisfy { $0.count == times.count }, "columns must have equal length")
        self.unit = unit
        self.longitudes = longitudes
        self.latitudes = latitudes
        self.times = times
        self.segmentStarts = segmentStarts
        self.fields = fields
    }

    /// The number of points.
    public var count: Int { times.count }
}

/// One field of a chunk's points.
public struct FieldColumn: Sendable, Equatable {
    /// The values, one per point.
    public enum Values: Sendable, Equatable {
        /// Decimals with the same number of places; `FieldColumn.absent` for a point without a value.
        case numbers(places: UInt8, [Int64])
        /// Anything that is not a plain decimal number, as written; nil for a point without a value.
        case texts([String?])
    }

    /// The value for a point without a number.
    public static let absent = Int64.min

    /// A name from `FieldName`, or the name used in the file.
    public var name: String
    /// The values, one per point.
    public var values: Values

    /// Creates a column.
    public init(name: String, values: Values) {
        self.name = name
        self.values = values
    }

    /// The number of points.
    public var count: Int { values.count }
}

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
