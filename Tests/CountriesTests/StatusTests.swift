import Geography
import Places
import Statistics
import TestSupport
import Testing
import Tracks

@testable import Countries

@Suite struct StatusTests {
    private static let frankfurt = (lon: 8.5622, lat: 50.0379)
    private static let paris = (lon: 2.5479, lat: 49.0097)

    private func ledger(
        _ journeys: [TestJourney], from: Int64? = nil, to: Int64? = nil, by grouping: LedgerGrouping = .country,
        rule: StatusRule = StatusRule(), zone: String = "UTC", view: CountryView = .ne, persons: [Int64] = []
    ) -> CountryLedger {
        guard let calendar = DayCalendar(zone: zone) else { preconditionFailure("no time zone \(zone)") }
        let entries = journeys.enumerated().flatMap { number, journey in
            journey.rows(zone: zone, gap: .standard).map {
                LedgerEntry(
                    person: persons.isEmpty ? 1 : persons[number], track: Int64(number), row: $0)
            }
        }
        return CountryLedger(
            entries, from: from, to: to, by: grouping, rule: rule, countries: CountryList(view),
            calendar: { _ in calendar })
    }

    private func statuses(_ ledger: CountryLedger) -> [String: CountryStatus] {
        Dictionary(
            ledger.lines.map { (ledger.countries.code(of: $0.country), $0.status) }, uniquingKeysWith: { max($0, $1) })
    }

    private func line(_ code: String, _ ledger: CountryLedger) throws -> CountryLedger.Line {
        try #require(ledger.lines.first { ledger.countries.code(of: $0.country) == code })
    }

    /// From a town near Frankfurt by air to Paris, a transfer of some minutes, and on to Madrid.
    private func transfer(minutes: Double, excursion: Bool = false) -> TestJourney {
        var journey = TestJourney(8.65, 50.10)
        journey.stay(minutes: 90)
        journey.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        journey.stay(minutes: 60)
        journey.go(to: 8.40, 50.03, speed: 90, every: 5)
        journey.go(to: 2.80, 49.05, speed: 220, every: 20)
        journey.go(to: Self.paris.lon, Self.paris.lat, speed: 80, every: 5)
        journey.go(to: 2.56, 49.00, speed: 5, every: 10)
        if excursion { journey.go(to: 2.35, 48.86, speed: 12, every: 10) }
        journey.stay(minutes: minutes)
        if excursion { journey.go(to: 2.56, 49.00, speed: 12, every: 10) }
        journey.go(to: 2.52, 48.98, speed: 80, every: 5)
        journey.go(to: -3.30, 40.60, speed: 220, every: 20)
        journey.go(to: -3.5676, 40.4983, speed: 80, every: 5)
        journey.go(to: -3.70, 40.42, speed: 12, every: 10)
        journey.stay(minutes: 70)
        return journey
    }

    @Test func `between two flights, an airport is a transit and a town is a visit`() {
        for minutes in [45.0, 300] {
            #expect(
                statuses(ledger([transfer(minutes: minutes)])) == [
                    "DE": .visited, "FR": .transited, "ES": .visited, "LU": .overflown, "BE": .overflown,
                ],
                "\(minutes)")
        }
        #expect(statuses(ledger([transfer(minutes: 90, excursion: true)]))["FR"] == .visited)
        #expect(statuses(ledger([transfer(minutes: 10, excursion: true)]))["FR"] == .transited)
        var near = StatusRule()
        near.airportMetres = 100
        #expect(statuses(ledger([transfer(minutes: 300)], rule: near))["FR"] == .visited)
    }

    @Test func `a country below a flight is overflown`() throws {
        var journey = TestJourney(8.65, 50.10)
        journey.stay(minutes: 90)
        journey.go(to: 8.40, 50.03, speed: 90, every: 5)
        journey.go(to: -3.30, 40.60, speed: 220, every: 20)
        journey.go(to: -3.5676, 40.4983, speed: 80, every: 5)
        journey.go(to: -3.70, 40.42, speed: 12, every: 10)
        let ledger = ledger([journey])
        #expect(statuses(ledger)["FR"] == .overflown)
        let france = try line("FR", ledger)
        #expect(france.days == 0 && france.nights == 0 && france.dates != nil && france.millimetres > 500_000_000)
        let above = ledger.intervals.filter { ledger.countries.code(of: $0.country) == "FR" }
        #expect(above.count == 1 && above[0].region == nil && above[0].tracks == [0])
        // The flight over Germany and the time on its ground are intervals of their own.
        let german = ledger.intervals.filter { ledger.countries.code(of: $0.country) == "DE" }
        #expect(Set(german.map(\.status)) == [.visited, .overflown])
        #expect(
            ledger.lines.reduce(0) { $0 + $1.millimetres } + ledger.seaMillimetres + ledger.unknownMillimetres
                == journey.rows(gap: .standard).millimetres)
    }

    @Test func `driving through is a transit, and a stay, a night or hours make it a visit`() {
        func drive(stop minutes: Double = 0, speed: Double = 30, at time: Int64 = TestJourney.morning) -> TestJourney {
            // From Aachen through Belgium to Lille.
            var journey = TestJourney(6.08, 50.775, at: time)
            journey.go(to: 5.0, 50.70, speed: speed, every: 10)
            if minutes > 0 { journey.stay(minutes: minutes) }
            journey.go(to: 3.07, 50.62, speed: speed, every: 10)
            return journey
        }
        #expect(statuses(ledger([drive()]))["BE"] == .transited)
        #expect(statuses(ledger([drive(stop: 50)]))["BE"] == .transited)
        #expect(statuses(ledger([drive(stop: 65)]))["BE"] == .visited)
        #expect(statuses(ledger([drive(speed: 10)]))["BE"] == .visited)
        // At 3:00, UTC here.
        #expect(statuses(ledger([drive(at: TestJourney.morning - 6 * 3_600_000)]))["BE"] == .visited)
        #expect(
            statuses(ledger([drive(at: TestJourney.morning - 6 * 3_600_000)], zone: "Asia/Tokyo"))["BE"] == .transited)
        // Two ways of two hours are four hours in all.
        let ways = [
            drive(), drive(at: TestJourney.morning + 48 * 3_600_000), drive(at: TestJourney.morning + 96 * 3_600_000),
        ]
        #expect(statuses(ledger(ways))["BE"] == .visited)
        #expect(statuses(ledger(ways, persons: [1, 2, 3]))["BE"] == .transited)
        var long = StatusRule()
        (long.stayMilliseconds, long.groundMilliseconds) = (2 * 3_600_000, 20 * 3_600_000)
        #expect(statuses(ledger([drive(stop: 65)], rule: long))["BE"] == .transited)
        long.nightHour = 9
        #expect(statuses(ledger([drive(stop: 65)], rule: long))["BE"] == .visited)
    }

    @Test func `a pause at one place is a stay, and one between places is none`() throws {
        func evenings(from longitude: Double, hours: Double) -> [TestJourney] {
            var evening = TestJourney(4.30, 50.80, at: TestJourney.morning + 10 * 3_600_000)
            evening.go(to: 4.35, 50.85, speed: 10, every: 10)
            var morning = TestJourney(longitude, 50.85, at: evening.time + Int64(hours * 3_600_000))
            morning.go(to: longitude + 0.05, 50.85, speed: 10, every: 10)
            return [evening, morning]
        }
        let night = try line("BE", ledger(evenings(from: 4.351, hours: 13)))
        #expect(night.status == .visited && night.nights == 1 && night.days == 2)
        let elsewhere = try line("BE", ledger(evenings(from: 4.6, hours: 13)))
        #expect(elsewhere.status == .transited && elsewhere.nights == 0 && elsewhere.days == 2)
        let months = try line("BE", ledger(evenings(from: 4.351, hours: 24 * 30)))
        #expect(months.status == .transited && months.nights == 0)
        // A week at one place has seven nights.
        let week = try line("BE", ledger(evenings(from: 4.351, hours: 24 * 6 + 13)))
        #expect(week.nights == 7 && week.days == 8)
        // One interval over the pause, for one region.
        #expect(ledger(evenings(from: 4.351, hours: 13)).intervals.map(\.tracks).allSatisfy { $0 == [0, 1] })
    }

    @Test func `a clock that is set back over midnight returns to the day before`() throws {
        // In St. John's, 2010-11-07 00:01 was followed by 2010-11-06 23:01.
        let calendar = try #require(DayCalendar(zone: "America/St_Johns"))
        let change: Int64 = 1_289_097_060_000
        let day = calendar.day(of: change)
        #expect(calendar.day(of: change - 1) == day + 1)
        func days(from start: Int64, to end: Int64) -> [Int32] {
            var dates = LocalDates()
            dates.add(change + start...change + end, calendar, nightHour: 3)
            return dates.days.map { $0 - day }.sorted()
        }
        #expect(days(from: -90_000, to: -61_000) == [0])
        #expect(days(from: -90_000, to: -1) == [0, 1])
        #expect(days(from: -1, to: -1) == [1])
        #expect(days(from: -1, to: 0) == [0, 1])
        #expect(days(from: -90_000, to: 90_000) == [0, 1])
        #expect(days(from: 0, to: 90_000) == [0])
        #expect(days(from: 0, to: 3_600_000) == [0, 1])
        // A journey of that night, as the program reads it.
        var journey = TestJourney(-52.71, 47.56, at: change - 30_000)
        journey.stay(minutes: 30)
        let line = try #require(ledger([journey], zone: calendar.zone).lines.first)
        #expect(line.days == 2 && line.dates == day...day + 1)
    }

    @Test func `a flight with the receiver off is one between two airports`() throws {
        // Frankfurt, nothing for an hour and a half, Paris, nothing for two hours, Madrid.
        var first = TestJourney(8.65, 50.10)
        first.go(to: Self.frankfurt.lon, Self.frankfurt.lat, speed: 15, every: 5)
        var second = TestJourney(Self.paris.lon, Self.paris.lat, at: first.time + 90 * 60_000)
        second.stay(minutes: 120)
        var third = TestJourney(-3.5676, 40.4983, at: second.time + 120 * 60_000)
        third.stay(minutes: 90)
        #expect(statuses(ledger([first, second, third]))["FR"] == .transited)
        #expect(statuses(ledger([second, third]))["FR"] == .visited)
    }

    @Test func `windows cut intervals, and their lengths add up`() throws {
        let journey = transfer(minutes: 300)
        let whole = ledger([journey])
        func sum(_ ledger: CountryLedger) -> Int64 {
            ledger.lines.reduce(0) { $0 + $1.millimetres } + ledger.seaMillimetres + ledger.unknownMillimetres
        }
        for hours in [1, 3, 5, 8] as [Int64] {
            let middle = TestJourney.morning + hours * 3_600_000
            let parts = [ledger([journey], to: middle), ledger([journey], from: middle)]
            #expect(abs(parts.reduce(0) { $0 + sum($1) } - sum(whole)) < 20, "\(hours)")
        }
        #expect(ledger([journey], to: TestJourney.morning).lines.isEmpty)
        let begin = ledger([journey], to: TestJourney.morning + 30 * 60_000)
        #expect(statuses(begin) == ["DE": .transited])
        var untimed = TestJourney(6.08, 50.775, at: nil)
        untimed.go(to: 5.75, 50.86, speed: 20)
        #expect(statuses(ledger([untimed])) == ["DE": .transited, "NL": .transited])
        #expect(ledger([untimed]).lines.allSatisfy { $0.dates == nil && $0.days == 0 })
        #expect(ledger([untimed], from: 0).lines.isEmpty)
    }

    @Test func `regions have a status of their own`() throws {
        // From Munich through Thuringia to Leipzig, with a stay there.
        var journey = TestJourney(11.58, 48.14)
        journey.stay(minutes: 70)
        journey.go(to: 11.58, 50.60, speed: 33, every: 10)
        journey.go(to: 12.37, 51.34, speed: 33, every: 10)
        journey.stay(minutes: 70)
        let ledger = ledger([journey], by: .region)
        let regions = Dictionary(
            ledger.lines.map { ($0.region.flatMap { Gazetteer.embedded.regionName($0) } ?? "", $0.status) },
            uniquingKeysWith: { max($0, $1) })
        #expect(regions["Bavaria"] == .visited && regions["Saxony"] == .visited && regions["Thuringia"] == .transited)
        #expect(statuses(self.ledger([journey])) == ["DE": .visited])
        // The intervals of the country are by region in both.
        #expect(ledger.intervals.count >= 3 && self.ledger([journey]).intervals.count == ledger.intervals.count)
        #expect(ledger.lines.reduce(0) { $0 + $1.millimetres } == journey.rows(gap: .standard).millimetres)
    }

    @Test(arguments: 1...5) func `the order of rows does not matter`(seed: Int) {
        var numbers = SeededRandom(seed: seed)
        var journeys: [TestJourney] = []
        for index in 0..<8 {
            var journey = TestJourney(
                Double.random(in: 4...8, using: &numbers), Double.random(in: 49...52, using: &numbers),
                at: TestJourney.morning + Int64(index) * 5 * 3_600_000)
            for _ in 0..<3 {
                journey.go(
                    to: Double.random(in: 4...8, using: &numbers), Double.random(in: 49...52, using: &numbers),
                    speed: 30, every: 60)
                journey.stay(minutes: Double.random(in: 0...90, using: &numbers))
            }
            journeys.append(journey)
        }
        guard let calendar = DayCalendar(zone: "UTC") else { return }
        var entries = journeys.enumerated().flatMap { number, journey in
            journey.rows().map { LedgerEntry(person: Int64(number % 2), track: Int64(number), row: $0) }
        }
        let list = CountryList(.ne)
        let first = CountryLedger(entries, countries: list, calendar: { _ in calendar })
        for _ in 0..<3 {
            entries.shuffle(using: &numbers)
            let again = CountryLedger(entries, countries: list, calendar: { _ in calendar })
            #expect(again.lines == first.lines && again.intervals == first.intervals)
        }
        #expect(first.lines.count >= 3)
    }
}
