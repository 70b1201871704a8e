import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

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
        var random = SeededRandom(seed: seed)
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
            tracks.set(entry.order.track, digest: UInt64(entry.order.track) &* 77, activity: entry.activity)
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

/// Records which rows are named before they are read, and which are read.
final class RowsInMemory: DenseTileRows {
    let row: TileRow
    private(set) var named: Set<DenseTileRow> = []
    private(set) var read: Set<DenseTileRow> = []

    init(row: TileRow) { self.row = row }

    func prefetch(_ rows: @autoclosure () -> [DenseTileRow]) { named.formUnion(rows()) }

    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        read.insert(.monthLog(period: period))
        for month in row.months where month.period == period { body(month.log.span) }
    }

    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        read.insert(.sum(layer: layer, period: period))
        for sum in row.sums where sum.layer == layer && sum.period == period { body(sum.data.span) }
    }

    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) {
        read.insert(.layerRow(layer: layer, period: period))
        for sum in row.layers where sum.layer == layer && sum.period == period { body(sum.data.span) }
    }
}

@Suite struct TileTests {
    private func read(_ row: TileRow, _ query: CountQuery) throws -> CellCounts {
        var reader = TileReader()
        guard row.isDense else { return reader.counts(log: row.data.span, query) }
        let rows = RowsInMemory(row: row)
        let counts = try reader.counts(dense: row.data.span, rows: rows, query)
        // A remote database would be asked for anything else in a message of its own; the head of a layer tells the rest.
        let heads = rows.read.filter { if case .layerRow(_, LayerHeader.period) = $0 { true } else { false } }
        #expect(rows.read.subtracting(heads) == rows.named)
        #expect(
            try TileReader.rowsNeeded(dense: row.data.span, rows: RowsInMemory(row: row), query).allSatisfy(
                rows.named.contains))
        return counts
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
        var random = SeededRandom(seed: 3)
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
        var random = SeededRandom(seed: 1)
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
