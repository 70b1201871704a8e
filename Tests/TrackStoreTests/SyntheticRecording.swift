import TestSupport
import Tracks

@testable import RecordingStore

/// A device's points with many kinds of pauses, runs of jumps, repeated places and fields.
struct SyntheticRecording {
    /// The offset for smaller numbers of seconds, because times in 1970 are implausible.
    static let epoch: Int64 = 1_582_990_000

    struct Point: Hashable {
        var second: Int64
        var longitude: Int64
        var latitude: Int64
        var elevation: Int64?
        var isWaypoint = false
    }

    var points: [Point] = []

    /// Tracks east and west of the antimeridian, with pauses just below and above the gap limits.
    init(seed: UInt64, count: Int) {
        var random = SeededRandom(seed: seed)
        // An hour before the leap day ends in Berlin.
        var second: Int64 = 1_582_999_200
        var longitude: Int64 = 1_799_990_000
        var pointsOfRun = 0
        for _ in 0..<count {
            let pauses: [Int64] = [301, 299, 1800, 1801, 90_000]
            second += random.below(15) == 0 ? pauses[random.below(pauses.count)] : Int64(random.below(20))
            longitude += Int64(random.below(20) == 0 ? 300_000 : random.below(2000))
            if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
            // A place 100 km away that the device believes for some points.
            pointsOfRun = pointsOfRun > 0 ? pointsOfRun - 1 : random.below(30) == 0 ? 2 + random.below(8) : 0
            let latitude: Int64 = pointsOfRun > 0 ? -169_000_000 : -178_000_000
            points.append(
                Point(
                    second: second, longitude: longitude, latitude: latitude + Int64(random.below(3000)),
                    elevation: random.below(3) == 0 ? Int64(random.below(900)) : nil, isWaypoint: random.below(25) == 0)
            )
        }
    }

    static func chunk(_ points: [Point]) -> PointColumns {
        func column(_ name: String, _ value: (Point) -> Int64?) -> FieldColumn? {
            let values = points.map { value($0) ?? FieldColumn.absent }
            guard values.contains(where: { $0 != FieldColumn.absent }) else { return nil }
            return FieldColumn(name: name, values: .numbers(places: 0, values))
        }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: points.map(\.longitude), latitudes: points.map(\.latitude),
            times: points.map { ($0.second < epoch ? $0.second + epoch : $0.second) * 1000 }, segmentStarts: [],
            fields: [column("ele", \.elevation), column("mark") { $0.isWaypoint ? 1 : nil }].compactMap { $0 })
    }

    static func recorded(_ points: [Point], device: String = "phone", person: String? = nil) -> RecordedPoints {
        RecordedPoints(person: person, device: device, source: "test", points: chunk(points))
    }
}
