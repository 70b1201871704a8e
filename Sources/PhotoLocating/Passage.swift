import Foundation
import TileMath
import Tracks

/// A stretch of time in which a path was near a place.
struct Passage {
    /// Milliseconds since 1970.
    var from: Int64
    var to: Int64
    /// When the path was nearest to the place.
    var nearest: Int64
    private var metres: Double

    /// A path passes a place if it comes so near.
    static let nearMetres = 100.0
    /// Whoever was near for longer stayed there: the nearest moment has no meaning.
    static let longestPassing: Int64 = 120_000

    /// The moment of a short passage; of a long one the moment that is nearest to an expected one.
    func instant(nearestTo expected: Int64) -> Int64 {
        to - from <= Self.longestPassing ? nearest : min(max(expected, from), to)
    }

    /// All passages of a path, in the order of time.
    static func all(of path: RecordedPath, at place: GeoPoint) -> [Passage] {
        var passages: [Passage] = []
        var isNear = false
        for index in path.points.indices {
            let end = path.points[index]
            let start = end.begins || index == 0 ? end : path.points[index - 1]
            let approach = approach(of: start, end, to: place)
            guard approach.metres <= nearMetres else {
                isNear = false
                continue
            }
            if isNear, !end.begins, var last = passages.popLast() {
                last.to = max(last.to, approach.instant)
                if approach.metres < last.metres { (last.nearest, last.metres) = (approach.instant, approach.metres) }
                passages.append(last)
            } else {
                passages.append(
                    Passage(
                        from: approach.instant, to: approach.instant, nearest: approach.instant,
                        metres: approach.metres))
            }
            isNear = true
        }
        return passages
    }

    /// The moment at which a step is nearest to a place, and how near: in the plane that touches the Earth there.
    private static func approach(
        of start: PathPoint, _ end: PathPoint, to place: GeoPoint
    ) -> (instant: Int64, metres: Double) {
        let metresPerDegree = Geodesy.radiusMetres * .pi / 180
        let scale = metresPerDegree * cos(place.latitude * .pi / 180)
        func east(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) * scale }
        let longitude = Double(start.longitude) / 1e7
        let from = (
            x: east(longitude - place.longitude), y: (Double(start.latitude) / 1e7 - place.latitude) * metresPerDegree
        )
        // A step on the other side of the Earth may cross the meridian at which the plane is cut: it does not pass here.
        let dx = east(Double(end.longitude) / 1e7 - longitude)
        let dy = (Double(end.latitude) - Double(start.latitude)) / 1e7 * metresPerDegree
        let length2 = dx * dx + dy * dy
        let share = length2 > 0 ? min(max(-(from.x * dx + from.y * dy) / length2, 0), 1) : 1
        let (x, y) = (from.x + dx * share, from.y + dy * share)
        let instant = start.time + Int64((Double(end.time - start.time) * share).rounded())
        return (instant, (x * x + y * y).squareRoot())
    }
}
