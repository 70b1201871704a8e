import Statistics
import Testing
import Text

@Suite struct PeriodTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) -> Int32 {
        Int32(CivilDay.days(year, month, day) ?? 0)
    }

    /// Dates and weeks of ISO 8601, from the standard's rules for the ends of years.
    @Test(arguments: [
        (2024, 1, 1, "2024-W01"), (2023, 1, 1, "2022-W52"), (2021, 1, 3, "2020-W53"), (2021, 1, 4, "2021-W01"),
        (2020, 12, 31, "2020-W53"), (2018, 12, 31, "2019-W01"), (2016, 1, 1, "2015-W53"), (1969, 12, 31, "1970-W01"),
        (2024, 12, 30, "2025-W01"), (2026, 12, 31, "2026-W53"),
    ]) func `weeks are those of ISO 8601`(year: Int, month: Int, date: Int, week: String) {
        let period = Period(.week, containing: day(year, month, date))
        #expect(period.text == week)
        #expect(Period.weekday(of: period.firstDay) == 1)
    }

    @Test(arguments: PeriodLength.allCases)
    func `every day belongs to one period, and periods follow each other`(length: PeriodLength) {
        var period = Period(length, containing: day(1967, 12, 31))
        for number in day(1967, 12, 31)...day(2033, 3, 1) {
            let own = Period(length, containing: number)
            if own != period {
                #expect(own == period.next && own.firstDay == number && period.lastDay == number - 1)
                #expect(own.text > period.text)
                period = own
            }
            #expect(own.firstDay <= number && number <= own.lastDay)
        }
    }

    @Test func `periods have the names of ISO 8601`() {
        let number = day(2024, 5, 9)
        #expect(
            PeriodLength.allCases.map { Period($0, containing: number).text } == [
                "2024-05-09", "2024-W19", "2024-05", "2024",
            ])
        #expect(Period.weekday(of: number) == 4 && Period.weekday(of: day(1969, 12, 28)) == 7)
    }
}
