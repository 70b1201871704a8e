import Foundation
import TileMath

/// A place that is not to be found, and the disc around it in which nothing is published.
///
/// The disc is not centred on the place: whoever fits a circle to the ends of tracks finds the centre of the disc, and from
/// there the place may be anywhere up to `offsetShare` of the radius away.
public struct PrivacyZone: Sendable, Hashable, Codable {
    /// The place in 1e-7°, as the owner gave it. It is never published.
    public var longitude: Int32
    public var latitude: Int32
    /// The centre of the disc in 1e-7°.
    public var centreLongitude: Int32
    public var centreLatitude: Int32
    /// The radius of the disc.
    public var radiusMetres: Int

    /// A disc below this hides no more than a house; above, a whole region, for which a condition is the better means.
    public static let radii = 100...20_000

    /// Attacks find a home in a smaller zone more often than in one case of ten.
    public static let recommendedMetres = 1500

    /// The greatest distance between place and centre, as a share of the radius.
    ///
    /// The place is equally likely anywhere within this distance, so the best guess from a perfect fit of the circle alone is
    /// right to within 100 m with probability (100 m / (share × radius))²: 7.7 % at 600 m. Tracks tell more: by which street they
    /// leave the disc for where (`ZoneAttack.exitChoice`). Against that only the radius helps: of 300 homes in synthetic towns,
    /// 34 % are found at 600 m, 20 % at 1,000 m, and of 200 homes 6 % at 1,500 m; with shares of 0.8 and 0.9 hardly fewer.
    public static let offsetShare = 0.6

    /// A zone with a known centre.
    public init(
        longitude: Int32, latitude: Int32, centreLongitude: Int32, centreLatitude: Int32, radiusMetres: Int
    ) {
        self.longitude = longitude
        self.latitude = latitude
        self.centreLongitude = centreLongitude
        self.centreLatitude = centreLatitude
        self.radiusMetres = radiusMetres
    }

    /// A zone around a place whose centre is drawn: `area` is a random number of 0...1, `course` an angle in radians.
    public init(around longitude: Int32, _ latitude: Int32, radiusMetres: Int, area: Double, course: Double) {
        // The square root makes every part of the area equally likely.
        let distance = Self.offsetShare * Double(radiusMetres) * area.squareRoot()
        let unit = EarthSphere.metresPerUnit
        let north = distance * cos(course) / unit
        // Near a pole, a degree of longitude has no length; a zone there is centred on its place's meridian.
        let shrink = max(cos(Double(latitude) * 1e-7 * .pi / 180), Self.leastShrink)
        let east = distance * sin(course) / (unit * shrink)
        let centreLatitude = min(max(Double(latitude) + north, -Self.poleLatitude), Self.poleLatitude)
        self.init(
            longitude: longitude, latitude: latitude,
            centreLongitude: E7Longitude.wrapped(Int64(longitude) + Int64(east.rounded())),
            centreLatitude: Int32(centreLatitude.rounded()), radiusMetres: radiusMetres)
    }

    private static let leastShrink = 1e-3
    private static let poleLatitude = 900_000_000.0
}

/// The discs of zones on the map, for testing points and lines.
///
/// The tests use the projection of the map (Web Mercator), because there the line between two points is what is drawn: a
/// straight one. A disc is a circle there, too, to within 0.2 % at 20 km and 60° north; its radius is that of its edge that is
/// nearest to a pole, where the map is largest, so that the circle covers the disc.
struct HiddenDiscs: Sendable {
    private struct Disc {
        var centre: WorldPoint
        /// In units of the world.
        var radius: Double
        /// In 1e-7°, around the disc: what lies outside needs no projection.
        var south: Int32
        var north: Int32
        var longitude: Int32
        var halfWidth: Int64
    }

    private let discs: [Disc]

    init(_ zones: [PrivacyZone]) {
        discs = zones.map { zone in
            let units = Double(zone.radiusMetres) / EarthSphere.metresPerUnit
            let latitude = Double(zone.centreLatitude)
            let south = Int32(max(latitude - units, -900_000_000).rounded(.down))
            let north = Int32(min(latitude + units, 900_000_000).rounded(.up))
            let farthest = min(max(abs(Double(south)), abs(Double(north))) * 1e-7, 89.9)
            let shrink = cos(farthest * .pi / 180)
            let degrees = units * 1e-7 / shrink
            return Disc(
                centre: WorldPoint(
                    longitude: Double(zone.centreLongitude) * 1e-7, latitude: Double(zone.centreLatitude) * 1e-7),
                radius: degrees / 360 * Double(WorldPoint.side), south: south, north: north,
                longitude: zone.centreLongitude,
                halfWidth: min(Int64((degrees * 1e7).rounded(.up)), E7Longitude.halfTurn))
        }
    }

    /// Whether a place in 1e-7° is in a disc.
    func contains(_ longitude: Int32, _ latitude: Int32) -> Bool {
        for disc in discs {
            guard latitude >= disc.south, latitude <= disc.north,
                abs(E7Longitude.difference(from: disc.longitude, to: longitude)) <= disc.halfWidth
            else { continue }
            let (x, y) = Self.offset(longitude, latitude, from: disc.centre)
            if x * x + y * y <= disc.radius * disc.radius { return true }
        }
        return false
    }

    /// Whether the line between two places touches a disc.
    func touches(_ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32) -> Bool {
        for disc in discs {
            guard max(latitude1, latitude2) >= disc.south, min(latitude1, latitude2) <= disc.north else { continue }
            let first = E7Longitude.difference(from: disc.longitude, to: longitude1)
            let step = E7Longitude.difference(from: longitude1, to: longitude2)
            guard max(first, first + step) >= -disc.halfWidth, min(first, first + step) <= disc.halfWidth else {
                continue
            }
            let start = Self.offset(longitude1, latitude1, from: disc.centre)
            let end = Self.offset(longitude2, latitude2, from: disc.centre)
            // The way of the line, which may cross 180°.
            let eastwards = Double(step) / Double(E7Longitude.turn) * Double(WorldPoint.side)
            if Self.squaredDistance(toLineFrom: start, by: (eastwards, end.y - start.y)) <= disc.radius * disc.radius {
                return true
            }
        }
        return false
    }

    private static func offset(_ longitude: Int32, _ latitude: Int32, from centre: WorldPoint) -> (x: Double, y: Double)
    {
        let point = WorldPoint(longitude: Double(longitude) * 1e-7, latitude: Double(latitude) * 1e-7)
        return (Double(centre.eastwards(to: point)), Double(point.y - centre.y))
    }

    /// The square of the distance of the origin from a line.
    private static func squaredDistance(
        toLineFrom start: (x: Double, y: Double), by way: (x: Double, y: Double)
    ) -> Double {
        let length = way.x * way.x + way.y * way.y
        let share = length > 0 ? min(max(-(start.x * way.x + start.y * way.y) / length, 0), 1) : 0
        let x = start.x + share * way.x
        let y = start.y + share * way.y
        return x * x + y * y
    }
}
