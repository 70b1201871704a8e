import Foundation
import TileMath

/// Distances on the Earth; places are given in 1e-7°.
public enum Geodesy {
    /// The mean radius of WGS 84 in metres, for distances on a sphere.
    public static var radiusMetres: Double { EarthSphere.radiusMetres }

    /// The equatorial radius, the flattening and the squares of the eccentricities of the ellipsoid WGS 84.
    private static let equatorMetres = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let eccentricity2 = flattening * (2 - flattening)
    private static let poleMetres = equatorMetres * (1 - flattening)

    /// Radians of a unit.
    private static let unit = Double.pi / 1_800_000_000

    /// Two places within 0.05° in both directions (5.6 km) are in one tangent plane.
    private static let nearUnits: UInt64 = 500_000
    /// In radians: beyond 86°, meridians converge too much for a plane.
    private static let planeLatitude = 1.5

    /// Metres between two places on the ellipsoid WGS 84: the length of the shortest line.
    ///
    /// Short distances use the radii of curvature in the middle (error below 1 in 10^7); longer ones Vincenty's formula
    /// (below a millimetre), also between nearly opposite places. A short distance costs about as much as on a sphere,
    /// a longer one about a microsecond.
    public static func metres(_ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32)
        -> Double
    {
        let eastwards = E7Longitude.difference(from: longitude1, to: longitude2)
        let northwards = Int64(latitude2) - Int64(latitude1)
        let middle = Double(Int64(latitude1) + Int64(latitude2)) * 0.5 * unit
        if eastwards.magnitude < nearUnits, northwards.magnitude < nearUnits, abs(middle) < planeLatitude {
            let cosine = cos(middle)
            let root2 = 1 - eccentricity2 * (1 - cosine * cosine)
            let crossRadius = equatorMetres / root2.squareRoot()
            let east = Double(eastwards) * unit * cosine * crossRadius
            let north = Double(northwards) * unit * crossRadius * (1 - eccentricity2) / root2
            return (east * east + north * north).squareRoot()
        }
        let (low, high) = (Double(latitude1) * unit, Double(latitude2) * unit)
        let turn = Double(eastwards) * unit
        return vincenty(low, high, turn) ?? aroundTheEarth(low, high, turn)
    }

    /// The metres of 1e-7° eastwards and northwards at a latitude given in 5e-8°, the sum of two latitudes in 1e-7°.
    static func scales(atHalfUnits latitude: Double) -> (east: Double, north: Double) {
        let cosine = cos(latitude * 0.5 * unit)
        let root2 = 1 - eccentricity2 * (1 - cosine * cosine)
        let crossRadius = equatorMetres / root2.squareRoot()
        return (unit * cosine * crossRadius, unit * crossRadius * (1 - eccentricity2) / root2)
    }

    /// Metres between two places on a sphere with the radius `radiusMetres`, up to 0.6 % off: for thresholds, by which
    /// libraries have decided what is an outlier or a gap. Uses the haversine formula, or the tangent plane for places
    /// within about a kilometre.
    public static func sphereMetres(_ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32)
        -> Double
    {
        let eastwards = E7Longitude.difference(from: longitude1, to: longitude2)
        let northwards = Int64(latitude2) - Int64(latitude1)
        let middle = Double(Int64(latitude1) + Int64(latitude2)) * 0.5 * unit
        if eastwards.magnitude < 100_000, northwards.magnitude < 100_000, abs(middle) < planeLatitude {
            let east = Double(eastwards) * unit * cos(middle)
            let north = Double(northwards) * unit
            return radiusMetres * (east * east + north * north).squareRoot()
        }
        let halfNorth = sin(Double(northwards) * unit / 2)
        let halfEast = sin(Double(eastwards) * unit / 2)
        let root =
            halfNorth * halfNorth
            + cos(Double(latitude1) * unit) * cos(Double(latitude2) * unit) * halfEast * halfEast
        return 2 * radiusMetres * asin(min(1, root.squareRoot()))
    }

    // MARK: Long distances

    /// Vincenty's inverse formula (T. Vincenty, Survey Review 23, 1975); nil if it does not converge, as between nearly
    /// opposite places.
    private static func vincenty(_ latitude1: Double, _ latitude2: Double, _ turn: Double) -> Double? {
        let (reduced1, reduced2) = (reduced(latitude1), reduced(latitude2))
        let (sin1, cos1) = (sin(reduced1), cos(reduced1))
        let (sin2, cos2) = (sin(reduced2), cos(reduced2))
        var lambda = turn
        for _ in 0..<iterationLimit {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let cross = cos1 * sin2 - sin1 * cos2 * cosLambda
            let sinSigma = (cos2 * sinLambda * cos2 * sinLambda + cross * cross).squareRoot()
            let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
            guard sinSigma > 0 else { return cosSigma > 0 ? 0 : nil }
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
            let cosAlpha2 = 1 - sinAlpha * sinAlpha
            // Along the equator the middle has no meaning.
            let cosMiddle = cosAlpha2 > 0 ? cosSigma - 2 * sin1 * sin2 / cosAlpha2 : 0
            let c = flattening / 16 * cosAlpha2 * (4 + flattening * (4 - 3 * cosAlpha2))
            let next =
                turn + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosMiddle + c * cosSigma * (2 * cosMiddle * cosMiddle - 1)))
            guard abs(next) <= .pi else { return nil }
            // 1e-12 of a radian are 6 µm on the ground.
            guard abs(next - lambda) > 1e-12 else {
                return length(sigma, sinSigma, cosSigma, cosMiddle, cosAlpha2)
            }
            lambda = next
        }
        return nil
    }

    private static let iterationLimit = 50

    /// The latitude on the auxiliary sphere.
    private static func reduced(_ latitude: Double) -> Double {
        atan2((1 - flattening) * sin(latitude), cos(latitude))
    }

    private static func length(
        _ sigma: Double, _ sinSigma: Double, _ cosSigma: Double, _ cosMiddle: Double, _ cosAlpha2: Double
    ) -> Double {
        let u = cosAlpha2 * (equatorMetres * equatorMetres - poleMetres * poleMetres) / (poleMetres * poleMetres)
        let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let first = cosSigma * (2 * cosMiddle * cosMiddle - 1)
        let second = b / 6 * cosMiddle * (4 * sinSigma * sinSigma - 3) * (4 * cosMiddle * cosMiddle - 3)
        return poleMetres * a * (sigma - b * sinSigma * (cosMiddle + b / 4 * (first - second)))
    }

    /// The distance of nearly opposite places: every way crosses the circle that is a quarter of the Earth away from the
    /// first place, so the shortest one is the shortest of those through a point of this circle.
    private static func aroundTheEarth(_ latitude1: Double, _ latitude2: Double, _ turn: Double) -> Double {
        func metres(startingAt course: Double) -> Double {
            // The point of the circle in this direction.
            let latitude = asin(cos(latitude1) * cos(course))
            let east = atan2(sin(course), -sin(latitude1) * cos(course))
            let rest = (turn - east).remainder(dividingBy: 2 * .pi)
            guard let first = vincenty(latitude1, latitude, east), let second = vincenty(latitude, latitude2, rest)
            else { return .infinity }
            return first + second
        }
        let step = 2 * Double.pi / Double(directions)
        let ways = (0..<directions).map { (course: Double($0) * step, metres: metres(startingAt: Double($0) * step)) }
        let best = ways.min { $0.metres < $1.metres }?.course ?? 0
        // The minimum is within a step on either side: golden section search.
        let share = (5.0.squareRoot() - 1) / 2
        var (low, high) = (best - step, best + step)
        // Near the minimum, the length changes with the square of the direction: 1e-7 is far less than a millimetre.
        while high - low > 1e-7 {
            let (left, right) = (high - share * (high - low), low + share * (high - low))
            if metres(startingAt: left) < metres(startingAt: right) { high = right } else { low = left }
        }
        return metres(startingAt: (low + high) / 2)
    }

    private static let directions = 32
}
