import Statistics
import TestSupport
import Testing
import Tracks

@Suite struct TotalsReportTests {
    private func days(_ count: Int, from first: Int32, _ random: inout SeededRandom) -> [DayTotals] {
        (0..<count).map { index in
            var day = DayTotals(day: first + Int32(index))
            day.millimetres = random.below(80_000_000)
            day.milliseconds = random.below(40_000_000)
            day.movingMilliseconds = random.below(30_000_000)
            day.climbCentimetres = random.below(200_000)
            return day
        }
    }

    private func tracks(_ random: inout SeededRandom) -> [TrackTotals] {
        (0..<400).map { _ in
            let first = Int32(19_000) + random.below(900)
            var days = days(1 + random.below(3), from: first, &random)
            if random.once(in: 20) { days.insert(DayTotals(day: nil), at: 0) }
            let words = ["run", "running", "ride", "golf", ""]
            return TrackTotals(
                person: 1 + random.below(2), activity: words[random.below(words.count)], days: days)
        }
    }

    private func report(_ tracks: [TrackTotals], by length: PeriodLength, from: Int32? = nil, to: Int32? = nil)
        -> TotalsReport
    {
        var builder = TotalsReportBuilder(by: length, from: from, to: to)
        for track in tracks { builder.add(track) }
        return builder.report(today: 19_950)
    }

    @Test(arguments: 0..<5)
    func `the sums of days, weeks, months and years are the total, in any order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tracks = tracks(&random)
        let whole = report(tracks, by: .day)
        for length in PeriodLength.allCases {
            tracks.shuffle(using: &random)
            let report = report(tracks, by: length)
            #expect(report.total == whole.total && report.untimed == whole.untimed)
            #expect(report.streak == whole.streak && report.eddington == whole.eddington)
            #expect(report.rows.reduce(0) { $0 + $1.totals.millimetres } == report.total.millimetres)
            #expect(report.rows.reduce(0) { $0 + $1.totals.milliseconds } == report.total.milliseconds)
            #expect(report.rows.reduce(0) { $0 + $1.totals.movingMilliseconds } == report.total.movingMilliseconds)
            #expect(report.rows.reduce(0) { $0 + $1.totals.climbCentimetres } == report.total.climbCentimetres)
            #expect(report.rows.reduce(0) { $0 + $1.totals.days } == report.total.days)
            #expect(report.activities.reduce(0) { $0 + $1.totals.millimetres } == report.total.millimetres)
            #expect(report.activities.reduce(0) { $0 + $1.totals.tracks } == report.total.tracks)
            #expect(report.total.tracks == 400)
        }
        #expect(Set(whole.activities.map(\.activity)) == [.run, .ride, .other, nil])
    }

    @Test func `a track counts once in each period that it has a part in`() {
        var random = SeededRandom(seed: 1)
        // 19722 is 2023-12-31.
        let track = TrackTotals(person: 1, activity: "", days: days(2, from: 19_722, &random))
        let years = report([track], by: .year)
        #expect(years.rows.map(\.period.text) == ["2023", "2024"] && years.rows.map(\.totals.tracks) == [1, 1])
        #expect(years.total.tracks == 1 && years.total.days == 2)
        #expect(report([track], by: .week).rows.count == 2)
    }

    @Test func `a window takes its days only, and nothing without time`() {
        var random = SeededRandom(seed: 2)
        let tracks = tracks(&random)
        let days = report(tracks, by: .day)
        let window = report(tracks, by: .day, from: 19_100, to: 19_130)
        #expect(
            window.rows.map(\.totals)
                == days.rows.filter { (19_100...19_130).contains($0.period.firstDay) }.map(\.totals))
        #expect(window.untimed == Totals() && days.untimed.tracks > 0)
        #expect(report([], by: .month).rows.isEmpty && report([], by: .month).total == Totals())
    }

    @Test func `totals survive their encoding`() {
        var random = SeededRandom(seed: 3)
        for var track in tracks(&random) {
            track.activity = "course à pied"
            track.days.append(DayTotals(day: .max))
            let bytes = track.encoded
            #expect(TrackTotals(decoding: bytes.span) == track)
            track.ends = TrackEnds(
                startLongitude: -1_800_000_000, startLatitude: .random(in: -900_000_000...900_000_000, using: &random),
                endLongitude: 1_800_000_000, endLatitude: .random(in: -900_000_000...900_000_000, using: &random))
            let longer = track.encoded
            #expect(TrackTotals(decoding: longer.span) == track)
            for count in 0..<min(longer.count, 44) { _ = TrackTotals(decoding: Array(longer.prefix(count)).span) }
            // Damage must not trap.
            for count in 0..<min(bytes.count, 24) { _ = TrackTotals(decoding: Array(bytes.prefix(count)).span) }
        }
    }

    @Test func `a review of a year names what stands out`() throws {
        var tracks: [TrackTotals] = []
        for (index, (day, metres)) in [(19_723, 10), (19_724, 30), (19_730, 20), (19_800, 25), (20_500, 99)]
            .enumerated()
        {
            var totals = DayTotals(day: Int32(day))
            totals.millimetres = Int64(metres) * 1000
            tracks.append(TrackTotals(person: 1, activity: index == 0 ? "run" : "ride", days: [totals]))
        }
        var builder = YearReviewBuilder(year: 2024, firstDay: 19_723)
        for (number, track) in tracks.enumerated() { builder.add(track, number: Int64(number)) }
        let review = builder.review(today: 20_600)
        #expect(review.total.millimetres == 85_000 && review.total.tracks == 4 && review.total.days == 4)
        #expect(review.biggestDay?.day == 19_724 && review.longestTrack?.number == 1)
        #expect(review.mostActiveMonth?.period.text == "2024-01" && review.mostActiveMonth?.totals.days == 3)
        // 2024-01-01 was a Monday, so was 2024-01-08 (19730); 19800 is another Monday.
        #expect(review.mostActiveWeekday == 1 && review.weekdays[0].days == 3)
        #expect(review.streak.longest == 2 && review.streak.current == 0)
        #expect(review.activities.map(\.activity) == [.ride, .run])
    }
}
