import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

@Suite struct TrackRasterTests {
    private func days(
        _ points: [PlaceInTime], zone: String = "UTC", gap: GapRule = .standard
    ) throws -> [TrackRaster.Day] {
        var raster = TrackRaster()
        var sorter = CodeSorter()
        raster.add([PointColumns.degrees(points)].daySteps(zone: zone, gap: gap), using: &sorter) { _ in
            Issue.record("a short track has no overflow")
        }
        return raster.finish(using: &sorter)
    }

    @Test func `a line over midnight is cut there and loses no cell`() throws {
        let midnight: Int64 = 20_000 * 86_400_000
        let line = try days([(10, 50, midnight - 60_000), (10.01, 50.004, midnight + 30_000)])
        #expect(line.map(\.day) == [19_999, 20_000])
        let whole = try days([(10, 50, midnight + 1), (10.01, 50.004, midnight + 2000)])
        let union = Set(line.flatMap(\.cells))
        #expect(abs(union.count - whole[0].cells.count) <= 2)
        #expect(Double(line[0].cells.count) / Double(union.count) > 0.6)
    }

    @Test(arguments: [GapRule.none, .pause(milliseconds: .max), .standard])
    func `a step of more than a year joins nothing, whatever the gap rule`(gap: GapRule) throws {
        let firstYear: Int64 = -62_135_596_800_000
        let lastYear: Int64 = 253_402_300_799_000
        let found = try days([(10, 50, firstYear), (10.1, 50, lastYear)], gap: gap)
        #expect(found.map(\.cells.count) == [1, 1])
    }

    @Test func `days are those of the time zone`() throws {
        let evening: Int64 = 20_000 * 86_400_000 - 3_600_000
        #expect(try days([(10, 50, evening)], zone: "UTC").map(\.day) == [19_999])
        #expect(try days([(10, 50, evening)], zone: "Asia/Tokyo").map(\.day) == [20_000])
    }

    @Test func `a line with an untimed end belongs to the untimed person-day, and timed points keep their day`() throws
    {
        let found = try days([(10, 50, 1000), (10.01, 50, nil), (10.02, 50, 90_000)])
        #expect(found.map(\.day) == [FragmentOrder.untimedDay, 0])
        #expect(found[1].cells.count == 2)
    }

    @Test func `far untimed steps are lines until their sum exceeds the limit`() throws {
        // From pole to pole and back, 20,000 km each: the fifth step is the last line.
        let there = (0..<9).map { (lon: 10.0, lat: $0 % 2 == 0 ? -85.0 : 85.0, time: Int64?.none) }
        var scan = OutlierDetector(gap: .standard, kind: .file(longSegments: []), outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        scan.add(.degrees(there), into: &classified)
        scan.finish(into: &classified)
        #expect(
            classified.map { $0.connection == .continues } == [
                false, true, true, true, true, true, false, false, false,
            ])
    }

    @Test func `a day too large for memory is returned in portions, which the arena unites`() throws {
        // More tiles than are held at once: nine for each step of 5 km.
        let points = (0..<1000).map { step in
            (lon: Double(step) * 0.05, lat: step % 2 == 0 ? -0.005 : 0.005, time: Int64?.none)
        }
        var raster = TrackRaster(cellLimit: 100_000)
        var sorter = CodeSorter()
        var days: [TrackRaster.Day] = []
        raster.add([PointColumns.degrees(points)].daySteps(gap: .standard), using: &sorter) { days.append($0) }
        days += raster.finish(using: &sorter)
        #expect(days.count > 1)
        var arena = CellArena()
        for day in days { _ = arena.add(day, track: 4, person: 1) }
        var whole = CellArena()
        let cells = Set(days.flatMap(\.cells)).sorted()
        _ = whole.add(TrackRaster.Day(day: FragmentOrder.untimedDay, cells: cells, longSteps: []), track: 4, person: 1)
        var run = ArenaRun<CellDeltas>([arena.fragments])
        var expected = ArenaRun<CellDeltas>([whole.fragments])
        while let tile = expected.nextTile {
            #expect(run.nextTile == tile)
            #expect(run.takeLog() == expected.takeLog())
        }
        #expect(run.nextTile == nil)
    }

    @Test func `an impossible step is not joined and a lone point is one cell`() throws {
        let found = try days([(10, 50, 0), (20, 50, 1000), (20, 50, 2000)])
        #expect(found[0].cells.count == 2)
    }

    @Test func `the cells at every zoom level are the cells of zoom level 16, shifted`() throws {
        let day = try days([(10, 50, 0), (10.05, 50.01, 3_600_000)])[0]
        var arena = CellArena()
        let deepest = arena.add(day, track: 4, person: 1)
        #expect(deepest == Set(day.cells.map { $0 >> 16 | 16 << 32 }).sorted())
        var run = ArenaRun<CellDeltas>([arena.fragments])
        var byZoom: [Int: Set<UInt64>] = [:]
        while let tile = run.nextTile {
            let log = run.takeLog()
            let key = try #require(TileKey(packed: tile))
            var reader = TileReader()
            let counts = reader.counts(log: log.span, .everything)
            #expect(counts.counts.allSatisfy { $0 == 1 })
            for cell in counts.cells { byZoom[key.zoom, default: []].insert(key.morton << 16 | UInt64(cell)) }
        }
        for zoom in 0...16 {
            #expect(byZoom[zoom] == Set(day.cells.map { $0 >> UInt64(2 * (16 - zoom)) }))
        }
    }
}
