import Statistics
import TestSupport
import Testing

@Suite struct EddingtonTests {
    @Test(arguments: 0..<40)
    func `the number and the missing days are those of the definition`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lengths = (0..<random.below(120)).map { _ in
            Int64(random.below(seed % 2 == 0 ? 100 : 12) * 1_000_000 + random.below(999_999))
        }
        for unit in [EddingtonNumber.kilometre, EddingtonNumber.mile] {
            let found = EddingtonNumber(millimetresOfDays: lengths, unit: unit)
            func count(_ units: Int) -> Int { lengths.filter { $0 >= Int64(units) * unit }.count }
            #expect(count(found.number) >= found.number)
            #expect(count(found.number + 1) < found.number + 1)
            #expect(found.missing == found.number + 1 - count(found.number + 1))
        }
    }

    @Test func `no days, short days and endless days have a number`() {
        #expect(EddingtonNumber(millimetresOfDays: [], unit: 1_000_000).number == 0)
        #expect(EddingtonNumber(millimetresOfDays: [], unit: 1_000_000).missing == 1)
        #expect(EddingtonNumber(millimetresOfDays: [999_999, 0], unit: 1_000_000).number == 0)
        let long = EddingtonNumber(millimetresOfDays: [.max, .max, 2_000_000], unit: 1_000_000)
        #expect(long.number == 2 && long.missing == 1)
    }

    @Test func `streaks are runs of days`() {
        let streak = Streak(ofDays: [5, 1, 2, 3, 9, 8, 7, 2], today: 10)
        #expect(streak.longest == 3 && streak.firstDay == 7 && streak.lastDay == 9 && streak.current == 3)
        #expect(Streak(ofDays: [5, 6], today: 6).current == 2)
        #expect(Streak(ofDays: [5, 6], today: 8).current == 0)
        #expect(Streak(ofDays: [], today: 8).longest == 0 && Streak(ofDays: [], today: 8).firstDay == nil)
        #expect(Streak(ofDays: [.max, .min], today: 0).longest == 1)
    }
}
