internal import Foundation
public import GEOS
public import TileMath

/// Local metres of a venue: x counts eastwards and y northwards from its centre.
///
/// A plane that touches the ellipsoid WGS 84 at the centre: within 1 km of it, lengths differ from those on the ellipsoid
/// by less than 0.02 % at 60° of latitude.
public struct LocalFrame: Sendable, Equatable {
    /// The origin.
    public let centre: GeoPoint
    /// Metres in a degree of longitude and of latitude at the centre.
    private let perLongitude: Double
    private let perLatitude: Double

    /// WGS 84: the equatorial radius in metres, and the square of the eccentricity.
    private static let radius = 6_378_137.0
    private static let eccentricity2 = 0.006_694_379_990_14

    /// Creates the frame of a centre.
    public init(centre: GeoPoint) {
        self.centre = centre
        let latitude = min(max(centre.latitude, -89.9), 89.9) * .pi / 180
        let sine = sin(latitude)
        let squeeze = 1 - Self.eccentricity2 * sine * sine
        // The radii of curvature in the prime vertical and in the meridian.
        let normal = Self.radius / squeeze.squareRoot()
        let meridian = Self.radius * (1 - Self.eccentricity2) / (squeeze * squeeze.squareRoot())
        perLongitude = normal * cos(latitude) * .pi / 180
        perLatitude = meridian * .pi / 180
    }

    /// The place in metres; the shorter way round the world counts.
    public func local(_ place: GeoPoint) -> PlanePoint {
        var eastwards = place.longitude - centre.longitude
        if eastwards > 180 { eastwards -= 360 }
        if eastwards < -180 { eastwards += 360 }
        return PlanePoint(x: eastwards * perLongitude, y: (place.latitude - centre.latitude) * perLatitude)
    }

    /// The place of a point in metres; places beyond a pole are moved to it.
    public func place(_ point: PlanePoint) -> GeoPoint {
        var longitude = centre.longitude + point.x / perLongitude
        longitude -= ((longitude + 180) / 360).rounded(.down) * 360
        let latitude = min(max(centre.latitude + point.y / perLatitude, -90), 90)
        return GeoPoint(longitude: min(max(longitude, -180), 180), latitude: latitude) ?? centre
    }
}
