import Geography
import TestSupport
import Testing
import Tracks

@testable import Countries

@Suite struct FlightTests {
    private static let frankfurt = (lon: 8.5622, lat: 50.0379)
    private static let paris = (lon: 2.5479, lat: 49.0097)
    private static let madrid = (lon: -3.5676, lat: 40.4983)

    private func statuses(_ journeys: [TestJourney], gap: GapRule = .standard) -> [String: CountryStatus] {
        guard let calendar = DayCalendar(zone: "UTC") else { preconditionFailure("no time zone UTC") }
        let entries = journeys.enumerated().flatMap { number, journey in
            journey.rows(gap: gap).map { LedgerEntry(person: 1, track: Int64(number), row: $0) }
        }
        let ledger = CountryLedger(entries, countries: CountryList(.ne), calendar: { _ in calendar })
        return Dictionary(
            ledger.lines.map { (ledger.countries.code(of: $0.country), $0.status) }, uniquingKeysWith: { max($0, $1) })
    }

    @Test(arguments: [1.0, 10, 60]) func `a track that is fast from its first point begins in the air`(
        seconds: Double
    ) {
        var journey = TestJourney(3, 48)
        journey.go(to: 8.97, 48.995, speed: 230, every: seconds)
        #expect(journey.rows().texts == ["flight FR", "flight DE"])
        #expect(statuses([journey]) == ["FR": .overflown, "DE": .overflown])
        // With a point each ten minutes, over the ocean.
        var pacific = TestJourney(-122.38, 37.62)
        pacific.go(to: 140.39, 35.77, speed: 208, every: 600)
        #expect(pacific.rows().texts == ["flight US", "unknown", "flight", "unknown", "flight JP"])
        #expect(statuses([pacific], gap: .none) == ["US": .overflown, "JP": .overflown])
        // It ends on the ground.
        journey.go(to: 9.05, 48.995, speed: 20, every: 5)
        #expect(journey.rows().texts == ["flight FR", "flight DE", "ground DE"])
        let back = journey.reversed
        #expect(back.rows().texts == ["ground DE", "flight DE", "flight FR"])
        #expect(statuses([back])["FR"] == .overflown)
    }

    @Test func `a place that is repeated in flight is no time on the ground`() {
        // Receivers of aircraft repeat a place at the beginning, at the end, or when a message was lost.
        var journey = TestJourney(3, 48)
        journey.jump(to: 3, 48, afterMinutes: 10 / 60.0)
        journey.go(to: 5, 48.3, speed: 230, every: 10)
        journey.jump(to: 5, 48.3, afterMinutes: 10 / 60.0)
        journey.go(to: 8.97, 48.995, speed: 230, every: 10)
        journey.jump(to: 8.97, 48.995, afterMinutes: 20 / 60.0)
        #expect(journey.rows().texts == ["flight FR", "flight DE"])
        #expect(journey.reversed.rows().texts == ["flight DE", "flight FR"])
        // The recording of a start that begins half a minute before it, and that of a landing.
        var start = TestJourney(8.5622, 50.0379)
        start.stay(minutes: 0.5, every: 5)
        start.go(to: 8.555, 50.0379, speed: 30, every: 5)
        start.go(to: 8.53, 50.0379, speed: 70, every: 5)
        start.go(to: 7.5, 50.1, speed: 200, every: 5)
        #expect(start.rows().texts == ["ground DE", "flight DE"])
        #expect(start.reversed.rows().texts == ["flight DE", "ground DE"])
    }

    @Test func `a line that begins in the air after a gap begins no time on the ground`() {
        var journey = TestJourney(8.65, 50.10)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.go(to: 8.40, 50.03, speed: 90, every: 5)
        journey.go(to: 7.5, 49.9, speed: 220, every: 10)
        // No points over Luxembourg and Belgium; then over France.
        journey.jump(to: 4.0, 49.4, afterMinutes: 20)
        journey.go(to: 0, 45, speed: 220, every: 10)
        #expect(statuses([journey]) == ["DE": .transited, "FR": .overflown])
    }

    @Test func `a track that is fast for less than a minute begins on the ground`() {
        var journey = TestJourney(8.65, 50.10)
        journey.go(to: 8.70, 50.10, speed: 110, every: 5)
        journey.go(to: 8.80, 50.10, speed: 20, every: 5)
        #expect(journey.rows().texts == ["ground DE"])
        // A car on a motorway that is fast from the first to the last point.
        var car = TestJourney(8.65, 50.10)
        car.go(to: 9.5, 51.3, speed: 55)
        #expect(car.rows().texts == ["ground DE"])
    }

    @Test func `a step of minutes between countries in flight has an unknown route`() {
        // A point each ten minutes from Frankfurt to Madrid, over Luxembourg or Belgium, and France.
        var journey = TestJourney(8.65, 50.10)
        journey.stay(minutes: 70)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.go(to: Self.madrid.lon, Self.madrid.lat, speed: 220, every: 600)
        journey.go(to: -3.70, 40.42, speed: 12, every: 5)
        let rows = journey.rows()
        let countries = Set(rows.map(\.text))
        #expect(countries.isSubset(of: ["ground DE", "flight DE", "unknown", "flight FR", "flight ES", "ground ES"]))
        #expect(countries.contains("unknown") && countries.contains("flight FR"))
        // Steps within France and Spain count there.
        let france = rows.filter { $0.text == "flight FR" }.millimetres
        #expect((300_000_000...900_000_000).contains(france))
        #expect(abs(rows.millimetres - journey.millimetres()) < 20)
        for gap in [GapRule.none, .standard] {
            #expect(
                statuses([journey], gap: gap) == ["DE": .visited, "FR": .overflown, "ES": .transited],
                "with lines or, as in streams, with gaps between the points: \(gap)")
        }
        // A single step over the whole route.
        var single = TestJourney(8.65, 50.10)
        single.stay(minutes: 70)
        single.jump(to: Self.madrid.lon, Self.madrid.lat, afterMinutes: 150)
        single.stay(minutes: 70)
        #expect(statuses([single], gap: .none) == ["DE": .visited, "ES": .visited])
        #expect(abs(single.rows().millimetres - single.millimetres()) < 20)
    }

    @Test func `a slow part of a flight without points is no time on the ground`() {
        // Over France, a quarter of an hour in which the aircraft waits: 70 m/s on average over 63 km.
        var journey = TestJourney(3, 47)
        journey.go(to: 4, 47, speed: 220, every: 10)
        journey.jump(to: 4.83, 47, afterMinutes: 15)
        journey.go(to: 6, 47, speed: 220, every: 10)
        #expect(journey.rows().texts == ["flight FR"])
        // Over the border between France and Germany.
        var border = TestJourney(6.5, 48.5)
        border.go(to: 7.4, 48.5, speed: 220, every: 10)
        border.jump(to: 8.23, 48.5, afterMinutes: 15)
        border.go(to: 9.5, 48.5, speed: 220, every: 10)
        #expect(border.rows().texts == ["flight FR", "unknown", "flight DE"])
    }

    @Test func `a silence of days is no flight, whatever its average speed`() {
        // Guangzhou, Guatemala and Tokyo, five hours each, three days apart.
        func cities(hours: Double) -> [TestJourney] {
            var time = TestJourney.morning
            return [(113.26, 23.13), (-90.607, 14.631), (139.69, 35.68)].map { place in
                var journey = TestJourney(place.0, place.1, at: time)
                journey.stay(minutes: 300)
                time = journey.time + Int64(hours * 3_600_000)
                return journey
            }
        }
        #expect(statuses(cities(hours: 67)) == ["CN": .visited, "GT": .visited, "JP": .visited])
        // 26 and 23 hours are flights with some hours in airports.
        #expect(statuses(cities(hours: 24)) == ["CN": .visited, "GT": .transited, "JP": .visited])
    }

    @Test(arguments: [GapRule.standard, .none]) func `a flight with the receiver off is one, in one track or several`(
        gap: GapRule
    ) {
        var journey = TestJourney(8.65, 50.10)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.jump(to: Self.paris.lon, Self.paris.lat, afterMinutes: 90)
        journey.stay(minutes: 120)
        journey.jump(to: Self.madrid.lon, Self.madrid.lat, afterMinutes: 120)
        journey.stay(minutes: 90)
        #expect(statuses([journey], gap: gap) == ["DE": .transited, "FR": .transited, "ES": .visited])
    }

    @Test func `an airport is one if the receiver was off at the start or the landing`() {
        // To Paris until the receiver is switched off in flight; two hours there; on to Madrid, switched on in flight.
        var first = TestJourney(8.65, 50.10)
        first.stay(minutes: 90)
        first.go(to: 8.40, 50.03, speed: 90, every: 5)
        first.go(to: 5.0, 49.5, speed: 220, every: 10)
        var second = TestJourney(Self.paris.lon, Self.paris.lat, at: first.time + 40 * 60_000)
        second.stay(minutes: 120)
        var third = TestJourney(0, 45, at: second.time + 60 * 60_000)
        third.go(to: -3.30, 40.60, speed: 220, every: 10)
        third.go(to: Self.madrid.lon, Self.madrid.lat, speed: 80, every: 5)
        third.go(to: -3.70, 40.42, speed: 12, every: 10)
        third.stay(minutes: 70)
        #expect(statuses([first, second, third])["FR"] == .transited)
        #expect(statuses([second])["FR"] == .visited)
    }

    @Test func `a point between two silences in flight is above its country, unless there was time to land`() {
        // Frankfurt, a point in France, Madrid.
        func status(minutes: Double, at place: (lon: Double, lat: Double)) -> CountryStatus? {
            var journey = TestJourney(8.65, 50.10)
            journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
            journey.jump(to: place.lon, place.lat, afterMinutes: minutes * 0.3)
            journey.jump(to: Self.madrid.lon, Self.madrid.lat, afterMinutes: minutes * 0.7)
            journey.stay(minutes: 90)
            return statuses([journey])["FR"]
        }
        #expect(status(minutes: 140, at: (2.0, 46.0)) == .overflown)
        #expect(status(minutes: 270, at: Self.paris) == .transited)
    }

    @Test func `a train in a tunnel and a ferry at night do not fly`() {
        // From Folkestone through the tunnel to Coquelles in 35 minutes.
        var train = TestJourney(0.9, 51.2)
        train.go(to: 1.14, 51.097, speed: 30, every: 5)
        train.jump(to: 1.80, 50.925, afterMinutes: 35)
        train.go(to: 2.1, 50.85, speed: 30, every: 5)
        #expect(train.rows().texts == ["ground GB", "unknown", "ground FR"])
        // From Kiel to Oslo in a night without points.
        var ferry = TestJourney(10.14, 54.32)
        ferry.stay(minutes: 30)
        ferry.jump(to: 10.70, 59.90, afterMinutes: 20 * 60)
        ferry.stay(minutes: 30)
        #expect(ferry.rows().texts == ["ground DE", "unknown", "ground NO"])
    }

    @Test func `the order of points does not matter for flights`() {
        // Frankfurt, two hours in the airport of Paris, Madrid.
        var journey = TestJourney(8.65, 50.10)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.go(to: 8.40, 50.03, speed: 90, every: 5)
        journey.go(to: 2.80, 49.05, speed: 220, every: 20)
        journey.go(to: Self.paris.lon, Self.paris.lat, speed: 80, every: 5)
        journey.stay(minutes: 120)
        journey.go(to: 2.52, 48.98, speed: 80, every: 5)
        journey.go(to: -3.30, 40.60, speed: 220, every: 20)
        journey.go(to: Self.madrid.lon, Self.madrid.lat, speed: 80, every: 5)
        journey.go(to: -3.70, 40.42, speed: 12, every: 10)
        let expected = statuses([journey])
        #expect(expected["FR"] == .transited && expected["DE"] == .transited && expected["ES"] == .transited)
        #expect(statuses([journey.reversed], gap: .none) == expected)
        // The last place of a row is that in the order of time: the airport, but for the step on which the speed changed.
        func ends(_ journey: TestJourney) -> [LedgerPlace] {
            journey.rows().filter { $0.kind == .ground }.sorted { $0.time?.lowerBound ?? 0 < $1.time?.lowerBound ?? 0 }
                .map(\.last)
        }
        #expect(ends(journey).count == 3 && ends(journey.reversed).count == 3)
        for (place, other) in zip(ends(journey), ends(journey.reversed)) {
            #expect(abs(place.longitude - other.longitude) < 20_000 && abs(place.latitude - other.latitude) < 20_000)
        }
    }

    @Test func `the order of points does not matter for stays`() {
        // 90 minutes in Belgium, from Aachen to Lille.
        var drive = TestJourney(6.08, 50.775)
        drive.go(to: 5.0, 50.70, speed: 30, every: 10)
        drive.stay(minutes: 90)
        drive.go(to: 3.07, 50.62, speed: 30, every: 10)
        #expect(statuses([drive])["BE"] == .visited)
        #expect(statuses([drive.reversed], gap: .none)["BE"] == .visited)
    }
}
