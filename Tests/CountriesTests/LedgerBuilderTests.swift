import Foundation
import Geography
import Statistics
import TestSupport
import Testing
import TileMath
import Tracks

@testable import Countries

@Suite struct LedgerBuilderTests {
    /// Frankfurt, and Madrid.
    private static let frankfurt = (lon: 8.5622, lat: 50.0379)
    private static let madrid = (lon: -3.5676, lat: 40.4983)

    private func flight(every seconds: Double) -> TestJourney {
        var journey = TestJourney(8.65, 50.10)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.stay(minutes: 40)
        // Taking off and climbing.
        journey.go(to: 8.50, 50.0379, speed: 90, every: 5)
        journey.go(to: -3.40, 40.55, speed: 230, every: seconds)
        journey.go(to: Self.madrid.lon, Self.madrid.lat, speed: 90, every: 5)
        journey.go(to: -3.5676, 40.490, speed: 10, every: 5)
        journey.go(to: -3.70, 40.42, speed: 12, every: 5)
        return journey
    }

    @Test(arguments: [1.0, 20, 300]) func `a flight passes over countries`(seconds: Double) throws {
        let journey = flight(every: seconds)
        let rows = journey.rows()
        let texts = rows.texts
        #expect(texts.first == "ground DE" && texts.last == "ground ES")
        #expect(texts.contains("flight FR") && texts.contains("flight DE") && texts.contains("flight ES"))
        #expect(!texts.contains("ground FR") && !texts.contains("unknown"))
        // On the ground it is where the aircraft was slow.
        let air = try #require(rows.filter { $0.kind == .flight }.first?.time?.lowerBound)
        #expect(air >= TestJourney.morning + 40 * 60_000)
        #expect(abs(rows.millimetres - journey.millimetres()) < 20)
        #expect(rows.filter { $0.kind == .flight }.allSatisfy { $0.region == nil })
        #expect(rows.filter { $0.kind == .ground }.allSatisfy { $0.region != nil })
        #expect((22_000...25_000).contains(rows.map(\.topSpeed).max() ?? 0))
    }

    @Test func `a car on a motorway does not fly, and neither does a leap of the receiver`() {
        var car = TestJourney(8.65, 50.10)
        car.go(to: 9.5, 51.3, speed: 55)
        #expect(car.rows().texts == ["ground DE"])
        var leap = TestJourney(8.65, 50.10)
        leap.stay(minutes: 10, every: 10)
        leap.jump(to: 8.66, 50.11, afterMinutes: 0.1)
        leap.stay(minutes: 10, every: 10)
        #expect(leap.rows().texts == ["ground DE"])
    }

    @Test func `a ferry passes coastal waters and the sea`() {
        // From Hull to Rotterdam, a point each minute.
        var journey = TestJourney(-0.33, 53.74)
        journey.go(to: 0.20, 53.54, speed: 9, every: 60)
        journey.go(to: 2.40, 53.45, speed: 9, every: 60)
        journey.go(to: 3.90, 52.05, speed: 9, every: 60)
        journey.go(to: 4.30, 51.90, speed: 9, every: 60)
        let rows = journey.rows()
        #expect(rows.texts == ["ground GB", "coastal", "sea", "coastal", "ground NL"])
        #expect(abs(rows.millimetres - journey.millimetres()) < 20)
        // 22.2 km less 5 km on each side, less the hysteresis at the borders of the zones.
        let coastal = rows.filter { $0.kind == .coastal }.reduce(0.0) { $0 + Double($1.millimetres) / 1e6 }
        #expect((20...60).contains(coastal))
        // With a point an hour it is at sea between two points at sea.
        var sparse = TestJourney(-0.33, 53.74)
        sparse.go(to: 0.20, 53.54, speed: 9, every: 60)
        sparse.go(to: 2.40, 53.45, speed: 9, every: 3600)
        sparse.go(to: 3.90, 52.05, speed: 9, every: 3600)
        sparse.go(to: 4.30, 51.90, speed: 9, every: 60)
        #expect(sparse.rows().texts == ["ground GB", "coastal", "sea", "coastal", "ground NL"])
    }

    @Test func `a step over hours between countries has an unknown way`() {
        var journey = TestJourney(8.65, 50.10)
        journey.stay(minutes: 30)
        journey.jump(to: 2.35, 48.85, afterMinutes: 600)
        journey.stay(minutes: 30)
        let rows = journey.rows()
        #expect(rows.texts == ["ground DE", "unknown", "ground FR"])
        #expect(abs(rows.millimetres - journey.millimetres()) < 5)
        let unknown = rows.filter { $0.kind == .unknown }
        #expect(unknown.reduce(0) { $0 + $1.millimetres } > 470_000_000)
        #expect(unknown.allSatisfy { $0.points == 0 })
        // Over a gap there is no line at all.
        let cut = journey.rows(gap: .standard)
        #expect(cut.texts == ["ground DE", "ground FR"])
        #expect(cut.reduce(0) { $0 + $1.points } == journey.points.count)
    }

    @Test func `the sum of the rows is the length of the track, on each day`() {
        var journey = flight(every: 30)
        journey.stay(minutes: 60 * 26, every: 600)
        journey.go(to: -3.2, 40.6, speed: 20, every: 10)
        journey.jump(to: -0.37, 39.47, afterMinutes: 200)
        journey.go(to: -0.5, 39.6, speed: 5, every: 30)
        for (zone, gap) in [("UTC", GapRule.none), ("Europe/Madrid", .standard), ("Pacific/Auckland", .none)] {
            let rows = journey.rows(zone: zone, gap: gap)
            for day in journey.days(zone: zone, gap: gap) {
                let sum = rows.filter { $0.day == day.day }.reduce(0) { $0 + $1.millimetres }
                #expect(abs(sum - day.millimetres) <= 20, "\(zone) \(String(describing: day.day))")
            }
            #expect(rows.reduce(0) { $0 + $1.points } == journey.points.count)
        }
    }

    @Test func `the size of chunks does not matter`() {
        let journey = flight(every: 20)
        let whole = journey.rows(chunk: 100_000)
        for size in [1, 7, 333] { #expect(journey.rows(chunk: size) == whole, "\(size)") }
    }

    @Test func `180° and the poles are places like others`() {
        // Taveuni, an island of Fiji, from west to east over 180°, at walking speed with a point each minute.
        var fiji = TestJourney(179.93, -16.80)
        fiji.go(to: -179.93, -16.80, speed: 3, every: 60)
        let rows = fiji.rows()
        #expect(rows.texts == ["ground FJ"])
        #expect((14_000_000...16_000_000).contains(rows.millimetres))
        #expect(abs(rows.millimetres - fiji.millimetres()) < 5)
        // From Alaska over 180° to Japan.
        var pacific = TestJourney(-149.99, 61.18)
        pacific.stay(minutes: 5)
        pacific.go(to: 140.4, 42.8, speed: 240, every: 30)
        #expect(abs(pacific.rows().millimetres - pacific.millimetres()) < 100)
        #expect(pacific.rows().texts.contains("flight US"))
        var pole = TestJourney(10, 89.9)
        pole.go(to: 10, 90, speed: 2, every: 60)
        pole.jump(to: -170, 89.99, afterMinutes: 3)
        #expect(pole.rows().texts == ["sea"])
        var south = TestJourney(0, -89.9)
        south.go(to: 0, -90, speed: 2, every: 60)
        #expect(south.rows().texts == ["ground AQ"])
        #expect((11_000_000...11_400_000).contains(south.rows().millimetres))
    }

    @Test func `points without time are in their country`() {
        var journey = TestJourney(6.08, 50.775, at: nil)
        journey.go(to: 5.75, 50.86, speed: 20)
        let rows = journey.rows()
        #expect(rows.texts == ["ground DE", "ground NL"])
        #expect(rows.allSatisfy { $0.time == nil && $0.day == nil && $0.stayMilliseconds == 0 })
        #expect(abs(rows.millimetres - journey.millimetres()) < 5)
    }

    @Test func `a stay is the time at one place`() {
        var journey = TestJourney(13.40, 52.50)
        journey.go(to: 13.42, 52.50, speed: 5)
        journey.stay(minutes: 50)
        journey.go(to: 13.44, 52.50, speed: 5)
        let stay = journey.rows().map(\.stayMilliseconds).max() ?? 0
        // The walk within 250 m before and after counts, too.
        #expect((50...53).contains(stay / 60_000))
        var ride = TestJourney(13.0, 52.3)
        ride.go(to: 13.6, 52.7, speed: 8)
        #expect(ride.rows().map(\.stayMilliseconds).max() ?? 0 < 120_000)
    }

    @Test func `rows are the same after they were stored`() {
        let rows = flight(every: 60).rows(zone: "Asia/Tokyo")
        var read: [LedgerRow] = []
        let bytes = LedgerRows.encoded(rows)
        LedgerRows.forEach(in: bytes.span) { read.append($0) }
        #expect(read == rows && bytes.count < 70 * rows.count)
        var untimed = TestJourney(6.08, 50.775, at: nil)
        untimed.go(to: 5.75, 50.86, speed: 20)
        read = []
        LedgerRows.forEach(in: LedgerRows.encoded(untimed.rows()).span) { read.append($0) }
        #expect(read == untimed.rows())
    }

    @Test(arguments: 1...4) func `far from borders, a row has the country of each of its points`(seed: Int) throws {
        var numbers = SeededRandom(seed: seed)
        var journey = TestJourney(
            Double.random(in: 0...20, using: &numbers), Double.random(in: 44...52, using: &numbers))
        for _ in 0..<30 {
            let last = try #require(journey.points.last)
            journey.go(
                to: min(max(last.lon + Double.random(in: -0.8...0.8, using: &numbers), -4), 26),
                min(max(last.lat + Double.random(in: -0.5...0.5, using: &numbers), 42), 54),
                speed: Double.random(in: 1...40, using: &numbers), every: 20)
        }
        let rows = journey.rows()
        let index = CountryIndex.embedded
        var compared = 0
        for point in journey.points {
            let place = try #require(GeoPoint(longitude: point.lon, latitude: point.lat))
            guard let country = index.country(at: place), index.distanceToOutline(of: place, limit: 3100) == nil,
                let time = point.time
            else { continue }
            compared += 1
            let found = rows.filter { $0.time?.contains(time) == true }
            #expect(found.contains { $0.country == country && $0.kind == .ground }, "\(point)")
        }
        #expect(compared > 1000)
    }
}
