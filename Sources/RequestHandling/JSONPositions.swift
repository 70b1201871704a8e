package import Text
package import TileMath

extension JSONObject {
    /// Adds longitude and latitude in degrees, to ten-millionths.
    package mutating func add(_ point: GeoPoint) {
        add("lon", number: Self.degrees(point.longitude))
        add("lat", number: Self.degrees(point.latitude))
    }

    /// Degrees to ten-millionths: a centimetre.
    package static func degrees(_ number: Double) -> Double { (number * 1e7).rounded() / 1e7 }
}
