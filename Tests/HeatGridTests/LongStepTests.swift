import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

/// Steps that are too long to be drawn at every zoom level.
@Suite struct LongStepTests {
    private func days(_ steps: [DayStep], cellLimit: Int = TrackRaster.defaultCellLimit) -> [TrackRaster.Day] {
        var raster = TrackRaster(cellLimit: cellLimit)
        var sorter = CodeSorter()
        var days: [TrackRaster.Day] = []
        raster.add(steps, using: &sorter) { days.append($0) }
        return days + raster.finish(using: &sorter)
    }

    /// The cells of each zoom level and day, as written by an arena.
    private func cells(_ days: [TrackRaster.Day]) throws -> [Int: [Int32: Set<UInt64>]] {
        var arena = CellArena()
        for day in days { _ = arena.add(day, track: 1, person: 1) }
        var run = ArenaRun<CellDeltas>([arena.fragments])
        var found: [Int: [Int32: Set<UInt64>]] = [:]
        while let tile = run.nextTile {
            let log = run.takeLog()
            let key = try #require(TileKey(packed: tile))
            var reader = LogReader(log.span)
            while let fragment = reader.nextFragment(in: log.span) {
                let cells = CellDeltas.decoded(Array(log[fragment.content]))
                #expect(cells == Set(cells).sorted())
                for cell in cells {
                    found[key.zoom, default: [:]][fragment.order.day, default: []].insert(
                        key.morton << 16 | UInt64(cell))
                }
            }
        }
        return found
    }

    private func world(_ point: PlaceInTime) -> WorldPoint { WorldPoint(longitude: point.lon, latitude: point.lat) }

    private func traced(_ start: PlaceInTime, _ end: PlaceInTime, zoom: Int) -> Set<UInt64> {
        var tracer = CellTracer(zoom: zoom)
        tracer.visitLine(from: world(start), to: world(end))
        var sorter = CodeSorter()
        return Set(tracer.takeSorted(using: &sorter))
    }

    private func cell(_ point: PlaceInTime, zoom: Int) -> UInt64 {
        let place = world(point)
        return Morton.code(x: UInt32(place.x >> Int64(24 - zoom)), y: UInt32(place.y >> Int64(24 - zoom)))
    }

    @Test func `the cells of a line at a coarse zoom level are those of the deepest one, shifted`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            let start = WorldPoint(
                x: .random(in: 0..<WorldPoint.side, using: &random), y: .random(in: 0..<WorldPoint.side, using: &random)
            )
            let reach = Int64(1) << Int64.random(in: 8...24, using: &random)
            let end = WorldPoint(
                x: start.x + Int64.random(in: -reach...reach, using: &random),
                y: start.y + Int64.random(in: -reach...reach, using: &random))
            var sorter = CodeSorter()
            var deepest = CellTracer()
            deepest.visitLine(from: start, to: end)
            let fine = deepest.takeSorted(using: &sorter)
            for zoom in [0, 4, 9, 12, 15] {
                var tracer = CellTracer(zoom: zoom)
                tracer.visitLine(from: start, to: end)
                let coarse = tracer.takeSorted(using: &sorter)
                #expect(Set(coarse) == Set(fine.map { $0 >> UInt64(2 * (16 - zoom)) }))
            }
        }
    }

    @Test(arguments: [
        (8.57, 50.03, -73.78, 40.64), (139.78, 35.55, -118.4, 33.94), (1.0, 1.0, 2.5, 2.4),
        (179.5, -80.0, -179.0, 84.9),
        (10.0, 89.9, -150.0, -89.9), (2.0, 85.0515, 120.0, 85.0515), (20.0, 85.2, 25.0, 40.0),
    ])
    func `a long step has cells down to its deepest zoom level, and only its two ends below that`(
        startLon: Double, startLat: Double, endLon: Double, endLat: Double
    ) throws {
        let (start, end): (PlaceInTime, PlaceInTime) = ((startLon, startLat, nil), (endLon, endLat, nil))
        let deepest = Int(StepDetail.deepestZoom(from: world(start), to: world(end)))
        #expect(deepest < 16)
        let found = try cells(days([PointColumns.degrees([start, end])].daySteps()))
        for zoom in 0...16 {
            let ends = Set(
                [start, end].filter { (0..<WorldPoint.side).contains(world($0).y) }.map { cell($0, zoom: zoom) })
            let expected = zoom <= deepest ? traced(start, end, zoom: zoom).union(ends) : ends
            #expect(found[zoom]?[FragmentOrder.untimedDay] ?? [] == expected, "zoom \(zoom)")
            #expect(expected.count <= 5121)
        }
    }

    @Test func `a step over midnight is drawn on both days down to the zoom level of the whole`() throws {
        let midnight: Int64 = 20_000 * 86_400_000
        let points: [PlaceInTime] = [
            (8.57, 50.03, midnight - 7_200_000), (-30, 50, midnight + 7_200_000), (-30.01, 50, midnight + 7_260_000),
        ]
        let deepest = Int(StepDetail.deepestZoom(from: world(points[0]), to: world(points[1])))
        let found = try cells(days([PointColumns.degrees(points)].daySteps()))
        #expect(found[16]?.mapValues(\.count)[19_999] == 1)
        #expect(found[16]?[20_000] == traced(points[1], points[2], zoom: 16))
        #expect(found[deepest + 1]?[19_999] == [cell(points[0], zoom: deepest + 1)])
        let both = (found[deepest]?[19_999] ?? []).union(found[deepest]?[20_000] ?? [])
        let whole = traced(points[0], points[1], zoom: deepest).union(traced(points[1], points[2], zoom: deepest))
        #expect(both.symmetricDifference(whole).count <= 4)
        #expect(abs((found[deepest]?[19_999]?.count ?? 0) - (found[deepest]?[20_000]?.count ?? 0)) < 20)
    }

    private func wandering(_ seed: UInt64, days: Int64) -> [PlaceInTime] {
        var random = SeededRandom(seed: seed)
        var place = (lon: 10.0, lat: 50.0)
        return (0..<days * 12).map { number in
            let reach = [0.001, 0.05, 2, 15][Int.random(in: 0..<4, using: &random)]
            place.lon = min(max(place.lon + .random(in: -reach...reach, using: &random), -170), 170)
            place.lat = min(max(place.lat + .random(in: -reach...reach, using: &random), -70), 70)
            return (place.lon, place.lat, 20_000 * 86_400_000 + number * 7_200_000 + 1000)
        }
    }

    @Test(arguments: UInt64(1)...4) func `the order and portions in which steps are added make no difference`(
        seed: UInt64
    )
        throws
    {
        let steps = [PointColumns.degrees(wandering(seed, days: 6))].daySteps()
        #expect(steps.contains { $0.deepestZoom < 12 } && steps.contains { $0.deepestZoom == 16 })
        let whole = try cells(days(steps))
        #expect(try cells(days(steps, cellLimit: 0)) == whole)
        var apart: [TrackRaster.Day] = []
        // Each portion ends before a step that begins, so that every line is whole.
        let starts = steps.indices.filter { steps[$0].begins } + [steps.count]
        for (start, end) in zip(starts, starts.dropFirst()).reversed() { apart += days(Array(steps[start..<end])) }
        #expect(try cells(apart) == whole)
    }

    @Test(arguments: ["UTC", "America/New_York"]) func `the lines of a day have the cells of that day`(zone: String)
        throws
    {
        let calendar = try #require(DayCalendar(zone: zone))
        let points = wandering(9, days: 5)
        for day in days([PointColumns.degrees(points)].daySteps(zone: zone)) {
            let timeRanges = calendar.timeRanges(ofDay: day.day)
            var finder = TrackPathBuilder(
                timeRanges: timeRanges,
                detector: OutlierDetector(gap: .none, kind: .file(longSegments: []), outlierRule: .standard))
            finder.add(.degrees(points))
            let path = finder.finish()
            let cells = PathCells(of: timeRanges.flatMap { path.lines(within: $0) })
            #expect(cells.deepest == day.cells && cells.longSteps == day.longSteps && !day.longSteps.isEmpty)
            // Parts of a day have no cells at any zoom level that the whole day does not have.
            let middle = timeRanges[0].lowerBound + 40_000_123
            let parts = [timeRanges[0].lowerBound..<middle, middle..<timeRanges[0].upperBound].map {
                PathCells(of: path.lines(within: $0))
            }
            for zoom in [16, 12, 8, 5, 2] {
                let whole = codes(cells, zoom)
                let both = codes(parts[0], zoom).union(codes(parts[1], zoom))
                #expect(both.symmetricDifference(whole).count <= 4, "zoom \(zoom)")
            }
        }
    }

    private func codes(_ cells: PathCells, _ zoom: Int) -> Set<UInt64> {
        var found: Set<UInt64> = []
        cells.forEachRun(ofZoom: zoom) { codes, shift in found.formUnion(codes.map { $0 >> shift }) }
        return found
    }
}
