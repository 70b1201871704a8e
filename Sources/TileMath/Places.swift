public import Foundation
import Text

/// A place on Earth in degrees, WGS 84.
public struct GeoPoint: Hashable, Sendable {
    /// Degrees east, −180…180.
    public let longitude: Double
    /// Degrees north, −90…90.
    public let latitude: Double

    /// nil if outside these ranges or NaN.
    public init?(longitude: Double, latitude: Double) {
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Parses `LON,LAT` in degrees; nil for anything else.
    public init?(text: some StringProtocol) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            FixedDecimal(String(part))?.double
        }
        guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
        self.init(longitude: longitude, latitude: latitude)
    }

    /// The nearest place in 1e-7°.
    public var e7: (longitude: Int32, latitude: Int32) {
        (Int32((longitude * 1e7).rounded()), Int32((latitude * 1e7).rounded()))
    }
}

/// A place in Web Mercator as 32-bit fixed-point numbers: the world is 2^32 wide and high.
///
/// `x` counts eastwards from 180° W and is in 0 ..< 2^32. `y` counts southwards from 85.0511° N; it is outside 0 ..<
/// 2^32 for places nearer to the poles, which the map does not show.
public struct WorldPoint: Hashable, Sendable {
    /// 0 ..< 2^32, eastwards from 180° W.
    public let x: Int64
    /// Southwards; 0 ..< 2^32 between 85.0511° N and S, outside that range towards the poles.
    public let y: Int64

    /// The width and height of the world: 2^32.
    public static let side: Int64 = 1 << 32

    /// Creates a place; `x` is wrapped round the world.
    public init(x: Int64, y: Int64) {
        self.x = x & (Self.side - 1)
        self.y = y
    }

    /// The projection of a place (EPSG:3857, spherical). Latitudes are clamped to ±89.9999°.
    public init(_ place: GeoPoint) {
        self.init(longitude: place.longitude, latitude: place.latitude)
    }

    /// The projection of degrees that were checked to be a place on Earth.
    @inlinable
    public init(longitude: Double, latitude: Double) {
        // The projection of a pole is infinitely far away.
        let clamped = min(max(latitude, -89.9999), 89.9999)
        let sine = sin(clamped * (Double.pi / 180))
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

    /// The distance east to another place by the shorter way round the world: −2^31 ..< 2^31.
    @inlinable
    public func eastwards(to other: WorldPoint) -> Int64 {
        // The difference modulo 2^32, read as a signed number, is the shorter way.
        Int64(Int32(truncatingIfNeeded: other.x &- x))
    }
}
