import Database
import Files
import HeatGrid
import LineGrid
import SQLite
import TestLibrary
import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import GridStorage
@testable import PrimaryStore

/// Grids with altered bytes: whatever the bytes are, reading them ends without a trap.
@Suite(.eachStore) struct GridFuzzTests {
    /// The rows of a grid of two dozen tracks, with dense tiles among them.
    private struct Rows {
        var logs: [[UInt8]] = []
        var dense: [[UInt8]] = []
        var sums: [[UInt8]] = []
        var layerRows: [[UInt8]] = []
        var lines: [[UInt8]] = []
        var tracks = GridTracks()
    }

    /// The further rows of a dense tile, which need not match it.
    private struct AnyRows: DenseTileRows {
        var log: [UInt8]
        var sum: [UInt8]
        var layerRow: [UInt8]

        func prefetch(_ rows: @autoclosure () -> [DenseTileRow]) {}
        func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) { body(log.span) }
        func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) { body(sum.span) }
        func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) { body(layerRow.span) }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func made() throws -> GridStore {
        let source = MemorySource()
        for number in 0..<24 { source.add(GridDump.samples[number], number: Int64(number)) }
        let store = try GridStore(folder: folder.path, rule: GridDump.rule)
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        _ = try store.catchUp(with: source, calendar: calendar)
        return store
    }

    private func rows(_ store: GridStore) throws -> Rows {
        try store.read { reader in
            var rows = Rows()
            rows.tracks = try reader.tracks()
            for zoom in [0, 4, 9, 12, 14, 16] {
                let level = try #require(ZoomLevel(zoom))
                for tile in try reader.occupiedTiles(zoom: level, after: nil, limit: 12) {
                    guard let row = try reader.row(of: tile.packed) else { continue }
                    if row.isDense { rows.dense.append(row.data) } else { rows.logs.append(row.data) }
                    rows.logs += row.months.prefix(3).map(\.log)
                    rows.sums += row.sums.prefix(3).map(\.data)
                    if let lines = try reader.lineRow(of: tile.packed) { rows.lines.append(lines.wholeLog) }
                }
            }
            return rows
        }
    }

    /// Changes, cuts, repeats or inserts a few bytes.
    private func corrupted(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { return [UInt8(random.below(256))] }
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] ^= 1 << UInt8(random.below(8))
            case 1: bytes[place] = UInt8(random.below(256))
            case 2: bytes.removeLast(bytes.count - place)
            case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 9)], at: random.below(bytes.count))
            case 4: bytes.replaceSubrange(place..<min(bytes.count, place + 10), with: repeatElement(0xFF, count: 10))
            default:
                bytes.replaceSubrange(place..<place, with: [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1])
            }
        }
        return bytes
    }

    @Test func `rows with any bytes are read without a trap`() throws {
        let rows = try rows(try made())
        #expect(!rows.dense.isEmpty && !rows.logs.isEmpty && !rows.sums.isEmpty && !rows.lines.isEmpty)
        var random = SeededRandom(seed: 7)
        var reader = TileReader()
        var lines = TileLines()
        let windows = [DayWindow.allTime, DayWindow(from: 17_000, to: 18_500), DayWindow(from: .min, to: .max)]
        for round in 0..<1500 {
            let log = corrupted(rows.logs[random.below(rows.logs.count)], &random)
            let sum = corrupted(rows.sums[random.below(rows.sums.count)], &random)
            let dense = corrupted(rows.dense[random.below(rows.dense.count)], &random)
            let line = corrupted(rows.lines[random.below(rows.lines.count)], &random)
            let window = windows[round % windows.count]
            let query = CountQuery(window: window, layer: UInt8(random.below(3)), tracks: rows.tracks)
            _ = reader.counts(log: log.span, query)
            let others = AnyRows(log: log, sum: sum, layerRow: sum)
            _ = try reader.counts(dense: dense.span, rows: others, query)
            _ = try reader.distribution(dense: dense.span, rows: others, query)
            _ = LayerHeader(decoding: sum.span)
            _ = DayFragments.of(17_500, in: log.span, .all)
            _ = PassingFragments.of(log.span, through: [1, 900, 65_535], days: nil, .all)
            _ = rows.tracks.contentDigest(of: log.span, layer: UInt8(random.below(3)))
            _ = TileLog<LineRuns>.merged([line, line])
            _ = TileLog<LineRuns>.removing([1, 2, 3], from: line)
            _ = TileLog<LineRuns>.months(of: line)
            _ = TileLog<LineRuns>.tracks(in: log)
            lines.removeAll()
            LineReader.read(line.span, window: window, filter: .all, into: &lines)
            var builder = TileBuilder(rule: GridDump.rule)
            _ = builder.row(log: log, tracks: rows.tracks)
            _ = GridSchema.decoded(ascending: line)
            _ = GridSchema.decodedHistogram(sum)
        }
    }

    @Test(.onlySQLite("it damages the file"))
    func `a file with overwritten bytes is read unchanged or reported as damaged`() throws {
        let store = try made()
        let level = try #require(ZoomLevel(12))
        let tiles = try store.read { try $0.occupiedTiles(zoom: level, after: nil, limit: 200) }
        func content(_ store: GridStore) throws -> [CellCounts] {
            try store.read { grid in
                var reader = TileReader()
                return try tiles.map { try grid.counts(of: $0, .everything, using: &reader) }
            }
        }
        let sound = try content(store)
        try store.truncateLog()
        let bytes = try #require(try AtomicFile.read(store.path))
        let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
        let source = MemorySource()
        for number in 0..<24 { source.add(GridDump.samples[number], number: Int64(number)) }
        var random = SeededRandom(seed: 11)
        var found = 0
        for round in 0..<14 {
            var corrupted = bytes
            for spot in 0..<(round < 3 ? 1 : 1 << round) {
                let start = round < 3 ? round * 40 : random.below(bytes.count)
                for place in start..<min(bytes.count, start + 1 + spot % 40) {
                    corrupted[place] = UInt8(random.below(256))
                }
            }
            let other = "\(folder.path)/\(round)"
            try Folder.make(other)
            try AtomicFile.write(corrupted, to: other + "/grid.sqlite", durability: .cached)
            do {
                let damaged = try GridStore(folder: other, rule: GridDump.rule)
                do {
                    let counts = try content(damaged)
                    // Lost rows leave an empty tile, which only `verify` detects.
                    for (now, before) in zip(counts, sound) { #expect(now == before || now.cells.isEmpty) }
                } catch let error as LibraryError {
                    guard case .gridDamaged = error else { throw error }
                    found += 1
                }
                _ = try damaged.catchUp(with: source, calendar: calendar, rebuilding: true)
                #expect(try content(damaged) == sound)
                #expect(try damaged.integrityProblems() == [])
            }
            try Folder.remove(other)
        }
        #expect(found > 0)
    }
}
