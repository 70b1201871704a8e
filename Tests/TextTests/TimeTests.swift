import Testing
import Text

private func read(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    var reader = InstantReader()
    return reader.instant(bytes.span, bytes.indices)?.milliseconds
}

@Suite struct TimeTests {
    @Test func `Every day of 800 years is its number of days, and its text is read back`() {
        var day: Int32 = -150_000
        var previous = CivilDay(daysSince1970: day - 1)
        while day < 150_000 {
            let date = CivilDay(daysSince1970: day)
            #expect(date.daysSince1970 == day)
            #expect(CivilDay(year: date.year, month: date.month, day: date.day) == date)
            #expect(date.day == previous.day + 1 || date.day == 1)
            if day % 97 == 0 {
                let text = InstantFormatter.text(date)
                #expect(DateText(text) == .day(date))
                #expect(read(text + "T00:00:00Z") == Int64(day) * 86_400_000)
            }
            previous = date
            day += 1
        }
    }

    @Test(arguments: [
        (2023, 2, 29), (2100, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 4, 31), (2024, 1, 0), (10_000, 1, 1),
    ])
    func `There is no such day`(year: Int, month: Int, day: Int) {
        #expect(CivilDay(year: year, month: month, day: day) == nil)
    }

    @Test func `Years are counted as far as days fit in 32 bits, and none overflows`() {
        for day in [Int32.min, Int32.max] {
            let date = CivilDay(daysSince1970: day)
            #expect(CivilDay.days(date.year, date.month, date.day) == Int(day))
        }
        for year in [Int.min, Int.min + 1, -10_000_001, 10_000_001, Int.max] {
            #expect(CivilDay.days(year, 1, 1) == nil)
        }
    }

    @Test(arguments: [-62_135_596_800_000, -1, 0, 1, 999, 1000, 1_743_321_600_001, 253_402_300_799_999] as [Int64])
    func `Both readers understand what the formatter writes`(instant: Int64) {
        let text = InstantFormatter.utc(instant)
        #expect(read(text) == instant)
        #expect(DateText(text) == .instant(instant))
    }

    @Test func `Digits beyond milliseconds are rounded in files and cut in windows`() {
        #expect(read("2025-03-30T08:00:00.9999Z") == read("2025-03-30T08:00:01Z"))
        #expect(DateText("2025-03-30T08:00:00.9999Z") == DateText("2025-03-30T08:00:00.999Z"))
    }
}
