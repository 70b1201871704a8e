public import TileMath

/// A tile of zoom level 20, about 38 m wide at the equator and 23 m in central Europe: all places in it have the same
/// address. A service is asked for the address of its centre, never of a recorded place.
public struct GeocodingCell: Hashable, Comparable, Sendable {
    /// The column, eastwards from 180° W.
    public let x: UInt32
    /// The row, southwards from 85.0511° N.
    public let y: UInt32

    /// The bits of a column or row at zoom level 20.
    private static let bits: UInt64 = 20
    /// World coordinates have 32 bits: these are dropped.
    private static let shift: Int64 = 12

    /// The cell of a place; nil beyond 85.0511° N or S, where the map ends.
    public init?(_ place: GeoPoint) {
        let point = WorldPoint(place)
        guard point.y >= 0, point.y < WorldPoint.side else { return nil }
        x = UInt32(point.x >> Self.shift)
        y = UInt32(point.y >> Self.shift)
    }

    /// The cell of a place in 1e-7°; nil beyond the map, and for numbers that are not a place.
    public init?(e7Longitude longitude: Int32, latitude: Int32) {
        guard let place = GeoPoint(longitude: Double(longitude) * 1e-7, latitude: Double(latitude) * 1e-7) else {
            return nil
        }
        self.init(place)
    }

    /// The cell with this key; nil for numbers that are not a key.
    public init?(key: Int64) {
        guard key >= 0, key < 1 << (2 * Self.bits) else { return nil }
        x = UInt32(key >> Int64(Self.bits))
        y = UInt32(key & (1 << Int64(Self.bits) - 1))
    }

    /// The column, then the row, of 20 bits each.
    public var key: Int64 { Int64(x) << Int64(Self.bits) | Int64(y) }

    /// Its centre.
    public var centre: GeoPoint {
        let half: Int64 = 1 << (Self.shift - 1)
        let point = WorldPoint(x: Int64(x) << Self.shift + half, y: Int64(y) << Self.shift + half)
        guard let centre = GeoPoint(longitude: point.longitude, latitude: point.latitude) else {
            preconditionFailure("a tile is on the map")
        }
        return centre
    }

    public static func < (left: Self, right: Self) -> Bool { left.key < right.key }
}
