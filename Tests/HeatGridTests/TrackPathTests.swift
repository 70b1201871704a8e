import Foundation
import TestSupport
import Testing
import Text
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

@Suite struct TrackPathTests {
    /// A random track with all kinds of steps: short, long, back in time, untimed, to 0,0, with gaps, over several
    /// days.
    private func chunks(_ seed: UInt64, from start: Int64) -> [PointColumns] {
        var random = SeededRandom(seed: seed)
        var time = start
        var place = (east: Int64.random(in: -1_800_000_000..<1_800_000_000, using: &random), north: Int64(471_000_000))
        return (0..<3).map { _ in
            var chunk = PointColumns(
                unit: .decimal(places: 7), longitudes: [], latitudes: [], times: [], segmentStarts: [0])
            for index in 0..<120 {
                let kind = Int.random(in: 0..<40, using: &random)
                time += kind == 0 ? 9_000_000 : kind == 1 ? -40_000 : Int64.random(in: 0...700_000, using: &random)
                place.east += Int64.random(in: -4000...5000, using: &random) * (kind == 2 ? 90 : 1)
                place.north += Int64.random(in: -4000...4000, using: &random)
                if place.east >= 1_800_000_000 { place.east -= 3_600_000_000 }
                if kind == 3, index > 0 { chunk.segmentStarts.append(index) }
                chunk.longitudes.append(kind == 4 ? 0 : place.east)
                chunk.latitudes.append(kind == 4 ? 0 : place.north)
                chunk.times.append(kind == 5 ? PointColumns.untimed : time)
            }
            return chunk
        }
    }

    @Test(arguments: [
        ("UTC", "2024-02-28T20:00:00Z"), ("Europe/Berlin", "2024-03-30T12:00:00Z"),
        ("America/New_York", "2024-11-02T12:00:00Z"), ("Pacific/Apia", "2011-12-28T12:00:00Z"),
        // Clocks were set back over midnight here, so that a day occurred twice.
        ("America/St_Johns", "2010-11-06T12:00:00Z"), ("Asia/Kathmandu", "2023-12-31T12:00:00Z"),
    ])
    func `the lines of a day pass through the cells of that day`(zone: String, start: String) throws {
        let calendar = try #require(DayCalendar(zone: zone))
        guard case .instant(let begin)? = DateText(start) else { preconditionFailure("no instant") }
        for seed in UInt64(1)...2 {
            for kind in [OutlierDetector.Kind.stream, .file(longSegments: []), .file(longSegments: Set(0..<100))] {
                for gap in [GapRule.standard, .none, .pause(milliseconds: 300_000)] {
                    var splitter = DaySplitter(
                        calendar: calendar, detector: OutlierDetector(gap: gap, kind: kind, outlierRule: .standard))
                    var steps: [DayStep] = []
                    let chunks = chunks(seed, from: begin)
                    for chunk in chunks { splitter.add(chunk, into: &steps) }
                    splitter.finish(into: &steps)
                    var raster = TrackRaster()
                    var sorter = CodeSorter()
                    raster.add(steps, using: &sorter) { _ in }
                    let days = raster.finish(using: &sorter)
                    #expect(days.count > 2)
                    for day in days where day.day != FragmentOrder.untimedDay {
                        let timeRanges = calendar.timeRanges(ofDay: day.day)
                        var finder = TrackPathBuilder(
                            timeRanges: timeRanges,
                            detector: OutlierDetector(gap: gap, kind: kind, outlierRule: .standard))
                        for chunk in chunks { finder.add(chunk) }
                        let path = finder.finish()
                        let lines = timeRanges.flatMap { path.lines(within: $0) }
                        let cells = PathCells(of: lines)
                        #expect(cells.deepest == day.cells, "seed \(seed), day \(day.day)")
                        #expect(cells.longSteps == day.longSteps, "seed \(seed), day \(day.day)")
                        for (timeRange, line) in timeRanges.flatMap({ timeRange in
                            path.lines(within: timeRange).map { (timeRange, $0) }
                        }) {
                            for place in line {
                                #expect(place.time >= timeRange.lowerBound && place.time <= timeRange.upperBound)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `the ranges of a day together have exactly the cells of the day`() throws {
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        guard case .instant(let begin)? = DateText("2024-10-26T12:00:00Z") else { preconditionFailure("no instant") }
        let day = calendar.day(of: begin) + 1
        let timeRanges = calendar.timeRanges(ofDay: day)
        #expect(timeRanges.count == 2)
        var finder = TrackPathBuilder(
            timeRanges: timeRanges, detector: OutlierDetector(gap: .standard, kind: .stream, outlierRule: .standard))
        for chunk in chunks(4, from: begin) { finder.add(chunk) }
        let path = finder.finish()
        let whole = Set(PathCells(of: timeRanges.flatMap { path.lines(within: $0) }).deepest)
        for timeRange in timeRanges {
            let cells = Set(PathCells(of: path.lines(within: timeRange)).deepest)
            let middle = timeRange.lowerBound + (timeRange.upperBound - timeRange.lowerBound) / 3
            let early = Set(PathCells(of: path.lines(within: timeRange.lowerBound..<middle)).deepest)
            let late = Set(PathCells(of: path.lines(within: middle..<timeRange.upperBound)).deepest)
            #expect(early.isSubset(of: whole) || early.subtracting(whole).count <= 2)
            // A cut moves a line by less than a hundredth of a cell.
            #expect(early.union(late).symmetricDifference(cells).count <= 2)
        }
    }
}

@Suite struct WindowDaysTests {
    private func days(_ zone: String, _ from: String?, _ to: String?) throws -> WindowDays {
        let calendar = try #require(DayCalendar(zone: zone))
        let ends = try [from, to].map { text -> TimeWindow.End? in
            guard let text else { return nil }
            switch try #require(DateText(text)) {
            case .day(let day): return .day(day.daysSince1970)
            case .instant(let instant): return .instant(instant)
            }
        }
        return WindowDays(TimeWindow(from: ends[0], to: ends[1]), in: calendar)
    }

    private func day(_ text: String) throws -> Int32 {
        guard case .day(let day)? = DateText(text) else { preconditionFailure("no day") }
        return day.daysSince1970
    }

    @Test func `a window that begins and ends at midnight has no partial day`() throws {
        let found = try days("America/New_York", "2024-03-10T05:00:00Z", "2024-03-11T04:00:00Z")
        #expect(found.partial.isEmpty)
        #expect(found.whole == DayWindow(from: try day("2024-03-10"), to: try day("2024-03-10")))
    }

    @Test func `a window within a day has one partial day and no whole day`() throws {
        let found = try days("Europe/Berlin", "2024-02-29T10:00:00+01:00", "2024-02-29T11:00:00+01:00")
        #expect(found.whole.days == nil)
        #expect(found.partial.map(\.day) == [try day("2024-02-29")])
        #expect(found.partial.flatMap(\.timeRanges).map { $0.upperBound - $0.lowerBound } == [3_600_000])
        #expect(found.touched == DayWindow(from: try day("2024-02-29"), to: try day("2024-02-29")))
    }

    @Test func `a window over the turn of the year has whole days between two partial days`() throws {
        let found = try days("UTC", "2023-12-30T12:00:00Z", "2024-01-02T00:00:01Z")
        #expect(found.whole == DayWindow(from: try day("2023-12-31"), to: try day("2024-01-01")))
        #expect(found.partial.map(\.day) == [try day("2023-12-30"), try day("2024-01-02")])
    }

    @Test func `days and instants can be mixed, and an open end stays open`() throws {
        let found = try days("UTC", "2024-01-01", "2024-01-03T06:00:00Z")
        #expect(found.whole == DayWindow(from: try day("2024-01-01"), to: try day("2024-01-02")))
        #expect(found.partial.map(\.day) == [try day("2024-01-03")])
        let open = try days("UTC", nil, "2024-01-03T06:00:00Z")
        #expect(open.whole == DayWindow(from: nil, to: try day("2024-01-02")))
        #expect(open.touched == DayWindow(from: nil, to: try day("2024-01-03")))
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "America/St_Johns", "Pacific/Apia", "Pacific/Kwajalein", "UTC",
    ])
    func `the days of a window contain each of its instants exactly once, and no other instant`(zone: String) throws {
        let calendar = try #require(DayCalendar(zone: zone))
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            // From 1965 to 2030, with windows of some days.
            let begin = Int64.random(in: -150_000_000...1_900_000_000, using: &random) * 1000
            let end = begin + Int64.random(in: 1...400_000, using: &random) * 1000
            let found = WindowDays(TimeWindow(from: .instant(begin), to: .instant(end)), in: calendar)
            for probe in 0..<40 {
                let edges = [begin - 1, begin, end - 1, end]
                let instant =
                    probe < 4 ? edges[probe] : begin + Int64.random(in: -90_000_000...500_000_000, using: &random)
                let day = calendar.day(of: instant)
                let isWhole = found.whole.days?.contains(day) == true
                let isCut = found.partial.contains { $0.day == day && $0.timeRanges.contains { $0.contains(instant) } }
                #expect((isWhole || isCut) == (instant >= begin && instant < end), "\(zone) \(begin) \(end) \(instant)")
                #expect(!(isWhole && isCut))
            }
        }
    }
}
