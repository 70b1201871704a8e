public import Text

/// The unit of the coordinates of points.
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

/// Points of one recording in file order, as columns.
///
/// All columns have `count` entries. Points that are stored or read in one piece are a chunk, see `PointChunk`; each chunk
/// has its own coordinate unit.
public struct PointColumns: Sendable, Equatable {
    /// The value in `times` of a point without a time.
    public static let untimed = Int64.min

    /// The unit of `longitudes` and `latitudes`: the finest that any of the points needs.
    public var unit: CoordinateUnit
    /// In `unit`, east positive.
    public var longitudes: [Int64]
    /// In `unit`, north positive.
    public var latitudes: [Int64]
    /// Milliseconds since 1970-01-01T00:00Z, or `PointColumns.untimed`.
    public var times: [Int64]
    /// Indices of the points that start a segment of the file, ascending.
    public var segmentStarts: [Int]
    /// The columns of all other fields, ordered by name.
    public var fields: [FieldColumn]

    /// Creates points from columns of equal length.
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

/// One field of points.
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
