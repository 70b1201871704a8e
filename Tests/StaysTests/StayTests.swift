import Foundation
import TestSupport
import Testing
import Text
import Tracks

@testable import Stays

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
            let result = compare(StayRows.stays([days.chunk.stayCells()]), days)
            found += result.found / 5
            wrong += result.wrong
        }
        #expect(found >= 0.95)
        #expect(wrong <= 9)
    }

    @Test func `portions and the order of tracks do not matter`() {
        let days = StayDays.made(seed: 7, stays: 40)
        let cells = days.chunk.stayCells()
        for size in [1, 7, 333] { #expect(days.chunk.stayCells(portion: size) == cells, "\(size)") }
        var random = SeededRandom(seed: 3)
        var tracks = days.cut(into: 15)
        let stays = StayRows.stays(tracks)
        #expect(stays.count > 20)
        for _ in 0..<5 {
            tracks.shuffle(using: &random)
            #expect(StayRows.stays(tracks) == stays)
        }
    }

    @Test(arguments: 11...13)
    func `stays do not depend on how points are divided into tracks`(seed: UInt64) {
        let days = StayDays.made(seed: seed, stays: 60)
        let stays = StayRows.stays([days.chunk.stayCells()])
        #expect(stays.count > 40)
        for count in [2, 20, 300] { #expect(StayRows.stays(days.cut(into: count)) == stays, "\(count)") }
        for count in [2, 3, 7] { #expect(StayRows.stays(days.interleaved(into: count)) == stays, "\(count)") }
        var random = SeededRandom(seed: seed)
        var tracks: [[PlaceInTime]] = Array(repeating: [], count: 20)
        for point in days.points { tracks[random.below(20)].append(point) }
        #expect(StayRows.stays(tracks.map { PointColumns.degrees($0).stayCells() }) == stays)
    }

    @Test func `the order of the points of a track does not matter`() {
        let days = StayDays.made(seed: 21, stays: 60)
        let cells = days.chunk.stayCells()
        var random = SeededRandom(seed: 2)
        let points = days.chunk.classified()
        #expect(Array(points.reversed()).stayCells == cells)
        #expect(points.shuffled(using: &random).stayCells == cells)
        #expect(PointColumns.degrees(days.points.reversed()).stayCells() == cells)
    }

    @Test func `points with an estimated time do not count`() {
        var journey = TestJourney(8.5, 47.4)
        journey.stay(minutes: 20)
        var points = journey.chunk.classified()
        for index in points.indices { points[index].isTimeEstimated = true }
        #expect(points.stayCells.isEmpty)
        #expect(StayRows.stays([journey.chunk.stayCells()]).count == 1)
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
        #expect(StayRows.stays([PointColumns.degrees(points).stayCells()]).count < 10)
    }

    @Test func `a pause at one place is one stay for up to seven days`() throws {
        for (days, isOne) in [(0.5, true), (6.9, true), (7.1, false)] {
            let pause = Int64(days * 24) * Self.hour
            var evening = TestJourney(8.5, 47.4)
            evening.go(to: 8.6, 47.4, speed: 6)
            var morning = TestJourney(8.6, 47.4, at: evening.time + pause)
            morning.go(to: 8.5, 47.4, speed: 6)
            let stays = StayRows.stays([morning.chunk.stayCells(), evening.chunk.stayCells()])
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
        #expect(StayRows.stays([first.chunk.stayCells(), second.chunk.stayCells()]).isEmpty)
        var back = TestJourney(8.6, 47.4, at: first.time + 12 * Self.hour)
        back.go(to: 8.5, 47.4, speed: 6)
        let elsewhere = TestJourney(9, 47, at: first.time + 6 * Self.hour)
        let tracks = [first.chunk.stayCells(), back.chunk.stayCells()]
        #expect(StayRows.stays(tracks).count == 1)
        #expect(StayRows.stays(tracks + [elsewhere.chunk.stayCells()]).isEmpty)
    }

    @Test func `who runs round a stadium does not stay there`() {
        let metre = 1 / 111_195.0
        func oval(speed: Double) -> PointColumns {
            .degrees(
                (0..<2400).map { second in
                    let angle = speed * Double(second) / 60
                    return (
                        13 + 60 * metre * cos(angle) / 0.6088, 52.5 + 60 * metre * sin(angle),
                        TestJourney.morning + Int64(second) * 1000
                    )
                })
        }
        #expect(StayRows.stays([oval(speed: 3.4).stayCells()]).isEmpty)
        #expect(StayRows.stays([oval(speed: 0.05).stayCells()]).count == 1)
    }

    @Test func `short stays and single points are none, across 180 degrees and at poles`() {
        for (longitude, latitude) in [(8.5, 47.4), (179.9999, 10), (-179.9999, -10), (0, 89.99), (20, -90)] {
            for (minutes, count) in [(9.0, 0), (12.0, 1)] {
                var journey = TestJourney(longitude, latitude)
                journey.stay(minutes: minutes)
                // `stay` goes beyond 180°.
                let points = journey.points.map { ($0.lon > 180 ? $0.lon - 360 : $0.lon, $0.lat, $0.time) }
                let stays = StayRows.stays([PointColumns.degrees(points).stayCells()])
                #expect(stays.count == count, "\(longitude) \(latitude) \(minutes)")
                #expect(stays.allSatisfy { abs(abs($0.longitude) - Int32(abs(longitude) * 1e7)) < 10_000 })
            }
            #expect(StayRows.stays([TestJourney(longitude, latitude).chunk.stayCells()]).isEmpty)
        }
        #expect(StayRows.stays([]).isEmpty && StayRows.stays([[]]).isEmpty)
        var untimed = TestJourney(8.5, 47.4, at: nil)
        untimed.go(to: 8.6, 47.4, speed: 6)
        #expect(untimed.chunk.stayCells().isEmpty)
    }

    @Test(arguments: [10, 60, 180] as [Int64]) func `devices at two places have stays that overlap`(seconds: Int64) {
        func points(_ longitude: Double, offset: Int64) -> [PlaceInTime] {
            (0..<7200 / seconds).map { (longitude, 47.4, TestJourney.morning + ($0 * seconds + offset) * 1000) }
        }
        let (phone, watch) = (points(8.5, offset: 0), points(8.51, offset: seconds / 2))
        let tracks = [phone, watch].map { PointColumns.degrees($0).stayCells() }
        let stays = StayRows.stays(tracks)
        #expect(stays.count == 2)
        // It takes some points to see that there are two devices.
        for stay in stays {
            #expect(abs(stay.arrive - TestJourney.morning) <= 3 * seconds * 1000)
            #expect(abs(stay.leave - TestJourney.morning - 7_200_000) <= 3 * seconds * 1000)
        }
        #expect(stays.map(\.longitude).sorted() == [85_000_000, 85_100_000])
        // Also if the points of both are in each of two files.
        let mixed = zip(phone, watch).enumerated().map {
            $0.offset % 2 == 0 ? $0.element : ($0.element.1, $0.element.0)
        }
        let files = [mixed.map(\.0), mixed.map(\.1)].map { points in
            Array(PointColumns.degrees(points).classified()).stayCells
        }
        #expect(StayRows.stays(files) == stays)
    }

    @Test func `a device at home is no stay while another one moves`() {
        var phone = TestJourney(8.5, 47.4)
        phone.stay(minutes: 60, every: 30)
        var watch = TestJourney(8.5, 47.4)
        watch.go(to: 8.7, 47.4, speed: 4.5)
        #expect(StayRows.stays([phone.chunk.stayCells()]).count == 1)
        #expect(StayRows.stays([phone.chunk.stayCells(), watch.chunk.stayCells()]).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `many devices far from each other take little time`() {
        let tracks = (0..<300).map { track in
            let points = (0..<600).map { second in
                (Double(track % 20), Double(track / 20), TestJourney.morning + Int64(second * 20_000))
            }
            return PointColumns.degrees(points).stayCells()
        }
        #expect(StayRows.stays(tracks).count <= StayRule.mostDevices)
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

    @Test func `two tracks of one stay are one stay, and trips lie between stays`() {
        let days = StayDays.made(seed: 5, stays: 20)
        let stays = StayRows.stays([days.chunk.stayCells()])
        let doubled = StayRows.stays([days.chunk.stayCells(), days.chunk.stayCells()])
        #expect(doubled.map(\.arrive) == stays.map(\.arrive) && doubled.map(\.leave) == stays.map(\.leave))
        let trips = Trip.trips(between: stays)
        #expect(trips.count == stays.count - 1)
        for (index, trip) in trips.enumerated() { #expect(trip.from == stays[index] && trip.to == stays[index + 1]) }
    }
}
