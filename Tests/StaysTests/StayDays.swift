import Stays
import TestSupport
import Tracks

/// Points of a person with known stays, with noise, pauses and drives.
struct StayDays {
    struct Truth {
        var from: Int64
        var to: Int64
        var east: Double
        var north: Double
    }

    var points: [PlaceInTime] = []
    var truth: [Truth] = []
    private(set) var time: Int64 = 1_748_851_200_000
    private var random: SeededRandom
    private var place = (east: 0.0, north: 0.0)

    static let latitude = 52.5
    private static let metresPerDegree = 111_195.0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    /// About normal: the sum of 12 uniform numbers.
    private mutating func normal(_ deviation: Double) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } * deviation
    }

    private mutating func record(_ east: Double, _ north: Double, noise: Double) {
        let (x, y) = (east + normal(noise), north + normal(noise))
        points.append(
            (13 + x / Self.metresPerDegree / 0.6088, Self.latitude + y / Self.metresPerDegree, time))
    }

    /// Stays at the place. `every` is in seconds; nothing is recorded in the middle if `isPaused`.
    mutating func stay(minutes: Double, every seconds: Int64, noise: Double, isPaused: Bool = false) {
        let end = time + Int64(minutes * 60_000)
        let begin = time
        truth.append(Truth(from: begin, to: end, east: place.east, north: place.north))
        while time < end {
            if !isPaused || time - begin < 120_000 || end - time < 120_000 {
                record(place.east, place.north, noise: noise)
            }
            time += seconds * 1000
        }
        time = max(time, end)
    }

    /// Goes to a place at a speed in metres per second.
    mutating func go(to east: Double, _ north: Double, speed: Double, every seconds: Int64, noise: Double) {
        let (width, height) = (east - place.east, north - place.north)
        let metres = (width * width + height * height).squareRoot()
        var gone = 0.0
        while gone < metres {
            record(place.east + width * gone / metres, place.north + height * gone / metres, noise: noise)
            time += seconds * 1000
            gone += speed * Double(seconds)
        }
        place = (east, north)
    }

    /// Weeks between places at least 600 m apart, each stay at least 15 min.
    static func made(seed: UInt64, stays: Int) -> StayDays {
        var days = StayDays(seed: seed)
        let places = (0..<8).map { (east: Double($0 % 3) * 2500, north: Double($0 / 3) * 1900) }
        var last = 0
        for _ in 0..<stays {
            let noise = days.uniform(3...20)
            let every = Int64(days.uniform(1...60))
            let minutes = days.uniform(0...1) < 0.3 ? days.uniform(300...900) : days.uniform(15...120)
            days.stay(minutes: minutes, every: every, noise: noise, isPaused: days.uniform(0...1) < 0.4)
            let next = (last + 1 + Int(days.uniform(0...6.99))) % places.count
            let speed = days.uniform(0...1) < 0.3 ? 1.5 : days.uniform(4...30)
            days.go(
                to: places[next].east, places[next].north, speed: speed, every: Int64(days.uniform(1...15)),
                noise: min(noise, 8))
            last = next
        }
        return days
    }

    var chunk: PointColumns { .degrees(points) }

    /// The cells of tracks of about equal length, one after the other.
    func cut(into count: Int) -> [[UInt8]] {
        let size = (points.count + count - 1) / count
        return stride(from: 0, to: points.count, by: size).map { start in
            PointColumns.degrees(Array(points[start..<min(points.count, start + size)])).stayCells()
        }
    }

    /// The cells of tracks to which the points belong in turn.
    func interleaved(into count: Int) -> [[UInt8]] {
        (0..<count).map { first in
            PointColumns.degrees(stride(from: first, to: points.count, by: count).map { points[$0] }).stayCells()
        }
    }

    /// Metres east and north of a stay.
    static func metres(_ stay: Stay) -> (east: Double, north: Double) {
        (
            (Double(stay.longitude) * 1e-7 - 13) * metresPerDegree * 0.6088,
            (Double(stay.latitude) * 1e-7 - latitude) * metresPerDegree
        )
    }
}

extension PointColumns {
    /// The points as the grid gets them, with the points given in portions.
    func classified(portion size: Int = 1000) -> [ClassifiedPoint] {
        var detector = OutlierDetector(gap: .none, kind: .file(longSegments: [0]), outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        for start in stride(from: 0, to: count, by: size) {
            let range = start..<min(count, start + size)
            detector.add(
                PointColumns(
                    unit: unit, longitudes: Array(longitudes[range]), latitudes: Array(latitudes[range]),
                    times: Array(times[range]), segmentStarts: start == 0 ? [0] : []), into: &classified)
        }
        detector.finish(into: &classified)
        return classified
    }

    /// The cells, with the points given in portions.
    func stayCells(portion size: Int = 1000) -> [UInt8] {
        let points = classified(portion: size)
        var builder = StayCellsBuilder()
        for start in stride(from: 0, to: points.count, by: size) {
            builder.add(Array(points[start..<min(points.count, start + size)]))
        }
        return builder.finish()
    }
}

extension Array<ClassifiedPoint> {
    /// The cells of a track.
    var stayCells: [UInt8] {
        var builder = StayCellsBuilder()
        builder.add(self)
        return builder.finish()
    }
}

extension StayRows {
    /// The stays in tracks, in whatever order they are given.
    static func stays(_ tracks: [[UInt8]]) -> [Stay] {
        var rows = StayRows()
        for (number, track) in tracks.enumerated() { rows.add(track.span, ofTrack: Int64(number)) }
        return rows.stays { tracks[Int($0)] }
    }
}
