import Testing
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

/// splitmix64: the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

@Suite struct CellTracerTests {
    private func cells(_ start: WorldPoint, _ end: WorldPoint) -> [UInt64] {
        var tracer = CellTracer()
        tracer.visitLine(from: start, to: end)
        var sorter = CodeSorter()
        return tracer.takeSorted(using: &sorter)
    }

    @Test func `a line visits every cell that contains one of its points, and no other cell`() {
        var random = SeededGenerator(state: 7)
        for _ in 0..<400 {
            let x = Int64.random(in: 0..<WorldPoint.side, using: &random)
            let y = Int64.random(in: 4000..<WorldPoint.side - 4000, using: &random)
            let dx = Int64.random(in: -3000...3000, using: &random)
            let dy = Int64.random(in: -3000...3000, using: &random)
            let visited = Set(cells(WorldPoint(x: x, y: y), WorldPoint(x: x + dx, y: y + dy)))
            var sampled: Set<UInt64> = []
            for step in 0...20_000 {
                let px = (Double(dx) * Double(step) / 20_000 + Double(x)).rounded(.down)
                let py = (Double(dy) * Double(step) / 20_000 + Double(y)).rounded(.down)
                let column = (Int64(px) & (WorldPoint.side - 1)) >> 8
                sampled.insert(Morton.code(x: UInt32(column), y: UInt32(Int64(py) >> 8)))
            }
            #expect(sampled.isSubset(of: visited))
            #expect(visited.count <= sampled.count + 2, "\(x),\(y) by \(dx),\(dy)")
        }
    }

    @Test func `a line visits the same cells in both directions`() {
        var random = SeededGenerator(state: 11)
        for _ in 0..<2000 {
            // Multiples of a quarter cell hit corners and edges often.
            let start = WorldPoint(
                x: Int64.random(in: 0..<400, using: &random) * 64, y: Int64.random(in: 0..<400, using: &random) * 64)
            let end = WorldPoint(
                x: Int64.random(in: 0..<400, using: &random) * 64, y: Int64.random(in: 0..<400, using: &random) * 64)
            #expect(cells(start, end) == cells(end, start))
        }
    }

    @Test func `a line over the antimeridian goes the short way`() throws {
        let west = try #require(GeoPoint(longitude: 179.99, latitude: 10))
        let east = try #require(GeoPoint(longitude: -179.99, latitude: 10.001))
        let visited = cells(WorldPoint(west), WorldPoint(east))
        #expect(visited.count < 1100)
        let columns = visited.map { Morton.x(of: $0) }
        #expect(columns.contains(0) && columns.contains(0xFF_FFFF))
    }

    @Test func `a tracer that exceeds its tile limit gives the same cells as several smaller ones`() {
        var long = CellTracer()
        var parts: Set<UInt64> = []
        var sorter = CodeSorter()
        var x: Int64 = 0
        for _ in 0..<6 {
            // 800 columns of tiles each; consecutive lines overlap in columns.
            let start = WorldPoint(x: x, y: 1 << 31)
            let end = WorldPoint(x: x + 800 << 16, y: 1 << 31 + 700 << 14)
            long.visitLine(from: start, to: end)
            var short = CellTracer()
            short.visitLine(from: start, to: end)
            parts.formUnion(short.takeSorted(using: &sorter))
            x += 500 << 16
        }
        #expect(long.takeSorted(using: &sorter) == parts.sorted())
        #expect(long.takeSorted(using: &sorter).isEmpty)
    }

    @Test func `what lies beyond the map's edge is cut off`() throws {
        let pole = try #require(GeoPoint(longitude: 10, latitude: 90))
        let near = try #require(GeoPoint(longitude: 10, latitude: 85))
        let visited = cells(WorldPoint(near), WorldPoint(pole))
        #expect(!visited.isEmpty)
        #expect(visited.contains { Morton.y(of: $0) == 0 })
        var tracer = CellTracer()
        tracer.visit(WorldPoint(pole))
        var sorter = CodeSorter()
        #expect(tracer.takeSorted(using: &sorter).isEmpty)
    }

    @Test(arguments: [0, 1, 2, 95, 96, 97, 5000, 70_000]) func `keys are sorted, and equal keys keep their order`(
        count: Int
    ) {
        var random = SeededGenerator(state: UInt64(count) + 9)
        let keys = (0..<count).map { _ in random.next() & 0x0F00_0000_00F0_F00F }
        let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        #expect(CodeSorter.order(of: keys) == expected)
    }

    @Test(arguments: [0, 1, 2, 95, 96, 97, 5000, 70_000]) func `sorting removes duplicate codes`(count: Int) {
        var random = SeededGenerator(state: UInt64(count))
        var codes = (0..<count).map { _ in random.next() & 0xFFFF_3FFF_FF00 }
        let expected = Set(codes).sorted()
        var sorter = CodeSorter()
        sorter.sortDistinct(&codes)
        #expect(codes == expected)
    }
}

/// Person-days with cells in one tile, and the expected counts.
struct TileModel {
    struct Entry {
        var order: FragmentOrder
        var cells: [UInt16]
        var activity: UInt8
    }

    var entries: [Entry] = []

    /// Many visits on few cells, so that the tile is dense.
    static func random(_ count: Int, cellsPerFragment: Int, distinct: UInt16, days: ClosedRange<Int32>, seed: UInt64)
        -> TileModel
    {
        var random = SeededGenerator(state: seed)
        var model = TileModel()
        for track in 0..<count {
            let untimed = Int.random(in: 0..<20, using: &random) == 0
            let day = untimed ? FragmentOrder.untimedDay : Int32.random(in: days, using: &random)
            let cells = Set((0..<cellsPerFragment).map { _ in UInt16.random(in: 0..<distinct, using: &random) &* 61 })
                .sorted()
            model.entries.append(
                Entry(
                    order: FragmentOrder(
                        day: day, person: Int64.random(in: 1...3, using: &random), track: Int64(track)),
                    cells: cells,
                    activity: UInt8.random(in: 0...2, using: &random)))
        }
        return model
    }

    var tracks: GridTracks {
        var tracks = GridTracks()
        for entry in entries {
            tracks.set(entry.order.track, seed: UInt64(entry.order.track) &* 77, activity: entry.activity)
        }
        return tracks
    }

    var log: [UInt8] { Self.log(entries) }

    static func log(_ entries: [Entry]) -> [UInt8] {
        var writer = LogWriter<CellDeltas>()
        for entry in entries.sorted(by: { $0.order < $1.order }) {
            writer.add(entry.order, CellDeltas.encoded(entry.cells)[...])
        }
        return writer.finish()
    }

    func counts(where passes: (Entry) -> Bool) -> CellCounts {
        var visitors: [UInt16: Set<[Int64]>] = [:]
        for entry in entries where passes(entry) {
            for cell in entry.cells {
                visitors[cell, default: []].insert([Int64(entry.order.day), entry.order.person])
            }
        }
        let cells = visitors.keys.sorted()
        return CellCounts(cells: cells, counts: cells.map { UInt32(visitors[$0]?.count ?? 0) })
    }
}

struct RowsInMemory: DenseTileRows {
    var row: TileRow

    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        for month in row.months where month.period == period { body(month.log.span) }
    }

    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        for sum in row.sums where sum.layer == layer && sum.period == period { body(sum.data.span) }
    }

    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        for sum in row.layers where sum.layer == layer && sum.period == period { body(sum.data.span) }
    }
}

@Suite struct TileTests {
    private func read(_ row: TileRow, _ query: CountQuery) throws -> CellCounts {
        var reader = TileReader()
        guard row.isDense else { return reader.counts(log: row.data.span, query) }
        return try reader.counts(dense: row.data.span, rows: RowsInMemory(row: row), query)
    }

    @Test(arguments: [(30, 20), (1500, 40), (4000, 30)])
    func `the counts of every window and layer of a tile equal a fresh count`(parts: Int, cellsPerFragment: Int) throws
    {
        let model = TileModel.random(
            parts, cellsPerFragment: cellsPerFragment, distinct: 700, days: 15_000...16_500, seed: UInt64(parts))
        let tracks = model.tracks
        var builder = TileBuilder()
        let (row, histograms) = builder.row(log: model.log, tracks: tracks)
        #expect(row.isDense == (parts > 1000))
        #expect(try read(row, .everything) == model.counts { _ in true })
        var random = SeededGenerator(state: 3)
        for _ in 0..<60 {
            let from = Int32.random(in: 14_900...16_600, using: &random)
            let window = DayWindow(
                from: Bool.random(using: &random) ? from : nil, to: from + Int32.random(in: -5...1200, using: &random))
            for layer in UInt8(0)...2 {
                let filter: FragmentFilter = layer == 0 ? .all : .activity(layer, tracks)
                let expected = model.counts { entry in
                    (layer == 0 || entry.activity == layer) && entry.order.day != FragmentOrder.untimedDay
                        && entry.order.day >= window.from ?? .min && entry.order.day <= window.to ?? .max
                }
                let counted = try read(row, CountQuery(window: window, layer: layer, filter: filter))
                #expect(counted == expected, "layer \(layer), \(window)")
            }
        }
        for layer in UInt8(1)...2 {
            let expected = model.counts { $0.activity == layer }
            #expect(
                try read(row, CountQuery(window: .allTime, layer: layer, filter: .activity(layer, tracks)))
                    == expected)
            var histogram = CountHistogram()
            for count in expected.counts { histogram.add(count: count, cells: 1) }
            #expect(histograms.byLayer[layer] == histogram)
        }
        if row.isDense {
            var reader = TileReader()
            for layer in UInt8(0)...2 {
                let query = CountQuery(
                    window: .allTime, layer: layer, filter: layer == 0 ? .all : .activity(layer, tracks))
                let spread = try reader.distribution(
                    dense: row.data.span, rows: RowsInMemory(row: row), query)
                #expect(spread == CountDistribution(try read(row, query)), "layer \(layer)")
                #expect(spread != CountDistribution())
            }
        }
        let some = TrackSet((0..<Int64(parts)).filter { $0 % 3 == 0 })
        let chosen = CountQuery(window: .allTime, layer: nil, filter: .tracks(some))
        #expect(try read(row, chosen) == model.counts { some.contains($0.order.track) })
    }

    @Test
    func `a merged log equals a log written at once, and a log after removal equals one that never had those tracks`() {
        let model = TileModel.random(300, cellsPerFragment: 12, distinct: 900, days: 100...160, seed: 5)
        let thirds = (0..<3).map { third in TileModel.log(model.entries.filter { Int($0.order.track) % 3 == third }) }
        #expect(TileLog<CellDeltas>.merged(thirds) == model.log)
        #expect(TileLog<CellDeltas>.merged([thirds[2], thirds[0], thirds[1]]) == model.log)
        let gone = Set(model.entries.map(\.order.track).filter { $0 % 3 == 1 })
        #expect(
            TileLog<CellDeltas>.removing(gone, from: model.log) == TileLog<CellDeltas>.merged([thirds[0], thirds[2]]))
        #expect(TileLog<CellDeltas>.removing([9999], from: model.log) == nil)
    }

    @Test func `a track fragment that was added in two portions is united when logs are merged`() {
        let order = FragmentOrder(day: 5, person: 1, track: 9)
        var first = LogWriter<CellDeltas>()
        first.add(order, CellDeltas.encoded([3, 500, 40_000])[...])
        var second = LogWriter<CellDeltas>()
        second.add(order, CellDeltas.encoded([4, 500, 65_535])[...])
        var whole = LogWriter<CellDeltas>()
        whole.add(order, CellDeltas.encoded([3, 4, 500, 40_000, 65_535])[...])
        #expect(TileLog<CellDeltas>.merged([first.finish(), second.finish()]) == whole.finish())
    }

    @Test func `reading random bytes as a log never traps`() {
        var random = SeededGenerator(state: 1)
        for length in 0..<400 {
            let junk = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            var reader = TileReader()
            _ = reader.counts(log: junk.span, .everything)
            _ = try? reader.counts(
                dense: junk.span,
                rows: RowsInMemory(row: TileRow(digest: 0, visits: 0, cells: 0, data: [], months: [], sums: [])),
                CountQuery(window: DayWindow(from: 3, to: 9), layer: 0, filter: .all))
        }
    }
}

@Suite struct TrackRasterTests {
    private func chunk(_ points: [(lon: Double, lat: Double, time: Int64?)]) -> PointChunk {
        PointChunk(
            unit: .decimal(places: 7), longitudes: points.map { Int64(($0.lon * 1e7).rounded()) },
            latitudes: points.map { Int64(($0.lat * 1e7).rounded()) },
            times: points.map { $0.time ?? PointChunk.untimed },
            segmentStarts: [0])
    }

    private func steps(
        _ points: [(lon: Double, lat: Double, time: Int64?)], _ calendar: DayCalendar, _ gap: GapRule = .standard
    ) -> [DayStep] {
        var scan = DaySplitter(calendar: calendar, gap: gap, kind: .file(longSegments: []), cleaning: .standard)
        var steps: [DayStep] = []
        scan.add(chunk(points), into: &steps)
        scan.finish(into: &steps)
        return steps
    }

    private func days(
        _ points: [(lon: Double, lat: Double, time: Int64?)], zone: String = "UTC", gap: GapRule = .standard
    ) throws -> [TrackRaster.Day] {
        let calendar = try #require(DayCalendar(zone: zone))
        var raster = TrackRaster()
        var sorter = CodeSorter()
        raster.add(steps(points, calendar, gap), using: &sorter) { _ in
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
        var scan = OutlierDetector(gap: .standard, kind: .file(longSegments: []), cleaning: .standard)
        var cleaned: [CleanedPoint] = []
        scan.add(chunk(there), into: &cleaned)
        scan.finish(into: &cleaned)
        #expect(
            cleaned.map { $0.connection == .continues } == [false, true, true, true, true, true, false, false, false])
    }

    @Test func `a day too large for memory is returned in portions, which the arena unites`() throws {
        let calendar = try #require(DayCalendar(zone: "UTC"))
        // More tiles than are held at once: nine for each step of 5 km.
        let points = (0..<3000).map { step in
            (lon: Double(step) * 0.05, lat: step % 2 == 0 ? -0.005 : 0.005, time: Int64?.none)
        }
        var raster = TrackRaster(cellLimit: 300_000)
        var sorter = CodeSorter()
        var days: [TrackRaster.Day] = []
        raster.add(steps(points, calendar), using: &sorter) { days.append($0) }
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
