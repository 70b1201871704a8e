import Foundation

/// Distances on a sphere with radius 6,371,008.8 m, the mean radius of WGS 84.
public enum Geodesy {
    /// The radius of the sphere in metres.
    public static let radiusMetres = 6_371_008.8

    /// Metres between two places given in 1e-7°. Uses the haversine formula, or the tangent plane for places within
    /// about a kilometre (error below 1 in 10^6 away from the poles).
    public static func metres(_ longitude1: Int32, _ latitude1: Int32, _ longitude2: Int32, _ latitude2: Int32)
        -> Double
    {
        let unit = Double.pi / 1_800_000_000
        var eastwards = Int64(longitude2) - Int64(longitude1)
        if eastwards > 1_800_000_000 { eastwards -= 3_600_000_000 }
        if eastwards < -1_800_000_000 { eastwards += 3_600_000_000 }
        let northwards = Int64(latitude2) - Int64(latitude1)
        let middle = Double(Int64(latitude1) + Int64(latitude2)) * 0.5 * unit
        if eastwards.magnitude < 100_000, northwards.magnitude < 100_000, abs(middle) < 1.5 {
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
}
