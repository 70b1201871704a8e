import Tracks

/// A place at an instant.
struct StayInstant: Sendable {
    /// In 1e-7°.
    var longitude: Int32
    var latitude: Int32
    /// Milliseconds since 1970.
    var time: Int64

    func at(_ time: Int64) -> StayInstant { StayInstant(longitude: longitude, latitude: latitude, time: time) }

    func metres(to other: StayInstant) -> Double {
        Geodesy.sphereMetres(longitude, latitude, other.longitude, other.latitude)
    }

    /// Whether the speed to a place at a later instant is at least so much.
    func moves(to end: StayInstant, metresPerSecond speed: Double) -> Bool {
        metres(to: end) * 1000 >= speed * Double(end.time - time)
    }

    func isNear(_ other: StayInstant) -> Bool { metres(to: other) <= StayRule.radiusMetres }

    /// Whether a device that was at the other place at about the same time is another one.
    func isFar(from other: StayInstant) -> Bool {
        // Most places are near: 0.0015° are at most 170 m.
        let isNear =
            abs(Int64(longitude) - Int64(other.longitude)) <= 15_000
            && abs(Int64(latitude) - Int64(other.latitude)) <= 15_000
        return !isNear && metres(to: other) > StayRule.jumpMetres
    }
}
