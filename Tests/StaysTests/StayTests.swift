import Foundation
import Stays
import TestSupport
import Testing
import Text
import Tracks

@Suite struct StayTests {
    private static let hour: Int64 = 3_600_000

    /// The share of true stays that were found, with their times within 5 min and their places within 50 m, and the
    /// number of stays that are none.
    private func compare(_ stays: [Stay], _ days: StayDays) -> (found: Double, wrong: Int) {
        func matches(_ stay: Stay, _ truth: StayDays.Truth) -> Bool {
            let place = StayDays.metres(stay)
            let (x, y) = (place.east - truth.east, place.north - truth.north)
            return abs(stay.arrive - truth.from) <= 300_000 && abs(stay.leave - truth.to) <= 300_000
                && x * x + y * y <= 2500
        }
        let found = days.truth.count { truth in stays.contains { matches($0, truth) } }
        let wrong = stays.count { stay in !days.truth.contains { matches(stay, $0) } }
        return (Double(found) / Double(days.truth.count), wrong)
    }

    @Test func `at least 95 percent of true stays are found, and few others`() {
        var found = 0.0
        var wrong = 0
        for seed in 1...5 {
            let days = StayDays.made(seed: UInt64(seed), stays: 60)
            let result = compare(StayMerger.stays(days.chunk.stayRuns()), days)
            found += result.found / 5
            wrong += result.wrong
        }
        #expect(found >= 0.95)
        #expect(wrong <= 9)
    }

    @Test func `portions, bytes and the order of runs do not matter`() {
        let days = StayDays.made(seed: 7, stays: 40)
        let runs = days.chunk.stayRuns()
        let stays = StayMerger.stays(runs)
        #expect(stays.count > 20)
        for size in [1, 7, 333] { #expect(days.chunk.stayRuns(portion: size) == runs, "\(size)") }
        var decoded: [StayRun] = []
        StayRuns.forEach(in: StayRuns.encoded(runs).span) { decoded.append($0) }
        #expect(decoded == runs)
        var random = SeededRandom(seed: 3)
        for _ in 0..<5 { #expect(StayMerger.stays(runs.shuffled(using: &random)) == stays) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `bytes that promise more parts or movements than they have are read to their end`() {
        for counts in [[UInt64.max], [1 << 40], [0, UInt64.max], [0, 1 << 40]] {
            var bytes: [UInt8] = [2, 4]
            for count in counts { Varint.append(count, to: &bytes) }
            var runs = 0
            StayRuns.forEach(in: bytes.span) { run in
                runs += 1
                #expect(run.from == 1 && run.to == 3 && run.parts.isEmpty && run.movements.isEmpty)
            }
            #expect(runs == 1)
        }
    }

    @Test func `stays do not depend on how points are divided into tracks`() {
        let days = StayDays.made(seed: 11, stays: 60)
        for size in [500, 5000] {
            var runs: [StayRun] = []
            for start in stride(from: 0, to: days.points.count, by: size) {
                runs += PointChunk.degrees(Array(days.points[start..<min(days.points.count, start + size)])).stayRuns()
            }
            let result = compare(StayMerger.stays(runs), days)
            #expect(result.found >= 0.95, "\(size)")
        }
    }

    @Test func `a track that begins with its newest point has the same stays`() {
        for seed in 21...23 {
            let days = StayDays.made(seed: UInt64(seed), stays: 60)
            let runs = PointChunk.degrees(days.points.reversed()).stayRuns()
            for run in runs {
                #expect(run.from <= run.to && run.parts.allSatisfy { $0.arrive <= $0.leave })
                #expect(zip(run.parts, run.parts.dropFirst()).allSatisfy { $0.leave <= $1.arrive })
                #expect(zip(run.movements, run.movements.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
            #expect(!runs.flatMap(\.movements).isEmpty)
            let result = compare(StayMerger.stays(runs), days)
            #expect(result.found >= 0.95 && result.wrong <= 3, "\(seed)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `points far from each other in descending order take no time`() {
        // A snake over a large area, 2 ms and 150 m from point to point, none of which is an outlier.
        let places = (0..<200_000).map { index in
            let (row, column) = (index / 450, index % 450)
            return (13 + 0.0022 * Double(row % 2 == 0 ? column : 449 - column), 52.0 + 0.00135 * Double(row))
        }
        let points = places.enumerated().map { index, place in
            (place.0, place.1, TestJourney.morning + 2 * Int64(index % 2 == 0 ? -index : index))
        }
        #expect(StayMerger.stays(PointChunk.degrees(points).stayRuns()).count < 10)
    }

    @Test func `a pause at one place is one stay for up to seven days`() throws {
        for (days, isOne) in [(0.5, true), (6.9, true), (7.1, false)] {
            let pause = Int64(days * 24) * Self.hour
            var evening = TestJourney(8.5, 47.4)
            evening.go(to: 8.6, 47.4, speed: 6)
            var morning = TestJourney(8.6, 47.4, at: evening.time + pause)
            morning.go(to: 8.5, 47.4, speed: 6)
            let stays = StayMerger.stays(morning.chunk.stayRuns() + evening.chunk.stayRuns())
            #expect(stays.count == (isOne ? 1 : 0), "\(days)")
            guard let stay = stays.first else { continue }
            #expect(stay.arrive == evening.time && stay.leave == evening.time + pause)
            #expect(stay.bridgedMilliseconds == pause && stay.points == 2)
        }
    }

    @Test func `a pause between two places, or with something recorded in it, is no stay`() {
        var first = TestJourney(8.5, 47.4)
        first.go(to: 8.6, 47.4, speed: 6)
        var second = TestJourney(8.602, 47.4, at: first.time + 12 * Self.hour)
        second.go(to: 8.7, 47.4, speed: 6)
        #expect(StayMerger.stays(first.chunk.stayRuns() + second.chunk.stayRuns()).isEmpty)
        var back = TestJourney(8.6, 47.4, at: first.time + 12 * Self.hour)
        back.go(to: 8.5, 47.4, speed: 6)
        let elsewhere = TestJourney(9, 47, at: first.time + 6 * Self.hour)
        let runs = first.chunk.stayRuns() + back.chunk.stayRuns()
        #expect(StayMerger.stays(runs).count == 1)
        #expect(StayMerger.stays(runs + elsewhere.chunk.stayRuns()).isEmpty)
    }

    @Test func `who runs round a stadium does not stay there`() {
        let metre = 1 / 111_195.0
        func oval(speed: Double) -> PointChunk {
            .degrees(
                (0..<2400).map { second in
                    let angle = speed * Double(second) / 60
                    return (
                        13 + 60 * metre * cos(angle) / 0.6088, 52.5 + 60 * metre * sin(angle),
                        TestJourney.morning + Int64(second) * 1000
                    )
                })
        }
        #expect(StayMerger.stays(oval(speed: 3.4).stayRuns()).isEmpty)
        #expect(StayMerger.stays(oval(speed: 0.05).stayRuns()).count == 1)
    }

    @Test func `short stays and single points are none, across 180 degrees and at poles`() {
        for (longitude, latitude) in [(8.5, 47.4), (179.9999, 10), (-179.9999, -10), (0, 89.99), (20, -90)] {
            for (minutes, count) in [(9.0, 0), (12.0, 1)] {
                var journey = TestJourney(longitude, latitude)
                journey.stay(minutes: minutes)
                // `stay` goes beyond 180°.
                let points = journey.points.map { ($0.lon > 180 ? $0.lon - 360 : $0.lon, $0.lat, $0.time) }
                let stays = StayMerger.stays(PointChunk.degrees(points).stayRuns())
                #expect(stays.count == count, "\(longitude) \(latitude) \(minutes)")
                #expect(stays.allSatisfy { abs(abs($0.longitude) - Int32(abs(longitude) * 1e7)) < 10_000 })
            }
            #expect(StayMerger.stays(TestJourney(longitude, latitude).chunk.stayRuns()).isEmpty)
        }
        #expect(StayMerger.stays([]).isEmpty)
        var untimed = TestJourney(8.5, 47.4, at: nil)
        untimed.go(to: 8.6, 47.4, speed: 6)
        #expect(untimed.chunk.stayRuns().isEmpty)
    }

    @Test func `two tracks of one stay are one stay, and trips lie between stays`() {
        let days = StayDays.made(seed: 5, stays: 20)
        let stays = StayMerger.stays(days.chunk.stayRuns())
        let doubled = StayMerger.stays(days.chunk.stayRuns() + days.chunk.stayRuns())
        #expect(doubled.map(\.arrive) == stays.map(\.arrive) && doubled.map(\.leave) == stays.map(\.leave))
        let trips = Trip.trips(between: stays)
        #expect(trips.count == stays.count - 1)
        for (index, trip) in trips.enumerated() { #expect(trip.from == stays[index] && trip.to == stays[index + 1]) }
    }
}
