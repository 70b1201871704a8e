import Journeys
import Statistics
import TestSupport
import Testing
import Tracks

@Suite struct FocusTimeTests {
    private func session(_ start: Int64, _ seconds: Int) -> FocusSession {
        FocusSession(id: "\(start)", person: nil, start: start, seconds: seconds)
    }

    @Test func `a reward is granted at the second at which its hours are full, once`() {
        let time = FocusTime([session(0, 3000), session(10_000_000, 599), session(20_000_000, 1)])
        #expect(time.milliseconds(at: 30_000_000) == 3_600_000)
        #expect(time.instant(ofHours: 1, now: 20_000_999) == nil)
        #expect(time.instant(ofHours: 1, now: 20_001_000) == 20_001_000)
        #expect(time.instant(ofHours: 1, now: .max / 2) == 20_001_000)
        // One second less is not enough.
        #expect(FocusTime([session(0, 3000), session(10_000_000, 599)]).instant(ofHours: 1, now: .max / 2) == nil)
        // Within a session, but not before it can be cancelled no more.
        let early = FocusTime([session(0, 3598), session(10_000_000, 3600)])
        #expect(early.instant(ofHours: 1, now: 10_009_999) == nil)
        #expect(early.instant(ofHours: 1, now: 10_010_000) == 10_010_000)
        var cancelled = session(5_000_000, 86_400)
        cancelled.isCancelled = true
        #expect(FocusTime([cancelled]).instant(ofHours: 1, now: .max / 2) == nil)
    }

    @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Africa/Cairo", "UTC"])
    func `sums by day, week, month and year agree over midnight and changes of summer time`(zone: String) throws {
        let calendar = try #require(DayCalendar(zone: zone))
        var random = SeededRandom(seed: 3)
        // Around both changes of 2025 in Europe, the changes elsewhere, and the day that Samoa skipped in 2011.
        let sessions = [1_743_292_800, 1_761_436_800, 1_741_500_000, 1_762_000_000, 1_325_150_000].flatMap { around in
            (0..<60).map { _ in
                session(
                    (around + Int64(random.below(200_000))) * 1000 + Int64(random.below(1000)), 1 + random.below(86_400)
                )
            }
        }
        let whole = sessions.reduce(0) { $0 + Int64($1.seconds) * 1000 }
        let sums = PeriodLength.allCases.map {
            FocusStatistics(sessions, by: $0, in: calendar, at: .max / 2)
        }
        for sum in sums {
            #expect(sum.milliseconds == whole && sum.sessions == sessions.count)
            #expect(sum.rows.map(\.period) == sum.rows.map(\.period).sorted())
        }
        // Each day's sum is what of the sessions lies in its ranges.
        for row in sums[0].rows {
            let inside = calendar.timeRanges(ofDay: row.period.firstDay).reduce(Int64(0)) { sum, range in
                sum
                    + sessions.reduce(Int64(0)) {
                        $0 + max(0, min($1.end, range.upperBound) - max($1.start, range.lowerBound))
                    }
            }
            #expect(row.milliseconds == inside, "\(zone) \(row.period.text)")
        }
        // What runs counts up to now, unless it can still be cancelled.
        let one = [session(1_743_292_800_000, 3600)]
        #expect(FocusStatistics(one, by: .day, in: calendar, at: 1_743_292_810_000).rows.isEmpty)
        #expect(FocusStatistics(one, by: .day, in: calendar, at: 1_743_292_860_000).milliseconds == 60_000)
    }
}
