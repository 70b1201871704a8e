public import Foundation

/// A place on Earth in degrees, WGS 84.
public struct GeoPoint: Hashable, Sendable {
    /// Degrees east, −180…180.
    public let longitude: Double
    /// Degrees north, −90…90.
    public let latitude: Double

    /// nil for what is no place on Earth (longitude 812, NaN).
    public init?(longitude: Double, latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// A place on the web-mercator square as 32-bit fixed-point numbers: the world is 2^32 wide and high.
///
/// `x` counts from 180° W eastwards and is in 0 ..< 2^32; `y` counts from 85.0511° N southwards and lies outside
/// 0 ..< 2^32 for places nearer to the poles, which the map does not show.
public struct WorldPoint: Hashable, Sendable {
    /// 0 ..< 2^32, from 180° W eastwards.
    public let x: Int64
    /// 0 ..< 2^32 between 85.0511° N and S, counted southwards; beyond towards the poles.
    public let y: Int64

    /// How wide and high the world is: 2^32.
    public static let side: Int64 = 1 << 32

    /// A place on the square; `x` is wrapped round the world.
    public init(x: Int64, y: Int64) {
        self.x = x & (Self.side - 1)
        self.y = y
    }

    /// The projection of a place (EPSG:3857, spherical); at the very poles the latitude is held at ±89.9999°.
    public init(_ place: GeoPoint) {
        self.init(longitude: place.longitude, latitude: place.latitude)
    }

    /// The projection of degrees already known to be a place.
    @inlinable
    public init(longitude: Double, latitude: Double) {
        let held = min(max(latitude, -89.9999), 89.9999)
        let sine = sin(held * (Double.pi / 180))
        let northing = 0.5 - log((1 + sine) / (1 - sine)) * (0.25 / Double.pi)
        let easting = longitude * (1.0 / 360.0) + 0.5
        self.init(
            x: Int64((easting * 4_294_967_296).rounded(.down)),
            y: Int64((northing * 4_294_967_296).rounded(.down)))
    }

    /// Degrees east, −180 ..< 180.
    public var longitude: Double {
        (Double(x) / 4_294_967_296 - 0.5) * 360
    }

    /// Degrees north.
    public var latitude: Double {
        atan(sinh(Double.pi * (1 - 2 * Double(y) / 4_294_967_296))) * 180 / Double.pi
    }

    /// How far east another place is by the shorter way round the world: −2^31 ..< 2^31.
    @inlinable
    public func eastwards(to other: WorldPoint) -> Int64 {
        Int64(Int32(truncatingIfNeeded: other.x &- x))
    }
}
