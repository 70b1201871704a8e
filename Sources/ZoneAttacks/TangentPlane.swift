import Foundation
import TileMath

/// Metres east (x) and north (y) of a place; exact enough for some ten kilometres around it.
typealias Vector = SIMD2<Double>

extension SIMD2<Double> {
    func dot(_ other: Self) -> Double { x * other.x + y * other.y }

    /// Positive if `other` is to the left.
    func cross(_ other: Self) -> Double { x * other.y - y * other.x }

    var length: Double { dot(self).squareRoot() }

    /// The same direction with the length 1; nil without a direction.
    var unit: Self? {
        let length = length
        return length > 0 ? self / length : nil
    }

    func distance(to other: Self) -> Double { (self - other).length }
}

/// The plane that touches the Earth at a place.
struct TangentPlane: Sendable {
    let origin: PublishedPlace
    private let eastMetres: Double

    init(at origin: PublishedPlace) {
        self.origin = origin
        // At a pole, all longitudes are the same place.
        eastMetres = EarthSphere.metresPerUnit * max(cos(Double(origin.latitude) * 1e-7 * .pi / 180), 1e-6)
    }

    func vector(to place: PublishedPlace) -> Vector {
        Vector(
            Double(E7Longitude.difference(from: origin.longitude, to: place.longitude)) * eastMetres,
            Double(Int64(place.latitude) - Int64(origin.latitude)) * EarthSphere.metresPerUnit)
    }

    func place(at vector: Vector) -> PublishedPlace {
        let north = Double(origin.latitude) + vector.y / EarthSphere.metresPerUnit
        let east = (vector.x / eastMetres).rounded().remainder(dividingBy: Double(E7Longitude.turn))
        return PublishedPlace(
            longitude: E7Longitude.wrapped(Int64(origin.longitude) + Int64(east)),
            latitude: Int32(min(max(north, -900_000_000), 900_000_000).rounded()))
    }
}
