import Countries
import Statistics
import TestSupport
import Testing
import Tracks

@Suite struct MinuteClaimsTests {
    private let calendar = DayCalendar(zone: "Europe/Berlin")

    /// A track of points some seconds apart that goes 10 m in each second; from a time in seconds.
    private func track(
        _ number: Int64, from start: Int64, count: Int, every seconds: Int64 = 10, metresPerSecond: Double = 10,
        activity: String = "ride", longitude: Int64 = 130_000_000
    ) throws -> MinuteClaims.Claimant {
        let calendar = try #require(calendar)
        let points = (0..<count).map { index in
            TestPoint(
                longitude: longitude,
                latitude: 520_000_000 + Int64(Double(Int64(index) * seconds) * metresPerSecond * 90),
                time: (start + Int64(index) * seconds) * 1000,
                elevation: Int64(4000 + index * 3))
        }
        let chunk = points.chunks()[0]
        var measure = TrackSummaryBuilder(gap: .standard, isStream: false, outlierRule: .standard)
        measure.add(chunk)
        var detector = measure.finish().detector(gap: .standard, isStream: false, outlierRule: .standard)
        var builder = TrackFiguresBuilder(calendar: calendar)
        var fields = ClassifiedFields()
        fields.take(DrawnFields(chunk))
        var classified: [ClassifiedPoint] = []
        detector.add(chunk, into: &classified)
        detector.finish(into: &classified)
        builder.add(classified, fields)
        let figures = builder.finish()
        var encoder = TrackMinutes.Encoder()
        for minute in figures.minutes { encoder.append(minute) }
        return MinuteClaims.Claimant(
            number: number,
            totals: TrackTotals(person: 1, activity: activity, ends: figures.ends, days: figures.days),
            minutes: encoder.bytes, rowDays: figures.ledger.map(\.day))
    }

    private func sum(_ settled: [MinuteClaims.Settled]) -> (DayTotals, ledger: Int64) {
        var sum = DayTotals(day: 0)
        for day in settled.flatMap(\.days) {
            sum.millimetres += day.millimetres
            sum.milliseconds += day.milliseconds
            sum.movingMilliseconds += day.movingMilliseconds
            sum.climbCentimetres += day.climbCentimetres
        }
        return (sum, settled.flatMap(\.millimetres).reduce(0, +))
    }

    @Test func `a ride that two devices record counts once`() throws {
        let phone = try track(1, from: 1_717_400_000, count: 361)
        let watch = try track(
            2, from: 1_717_400_007, count: 361, every: 10, metresPerSecond: 10.1, longitude: 130_000_300)
        let own = sum(MinuteClaims.settle([watch])).0
        let (both, ledger) = sum(MinuteClaims.settle([phone, watch]))
        // The phone began before: at most a minute more.
        #expect(both.millimetres >= own.millimetres && both.millimetres < own.millimetres + 700_000)
        #expect(both.millimetres == ledger)
        #expect(both.milliseconds == 3_607_000)
        #expect(both.movingMilliseconds <= 3_607_000)
        #expect(both.climbCentimetres >= own.climbCentimetres && both.climbCentimetres < own.climbCentimetres * 11 / 10)
    }

    @Test func `the order of tracks makes no difference, and neither do their numbers`() throws {
        let tracks = [
            try track(1, from: 1_717_400_000, count: 361), try track(2, from: 1_717_401_000, count: 361),
            try track(3, from: 1_717_400_500, count: 700, every: 3, metresPerSecond: 4),
            try track(4, from: 1_717_450_000, count: 5),
        ]
        let expected = MinuteClaims.settle(tracks).map { "\($0.days) \($0.millimetres)" }
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            let shuffled = order.map { index in
                var track = tracks[index]
                track.number = 10 - track.number
                return track
            }
            let settled = MinuteClaims.settle(shuffled)
            for (position, index) in order.enumerated() {
                #expect("\(settled[position].days) \(settled[position].millimetres)" == expected[index])
            }
        }
    }

    @Test func `tracks that do not overlap count whole, and are groups of their own`() throws {
        let tracks = [
            try track(1, from: 1_717_400_000, count: 61), try track(2, from: 1_717_404_000, count: 61),
            try track(3, from: 1_717_400_300, count: 5),
        ]
        #expect(MinuteClaims.groups(tracks.map { ($0.number, $0.totals) }) == [[0, 2], [1]])
        #expect(MinuteClaims.settle([tracks[1]])[0].days == tracks[1].totals.days)
        #expect(MinuteClaims.settle([tracks[1]])[0].millimetres.reduce(0, +) == tracks[1].totals.days[0].millimetres)
    }

    @Test func `files that follow each other share a minute, but no time`() throws {
        // A camera that begins a file each minute, at 20 seconds past.
        let files = try (0..<10).map { try track(Int64($0), from: 1_717_400_000 + Int64($0) * 60, count: 61, every: 1) }
        #expect(files[0].totals.days[0].start / 1000 % 60 == 20)
        #expect(MinuteClaims.groups(files.map { ($0.number, $0.totals) }).count == 10)
        let whole = files.reduce(0) { $0 + $1.totals.days[0].millimetres }
        // Also if something else makes them one group.
        let other = try track(99, from: 1_717_399_990, count: 3, every: 600, metresPerSecond: 0.01)
        let settled = MinuteClaims.settle(files + [other])
        #expect(abs(sum(settled).0.millimetres - whole) < 10_000)
        #expect(settled[..<10].allSatisfy { $0.days[0].millimetres == files[0].totals.days[0].millimetres })
    }

    @Test func `a minute that is claimed in part counts in proportion`() throws {
        let long = try track(1, from: 1_717_400_000, count: 121, every: 1)
        // Begins 30 seconds before the end of the first one.
        let next = try track(2, from: 1_717_400_090, count: 61, every: 1, metresPerSecond: 9)
        let settled = MinuteClaims.settle([next, long])
        #expect(settled[1].days[0] == long.totals.days[0])
        #expect(abs(settled[0].days[0].millimetres - next.totals.days[0].millimetres / 2) < 5000)
        #expect(settled[0].days[0].milliseconds == 30_000)
    }

    @Test func `a climb that two devices record counts once, wherever each of them ends`() throws {
        // Both go up all the time; the second one goes on for half a minute.
        let phone = try track(1, from: 1_717_400_000, count: 361, every: 5)
        let watch = try track(2, from: 1_717_400_000, count: 367, every: 5, metresPerSecond: 9)
        let whole = watch.totals.days[0].climbCentimetres
        let (both, _) = sum(MinuteClaims.settle([phone, watch]))
        #expect(whole > 10_000 && abs(both.climbCentimetres - whole) <= 200)
    }

    @Test func `midnight divides claims as it divides days`() throws {
        // 23:30 in Berlin.
        let start: Int64 = 1_717_363_800
        let long = try track(1, from: start, count: 361)
        // The second one is longer on the second day only.
        let late = try track(2, from: start + 1500, count: 361)
        let settled = MinuteClaims.settle([long, late])
        #expect(long.totals.days.count == 2 && late.totals.days.count == 2)
        #expect(settled[0].days[0] == long.totals.days[0])
        #expect(settled[1].days[1].millimetres == late.totals.days[1].millimetres)
        #expect(settled[1].days[0].millimetres < 61_000 && settled[0].days[1].millimetres < 61_000)
    }

    @Test func `a step of days takes one entry, and can be claimed in part`() throws {
        var log = MinuteLog()
        log.add(metres: 10_000, isMoving: true, from: 30_000, to: 10 * 86_400_000 + 30_000, part: 0)
        let minutes = log.finish { _ in 0 }
        #expect(minutes.count == 3 && minutes[1].count == 14_399)
        #expect(minutes.reduce(0) { $0 + $1.amounts.millimetres } == 10_000_000)
        #expect(minutes.reduce(0) { $0 + $1.amounts.movingMilliseconds } == 10 * 86_400_000)
        var encoder = TrackMinutes.Encoder()
        for minute in minutes { encoder.append(minute) }
        var decoder = TrackMinutes.Decoder(encoder.bytes)
        var decoded: [TrackMinute] = []
        while let minute = decoder.next() { decoded.append(minute) }
        #expect(decoded == minutes)
        for length in 0..<encoder.bytes.count {
            var decoder = TrackMinutes.Decoder(Array(encoder.bytes.prefix(length)))
            while decoder.next() != nil {}
        }
    }

    @Test func `entries of any order and rows are read as they were written`() throws {
        var random = SeededRandom(seed: 7)
        var entries: [TrackMinute] = []
        for _ in 0..<1000 {
            let count = Bool.random(using: &random) ? 1 : Int64.random(in: 1...5000, using: &random)
            entries.append(
                TrackMinute(
                    minute: Int.random(in: 0...9, using: &random) == 0
                        ? nil : .random(in: -1_000_000...1_000_000, using: &random),
                    count: count, row: .random(in: 0...3, using: &random),
                    TrackMinute.Amounts(
                        millimetres: .random(in: 0...1_000_000, using: &random),
                        movingMilliseconds: [0, count * 60_000, 17].randomElement(using: &random) ?? 0,
                        climbCentimetres: [0, 500].randomElement(using: &random) ?? 0)))
        }
        var encoder = TrackMinutes.Encoder()
        for entry in entries { encoder.append(entry) }
        var decoder = TrackMinutes.Decoder(encoder.bytes)
        for entry in entries { #expect(decoder.next() == entry) }
        #expect(decoder.next() == nil)
    }
}
