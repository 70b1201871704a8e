import Foundation

/// The shortest line between two places on a sphere.
struct GreatCircle {
    private typealias Vector = (x: Double, y: Double, z: Double)

    private let start: Vector
    private let end: Vector
    private let angle: Double

    init(_ start: LedgerPlace, _ end: LedgerPlace) {
        self.start = Self.vector(start)
        self.end = Self.vector(end)
        let (a, b) = (self.start, self.end)
        let cross = (x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x)
        let sine = (cross.x * cross.x + cross.y * cross.y + cross.z * cross.z).squareRoot()
        angle = atan2(sine, a.x * b.x + a.y * b.y + a.z * b.z)
    }

    /// The place after a share of the line, 0…1. Between opposite places every line is as short; one of them is taken.
    func place(_ share: Double) -> LedgerPlace {
        let sine = sin(angle)
        var (from, to) = (1 - share, share)
        // Equal or opposite places have no sine to divide by; linear shares are right for the first, and as good as any
        // for the second.
        if sine > 1e-9 { (from, to) = (sin((1 - share) * angle) / sine, sin(share * angle) / sine) }
        let (x, y) = (from * start.x + to * end.x, from * start.y + to * end.y)
        let z = from * start.z + to * end.z
        let longitude = atan2(y, x) * 180 / .pi
        let latitude = atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi
        return LedgerPlace(
            longitude: Int32((longitude * 1e7).rounded()), latitude: Int32((latitude * 1e7).rounded()))
    }

    private static func vector(_ place: LedgerPlace) -> Vector {
        let (longitude, latitude) = (
            Double(place.longitude) / 1e7 * .pi / 180, Double(place.latitude) / 1e7 * .pi / 180
        )
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
