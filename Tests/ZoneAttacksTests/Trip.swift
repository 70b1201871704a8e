import Digest
import Foundation
import Tracks
import ZoneAttacks

/// A track as it was recorded.
struct Trip {
    var points: PointColumns
    var places: [PublishedPlace]
    var day: Int32

    /// The trips of a person: to a destination, back from it, or both in one track. Most are to a few destinations.
    ///
    /// What somebody likes differs from day to day, so the way is not always the shortest: for two of three, `likes` multiplies
    /// the length of streets.
    static func year(
        in town: Town, likes: ClosedRange<Double> = 0.85...1.15, using generator: inout SplitMix64
    ) -> [Trip] {
        let tastes = (0..<3).map { taste in
            town.ways(
                from: nil,
                scale: town.nodes.map { _ in taste == 0 ? 1 : Double.random(in: likes, using: &generator) })
        }
        // Errands lead from a destination to one of the usual ones.
        let between = town.destinations.prefix(3).map { town.ways(from: $0, scale: nil) }
        var trips: [Trip] = []
        let count = Int.random(in: 60...200, using: &generator)
        var day: Int32 = 20_000
        while trips.count < count {
            day += Int32.random(in: 1...4, using: &generator)
            let taste = tastes[Int.random(in: 0..<4, using: &generator) % 3]
            // The square makes the first destinations the usual ones.
            let share = Double.random(in: 0..<1, using: &generator)
            let goal = Int(share * share * Double(town.destinations.count))
            let out = taste.path(to: town.destinations[goal])
            let speed = [1.4, 2.8, 5.5].randomElement(using: &generator) ?? 1.4
            let back = tastes[Int.random(in: 0..<3, using: &generator)].path(to: town.destinations[goal])
            let there = [town.home] + out.map { town.nodes[$0] }
            let home = back.reversed().map { town.nodes[$0] } + [town.home]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                trips.append(Trip(along: there, day: day, hour: 7, speed: speed, using: &generator))
                trips.append(Trip(along: home, day: day, hour: 17, speed: speed, using: &generator))
            case 6..<8:
                trips.append(Trip(along: there + home, day: day, hour: 10, speed: speed, using: &generator))
            default:
                let other = Int.random(in: 0..<between.count, using: &generator)
                let errand = between[other].path(to: town.destinations[goal]).reversed().map { town.nodes[$0] }
                trips.append(Trip(along: there, day: day, hour: 8, speed: speed, using: &generator))
                trips.append(Trip(along: errand, day: day, hour: 12, speed: speed, using: &generator))
                let last = taste.path(to: town.destinations[other]).reversed().map { town.nodes[$0] }
                trips.append(Trip(along: last + [town.home], day: day, hour: 18, speed: speed, using: &generator))
            }
        }
        return trips
    }

    /// Points every 1–5 s with the noise of GPS: 3–8 m, which changes within about a minute, and smoothly, because receivers
    /// filter it.
    private init(
        along line: [Town.Point], day: Int32, hour: Int64, speed: Double, using generator: inout SplitMix64
    ) {
        var receiver = Receiver(time: (Int64(day) * 24 + hour) * 3_600_000, using: &generator)
        var rest = 0.0
        for (start, end) in zip(line, line.dropFirst()) {
            let way = end - start
            let metres = (way * way).sum().squareRoot()
            var along = rest
            while along < metres {
                receiver.record(start + way * (along / metres), using: &generator)
                along += speed * receiver.seconds
            }
            rest = along - metres
        }
        if let end = line.last { receiver.record(end, using: &generator) }
        self.day = day
        places = receiver.places
        points = PointColumns(
            unit: .decimal(places: 7), longitudes: places.map { Int64($0.longitude) },
            latitudes: places.map { Int64($0.latitude) }, times: receiver.times, segmentStarts: [0])
    }
}

/// What records the points of a trip.
private struct Receiver {
    let seconds: Double
    var places: [PublishedPlace] = []
    var times: [Int64] = []
    private var time: Int64
    private let memory: Double
    private let lag: Double
    private let fresh: Double
    private var drift: Town.Point
    private var filtered: Town.Point

    init(time: Int64, using generator: inout SplitMix64) {
        self.time = time
        seconds = Double.random(in: 1...5, using: &generator).rounded()
        let noise = Double.random(in: 3...8, using: &generator)
        (memory, lag) = (exp(-seconds / 60), exp(-seconds / 15))
        fresh = noise * (1 - memory * memory).squareRoot()
        drift = Town.Point(generator.normal(noise), generator.normal(noise))
        filtered = drift
        places.reserveCapacity(1000)
        times.reserveCapacity(1000)
    }

    mutating func record(_ point: Town.Point, using generator: inout SplitMix64) {
        drift = drift * memory + Town.Point(generator.normal(fresh), generator.normal(fresh))
        filtered = filtered * lag + drift * (1 - lag)
        places.append(Town.place(at: point + filtered))
        times.append(time)
        time += Int64(seconds * 1000)
    }
}
