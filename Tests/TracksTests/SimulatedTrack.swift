import Foundation
import TestSupport
import Tracks

/// A track that is simulated in metres, with errors of the receiver.
struct SimulatedTrack {
    var places: [(east: Double, north: Double, up: Double, seconds: Double)] = []
    var accuracies: [Int64] = []
    private(set) var seconds = 0.0
    private(set) var place = (east: 0.0, north: 0.0, up: 400.0)
    /// The length of the way without errors.
    private(set) var way = 0.0
    private var random: SeededRandom
    /// The standard deviation of errors in metres, and how much of an error is left after a second: errors of receivers
    /// wander.
    var noise: Double
    var memory = 0.0
    private var error = (east: 0.0, north: 0.0)

    static let metresPerDegree = 111_195.0
    static let latitude = 47.0

    init(noise: Double = 0, memory: Double = 0, seed: UInt64 = 1) {
        self.noise = noise
        self.memory = memory
        random = SeededRandom(seed: seed)
    }

    private mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }

    private mutating func record(after interval: Double) {
        let kept = pow(memory, interval)
        let fresh = (1 - kept * kept).squareRoot() * noise
        error = (error.east * kept + normal() * fresh, error.north * kept + normal() * fresh)
        places.append((place.east + error.east, place.north + error.north, place.up, seconds))
    }

    /// Stands still.
    mutating func stand(_ duration: Double, every interval: Double = 1) {
        let end = seconds + duration
        while seconds < end {
            seconds += interval
            record(after: interval)
        }
    }

    /// Goes straight to a place in metres.
    mutating func go(to east: Double, _ north: Double, up: Double? = nil, at speed: Double, every interval: Double = 1)
    {
        let start = place
        let height = (up ?? start.up) - start.up
        let length = hypot(hypot(east - start.east, north - start.north), height)
        way += hypot(east - start.east, north - start.north)
        let begin = seconds
        let duration = length / speed
        while seconds - begin + interval <= duration {
            seconds += interval
            let share = (seconds - begin) / duration
            place = (
                start.east + (east - start.east) * share, start.north + (north - start.north) * share,
                start.up + height * share
            )
            record(after: interval)
        }
        place = (east, north, start.up + height)
    }

    /// Goes round a circle.
    mutating func circle(radius: Double, rounds: Double, at speed: Double, every interval: Double = 1) {
        let center = (east: place.east - radius, north: place.north)
        let duration = 2 * .pi * radius * rounds / speed
        way += 2 * .pi * radius * rounds
        let begin = seconds
        while seconds - begin < duration {
            seconds += interval
            let angle = (seconds - begin) * speed / radius
            place = (center.east + radius * cos(angle), center.north + radius * sin(angle), place.up)
            record(after: interval)
        }
    }

    /// Some points of the track as a chunk.
    func chunk(_ range: Range<Int>) -> PointColumns {
        let places = places[range]
        let scale = Self.metresPerDegree * cos(Self.latitude * .pi / 180)
        var fields = [
            FieldColumn(
                name: FieldName.elevation, values: .numbers(places: 1, places.map { Int64(($0.up * 10).rounded()) }))
        ]
        if !accuracies.isEmpty {
            fields.append(
                FieldColumn(name: FieldName.horizontalAccuracy, values: .numbers(places: 0, Array(accuracies[range]))))
        }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: places.map { Int64(((8 + $0.east / scale) * 1e7).rounded()) },
            latitudes: places.map { Int64(((Self.latitude + $0.north / Self.metresPerDegree) * 1e7).rounded()) },
            times: places.map { Int64(1_751_702_400_000 + $0.seconds * 1000) },
            segmentStarts: range.lowerBound == 0 ? [0] : [],
            fields: fields)
    }

    /// The summary, and the length that the lines have without rests.
    func measured(portion size: Int = 1000) -> (summary: TrackSummary, lines: Double) {
        var builder = TrackSummaryBuilder(gap: .standard, isStream: false, outlierRule: .standard)
        for start in stride(from: 0, to: places.count, by: size) {
            builder.add(chunk(start..<min(start + size, places.count)))
        }
        let whole = chunk(0..<places.count)
        var lines = 0.0
        for index in 1..<whole.count {
            lines += Geodesy.metres(
                Int32(whole.longitudes[index - 1]), Int32(whole.latitudes[index - 1]), Int32(whole.longitudes[index]),
                Int32(whole.latitudes[index]))
        }
        return (builder.finish(), lines)
    }
}
