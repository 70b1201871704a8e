/// How a chunk's coordinates are counted.
public enum CoordinateUnit: Hashable, Sendable {
    /// Degrees × 10^places, 0–9 places.
    case decimal(places: UInt8)
    /// FIT's unit: 2^31 of them are 180°.
    case semicircles

    /// Billionths of a degree for a coordinate in this unit; exact for decimals, rounded for semicircles.
    @inlinable
    public func nanodegrees(_ coordinate: Int64) -> Int64 {
        switch self {
        case .decimal(let places):
            return coordinate &* FixedDecimal.integerPower(9 - places)
        case .semicircles:
            // 180e9 / 2^31 = 10546875 × 2^14 / 2^31 × … : in Double the product is exact to far below 1e-9°.
            return Int64((Double(coordinate) * (180_000_000_000 / 2_147_483_648)).rounded())
        }
    }
}

/// Some points of one recording in the order of their file, as columns; at most `capacity` of them.
///
/// All columns have `count` entries. A chunk stands alone: its coordinates have a unit of their own.
public struct PointChunk: Sendable, Equatable {
    /// More points than this go into another chunk: a few pages of the store, and a bound on what one read decodes.
    public static let capacity = 4096
    /// As many different fields the points of a chunk may have, so that one that is stored can be read again: 32 MiB of numbers.
    public static let fieldLimit = 1000
    /// Stands in `times` where a point carries no time.
    public static let untimed = Int64.min

    /// The unit of `longitudes` and `latitudes`: the finest that one of the points needs.
    public var unit: CoordinateUnit
    /// In `unit`, east positive.
    public var longitudes: [Int64]
    /// In `unit`, north positive.
    public var latitudes: [Int64]
    /// Milliseconds since 1970-01-01T00:00Z, or `PointChunk.untimed`.
    public var times: [Int64]
    /// Indices (ascending) of the points with which a segment of the file begins.
    public var segmentStarts: [Int]
    /// What else the points carry, ordered by name.
    public var fields: [FieldColumn]

    /// A chunk of columns that all have the same count.
    public init(
        unit: CoordinateUnit, longitudes: [Int64], latitudes: [Int64], times: [Int64], segmentStarts: [Int],
        fields: [FieldColumn] = []
    ) {
        precondition(longitudes.count == latitudes.count && latitudes.count == times.count, "columns of one length")
        precondition(fields.allSatisfy { $0.count == times.count }, "columns of one length")
        self.unit = unit
        self.longitudes = longitudes
        self.latitudes = latitudes
        self.times = times
        self.segmentStarts = segmentStarts
        self.fields = fields
    }

    /// How many points there are.
    public var count: Int { times.count }
}

/// One field of a chunk's points.
public struct FieldColumn: Sendable, Equatable {
    /// Values, one a point.
    public enum Values: Sendable, Equatable {
        /// Decimals with one number of places; `FieldColumn.absent` where a point has none.
        case numbers(places: UInt8, [Int64])
        /// Anything that is no plain decimal number, as written; nil where a point has none.
        case texts([String?])
    }

    /// Stands where a point carries no number.
    public static let absent = Int64.min

    /// One of `FieldName`'s, or the file's own word.
    public var name: String
    /// The values, one a point.
    public var values: Values

    /// A column.
    public init(name: String, values: Values) {
        self.name = name
        self.values = values
    }

    /// How many points the column speaks of.
    public var count: Int {
        switch values {
        case .numbers(_, let numbers): numbers.count
        case .texts(let texts): texts.count
        }
    }
}

/// The names under which readers keep the fields that many formats know, with their units.
///
/// A field that has no name here keeps the one its file gave it.
public enum FieldName {
    /// Metres above the ellipsoid or sea level, as the file has it.
    public static let elevation = "ele"
    /// Metres a second.
    public static let speed = "speed"
    /// Degrees from north, clockwise: the direction of travel.
    public static let course = "course"
    /// Degrees from north, clockwise: where the device points.
    public static let heading = "heading"
    /// Metres.
    public static let horizontalAccuracy = "hacc"
    /// Metres.
    public static let verticalAccuracy = "vacc"
    /// Beats a minute.
    public static let heartRate = "hr"
    /// Turns or steps a minute.
    public static let cadence = "cad"
    /// Watts.
    public static let power = "power"
    /// Degrees Celsius.
    public static let temperature = "temp"
    /// Metres since the start, as the device counted.
    public static let distance = "distance"
    /// Dilution of precision.
    public static let hdop = "hdop"
    /// Dilution of precision.
    public static let vdop = "vdop"
    /// Dilution of precision.
    public static let pdop = "pdop"
    /// How many satellites.
    public static let satellites = "sat"
    /// `none`, `2d`, `3d`, `dgps` or `pps`.
    public static let fix = "fix"
    /// Per cent, 0–100.
    public static let battery = "battery"
    /// A name somebody gave to this very point.
    public static let pointName = "name"
    /// 1 where the place was marked by hand.
    public static let mark = "mark"
    /// The postal address of the place, in one line.
    public static let address = "address"
    /// How many times in a row the recorder found the same location; 1 for once.
    public static let repeats = "repeats"
    /// The recorder's own word for this very point.
    public static let pointID = "id"
    /// Milliseconds since 1970 that the recorder gave as the point's time, where it cannot have been then (`Instant.plausible`).
    public static let implausibleTime = "implausible_time"
    /// Turns of the device between this point and the next: `TIME DEGREES ID`, with `; ` between, times in UTC.
    public static let headingChanges = "headings"
    /// Fields beyond those that a stream can have as columns: `NAME=VALUE`, with `; ` between.
    public static let otherFields = "other_fields"
}
