import Countries
import Statistics
import TestSupport
import Testing
import Text
import Tracks

@Suite struct TrackFiguresTests {
    private let berlin = DayCalendar(zone: "Europe/Berlin")

    /// The totals of a file's recording, and its length as the primary store measures it.
    private func totals(
        _ chunks: [PointColumns], gap: GapRule = .standard, isStream: Bool = false, _ calendar: DayCalendar
    ) -> (days: [DayTotals], metres: Double, ends: TrackEnds?) {
        let outlierRule = OutlierRule.standard
        var measure = TrackSummaryBuilder(gap: gap, isStream: isStream, outlierRule: outlierRule)
        for chunk in chunks { measure.add(chunk) }
        let summary = measure.finish()
        var detector = summary.detector(gap: gap, isStream: isStream, outlierRule: outlierRule)
        var fields = ClassifiedFields()
        var builder = TrackFiguresBuilder(calendar: calendar)
        for chunk in chunks {
            var classified: [ClassifiedPoint] = []
            fields.take(DrawnFields(chunk))
            detector.add(chunk, into: &classified)
            builder.add(classified, fields)
        }
        var classified: [ClassifiedPoint] = []
        detector.finish(into: &classified)
        builder.add(classified, fields)
        let figures = builder.finish()
        return (figures.days, summary.metres, figures.ends)
    }

    /// Points going east along a parallel, one a second, `step` 1e-7° apart, beginning at an instant in seconds.
    private func walk(
        from start: Int64, count: Int, every seconds: Int64 = 1, step: Int64 = 200, elevations: [Int64]? = nil
    ) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 7), longitudes: (0..<count).map { 130_000_000 + Int64($0) * step },
            latitudes: [Int64](repeating: 520_000_000, count: count),
            times: (0..<count).map { (start + Int64($0) * seconds) * 1000 }, segmentStarts: [0],
            fields: elevations.map { [FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, $0))] } ?? [])
    }

    @Test func `a track begins and ends at points that are no outliers`() throws {
        let berlin = try #require(berlin)
        func file(_ longitudes: [Int64], timed: Bool = true) -> TrackEnds? {
            let times = longitudes.indices.map { timed ? 1_700_000_000_000 + Int64($0) * 1000 : PointColumns.untimed }
            // A point at 0° is at 0,0: a receiver without reception.
            let latitudes = longitudes.map { $0 == 0 ? 0 : 520_000_000 + $0 / 1000 }
            return totals(
                [
                    PointColumns(
                        unit: .decimal(places: 7), longitudes: longitudes, latitudes: latitudes, times: times,
                        segmentStarts: [0])
                ], berlin
            ).ends
        }
        func ends(_ start: Int32, _ end: Int32) -> TrackEnds {
            TrackEnds(
                startLongitude: start, startLatitude: 520_000_000 + start / 1000, endLongitude: end,
                endLatitude: 520_000_000 + end / 1000)
        }
        #expect(file([130_000_000, 130_000_100, 130_000_200]) == ends(130_000_000, 130_000_200))
        #expect(file([0, 130_000_000, 130_000_100, 130_000_200, 0]) == ends(130_000_000, 130_000_200))
        #expect(file([130_000_000, 130_000_100], timed: false) == ends(130_000_000, 130_000_100))
        #expect(file([130_000_000]) == ends(130_000_000, 130_000_000))
        var builder = TrackFiguresBuilder(calendar: berlin)
        #expect(builder.finish().ends == nil)
    }

    @Test func `a track over midnight is divided by time, on days of both clock changes`() throws {
        let berlin = try #require(berlin)
        for (year, month, date, hours) in [(2024, 3, 31, 23), (2024, 10, 27, 25), (2024, 6, 1, 24)] {
            let day = Int32(try #require(CivilDay.days(year, month, date)))
            let start = berlin.start(ofDay: day) / 1000 - 3600
            // Every ten minutes from an hour before the day until an hour after it.
            let count = (hours + 2) * 6 + 1
            let found = totals([walk(from: start, count: count, every: 600, step: 10_000)], gap: .none, berlin)
            #expect(found.days.map(\.day) == [day - 1, day, day + 1])
            #expect(found.days.map(\.milliseconds) == [3_600_000, Int64(hours) * 3_600_000, 3_600_000])
            #expect(abs(Double(found.days.reduce(0) { $0 + $1.millimetres }) / 1000 - found.metres) < 0.003)
            let speed = found.metres / Double(hours + 2)
            for (part, hours) in zip(found.days, [1, hours, 1]) {
                #expect(abs(Double(part.millimetres) / 1000 - speed * Double(hours)) < 0.01)
            }
        }
    }

    @Test func `moving time is that of steps of half a metre a second`() throws {
        let berlin = try #require(berlin)
        // 200 × 1e-7° are 1.37 m here: at once a second 1.37 m/s, every third second 0.46 m/s.
        #expect(totals([walk(from: 1_700_000_000, count: 11)], berlin).days[0].movingMilliseconds == 10_000)
        #expect(totals([walk(from: 1_700_000_000, count: 11, every: 3)], berlin).days[0].movingMilliseconds == 0)
        let slow = totals([walk(from: 1_700_000_000, count: 11, every: 3)], berlin)
        #expect(slow.days[0].milliseconds == 30_000 && slow.days[0].millimetres > 13_000)
    }

    /// Elevations in decimetres, and the climb in centimetres.
    @Test(arguments: [
        [0, 49, 0, 49, 0, 49, 0], [0, 50, 0, 50, 1000], [0, 20, 40, 60, 80, 100, 1000],
        [1000, 1049, 950, 1001, 1002, 520], [0, 100, 60, 150, 100, 120, 1500],
        [FieldColumn.absent, 0, FieldColumn.absent, 100, 1000], [7, 0],
    ]) func `a climb is the sum of rises between turning points at least five metres apart`(numbers: [Int64]) throws {
        let elevations = Array(numbers.dropLast())
        let climb = try #require(numbers.last)
        let berlin = try #require(berlin)
        let chunk = walk(from: 1_700_000_000, count: elevations.count, elevations: elevations)
        #expect(totals([chunk], berlin).days[0].climbCentimetres == climb)
        // In chunks of one point, the fields of undecided points are those of earlier chunks.
        let single = (0..<chunk.count).map { index in
            PointColumns(
                unit: chunk.unit, longitudes: [chunk.longitudes[index]], latitudes: [chunk.latitudes[index]],
                times: [chunk.times[index]], segmentStarts: index == 0 ? [0] : [],
                fields: [
                    FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, [elevations[index]]))
                ])
        }
        #expect(totals(single, berlin).days == totals([chunk], berlin).days)
    }

    @Test func `a line with an untimed end belongs to no day, at either end of the track`() throws {
        let berlin = try #require(berlin)
        var chunk = walk(from: 1_700_000_000, count: 12, step: 1000)
        (chunk.times[0], chunk.times[11]) = (PointColumns.untimed, PointColumns.untimed)
        let found = totals([chunk], berlin).days
        #expect(found.map(\.day).count == 2 && found[0].day == nil)
        let step = found[1].millimetres / 9
        #expect(abs(found[0].millimetres - 2 * step) <= 10)
    }

    @Test func `a rise over midnight counts on the day of its highest point`() throws {
        let berlin = try #require(berlin)
        // From 23:59:50 in Berlin.
        let chunk = walk(from: 1_700_002_790, count: 21, elevations: (0...20).map { 1000 + $0 * 10 })
        let found = totals([chunk], berlin).days
        #expect(found.map(\.climbCentimetres) == [0, 2000])
    }

    @Test func `a gap is no movement, and its days have the time up to midnight`() throws {
        let berlin = try #require(berlin)
        let first = walk(from: 1_700_000_000, count: 11)
        // Two days later, in another segment: 1,700,000,000 is 23:13:20 in Berlin.
        let second = walk(from: 1_700_172_800, count: 11)
        let found = totals([first, second], berlin)
        #expect(found.days.count == 2 && found.days[0].movingMilliseconds == 10_000)
        #expect(found.days[0].milliseconds == 2_800_000)
        #expect(abs(Double(found.days.reduce(0) { $0 + $1.millimetres }) / 1000 - found.metres) < 0.002)
    }

    @Test func `points without time have totals without a day`() throws {
        let berlin = try #require(berlin)
        var chunk = walk(from: 1_700_000_000, count: 11)
        chunk.times[10] = PointColumns.untimed
        let found = totals([chunk], berlin)
        #expect(found.days.map(\.day) == [nil, berlin.day(of: 1_700_000_000_000)])
        #expect(found.days[0].millimetres > 1000 && found.days[0].milliseconds == 0)
        #expect(abs(Double(found.days.reduce(0) { $0 + $1.millimetres }) / 1000 - found.metres) < 0.002)
    }

    @Test(arguments: 0..<30)
    func `the days of any track add up to its length`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let calendar = try #require(DayCalendar(zone: ["Europe/Berlin", "Pacific/Apia", "UTC"][Int(seed % 3)]))
        var chunks: [PointColumns] = []
        var time: Int64 = 1_300_000_000_000 + random.below(100_000_000_000)
        var place: (Int64, Int64) = (Int64(random.below(3_000_000_000)) - 1_500_000_000, 300_000_000)
        for _ in 0..<4 {
            var (longitudes, latitudes, times): ([Int64], [Int64], [Int64]) = ([], [], [])
            for _ in 0..<(1 + random.below(300)) {
                // Pauses, steps back in time, outliers and points without time.
                time += random.once(in: 40) ? random.below(200_000_000) : random.below(20_000)
                if random.once(in: 50) { time -= random.below(90_000_000) }
                place.0 += Int64(random.below(4000)) - 1900
                place.1 += Int64(random.below(4000)) - 1900
                let isOutlier = random.once(in: 60)
                longitudes.append(isOutlier ? place.0 / 2 : place.0)
                latitudes.append(place.1)
                times.append(random.once(in: 70) ? PointColumns.untimed : time)
            }
            chunks.append(
                PointColumns(
                    unit: .decimal(places: 7), longitudes: longitudes, latitudes: latitudes, times: times,
                    segmentStarts: random.once(in: 2) || chunks.isEmpty ? [0] : [], fields: []))
        }
        for gap in [GapRule.standard, .none] {
            let found = totals(chunks, gap: gap, calendar)
            let metres = Double(found.days.reduce(0) { $0 + $1.millimetres }) / 1000
            #expect(abs(metres - found.metres) <= found.metres * 1e-7 + 0.001 * Double(found.days.count))
            for day in found.days {
                #expect(day.movingMilliseconds >= 0 && day.millimetres >= 0)
                if let number = day.day {
                    let length = calendar.timeRanges(ofDay: number).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
                    #expect(day.milliseconds >= 0 && day.milliseconds <= length)
                }
            }
            #expect(found.days.map { $0.day ?? .min } == found.days.map { $0.day ?? .min }.sorted())
        }
    }
}
