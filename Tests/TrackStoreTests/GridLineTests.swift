import Files
import HeatGrid
import LineGrid
import SampleTracks
import TestLibrary
import Testing
import Text
import TileLog
import TileMath
import Tracks

@testable import GridStorage

@Suite(.eachStore) struct GridLineTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    private static let samples = Array(SampleTracks(SampleSpec(size: .tracks(8), seed: 77)))

    private func grid(
        _ name: String, lineLogBytes: Int = SumRule().lineLogBytes, lineRasterBytes: Int = SumRule().lineRasterBytes
    ) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        var rule = SumRule()
        rule.lineLogBytes = lineLogBytes
        rule.lineRasterBytes = lineRasterBytes
        rule.lineCodeBytes = lineRasterBytes
        return try GridStore(folder: path, rule: rule)
    }

    private func source() -> MemorySource {
        let source = MemorySource()
        for (number, sample) in Self.samples.enumerated() { source.add(sample, number: Int64(number)) }
        return source
    }

    private func lines(
        _ grid: GridReader, _ tile: TileKey, _ window: DayWindow = .allTime, _ filter: FragmentFilter = .all
    ) throws -> TileLines {
        var lines = TileLines()
        try grid.lines(of: tile, window: window, filter: filter, into: &lines)
        return lines
    }

    @Test func `lines stored by month equal lines stored in one log, for every window`() throws {
        let whole = try grid("whole")
        let parted = try grid("parted", lineLogBytes: 0)
        for store in [whole, parted] { _ = try store.catchUp(with: source(), calendar: calendar) }
        let days = try #require(try whole.read { try $0.dayBounds() })
        let middle = (days.lowerBound + days.upperBound) / 2
        let windows: [DayWindow] = [
            .allTime, DayWindow(from: middle, to: nil), DayWindow(from: nil, to: middle),
            DayWindow(from: days.lowerBound, to: days.lowerBound), DayWindow(from: 5, to: 4),
        ]
        try whole.read { one in
            try parted.read { other in
                for zoom in [0, 9, 13, 16] {
                    let level = try #require(ZoomLevel(zoom))
                    for tile in try one.occupiedTiles(zoom: level, after: nil, limit: 12) {
                        #expect(try one.lineDigest(of: tile) == other.lineDigest(of: tile))
                        for window in windows {
                            let expected = try lines(one, tile, window)
                            #expect(try lines(other, tile, window) == expected)
                            #expect(expected.fragments.allSatisfy { window.days?.contains($0.day) ?? window.isAllTime })
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [0, 120, 450])
    func `stored rasters and the lines beside them are the lines of every window`(lineRasterBytes: Int) throws {
        let store = try grid("store", lineLogBytes: 0, lineRasterBytes: lineRasterBytes)
        _ = try store.catchUp(with: source(), calendar: calendar)
        let days = try #require(try store.read { try $0.dayBounds() })
        let middle = (days.lowerBound + days.upperBound) / 2
        let month = try #require(LogMonths.days(ofPeriod: LogMonths.period(ofDay: middle)))
        let windows: [DayWindow] = [
            .allTime, DayWindow(from: middle, to: nil), DayWindow(from: nil, to: middle),
            DayWindow(from: days.lowerBound, to: days.upperBound),
            DayWindow(from: month.lowerBound, to: month.upperBound),
            DayWindow(from: middle - 500, to: middle + 300), DayWindow(from: days.lowerBound, to: days.lowerBound),
            DayWindow(from: 5, to: 4),
        ]
        var readRasters = 0
        try store.read { reader in
            for zoom in [0, 5, 9, 13, 16] {
                let level = try #require(ZoomLevel(zoom))
                for tile in try reader.occupiedTiles(zoom: level, after: nil, limit: 8) {
                    for window in windows {
                        var rest = TileLines()
                        var stored: [StoredLines] = []
                        try reader.lines(of: tile, window: window, property: nil, into: &rest, stored: &stored)
                        readRasters += stored.count
                        var (found, expected) = (LineRaster(), LineRaster())
                        found.clear(hasCounts: true)
                        for lines in stored { found.join(lines.raster.span) }
                        found.add(rest) { _, _, _ in 0 }
                        expected.clear(hasCounts: true)
                        expected.add(try lines(reader, tile, window)) { _, _, _ in 0 }
                        #expect(found.words == expected.words && found.counts == expected.counts, "\(tile) \(window)")
                        try compareCodes(reader, tile, window)
                    }
                }
            }
        }
        #expect(readRasters > 0)
    }

    /// The codes of stored periods and of the lines beside them are those of all lines.
    private func compareCodes(_ reader: GridReader, _ tile: TileKey, _ window: DayWindow) throws {
        let tracks = try reader.tracks()
        var (found, expected) = (LineCodeRaster(), LineCodeRaster())
        var rest = TileLines()
        var stored: [StoredLines] = []
        try reader.lines(of: tile, window: window, property: .speed, into: &rest, stored: &stored)
        for lines in stored { found.join(lines.codes.span) }
        found.add(rest) { tracks.activity(of: $0) }
        expected.add(try lines(reader, tile, window)) { tracks.activity(of: $0) }
        #expect(found.encoded == expected.encoded, "\(tile) \(window)")
    }

    @Test func `periods of rasters are the largest within a window, and the gaps between them are the rest`() {
        let month = { (year: Int, month: Int) in UInt16((year - 1900) << 4 | month) }
        let stored = LineRasterRows.periods(
            of: [
                (StoredPeriod.untimed, 50), (month(2020, 3), 60), (month(2020, 4), 60), (month(2021, 1), 101),
                (month(2022, 5), 100), (month(2023, 1), 300), (month(2023, 2), 1),
            ], limit: 100)
        let all = [
            month(2020, 0), month(2021, 1), month(2023, 0), month(2023, 1), StoredPeriod.all,
        ]
        #expect(stored == Set(all))
        #expect(LineRasterRows.periods(all, within: .allTime) == [StoredPeriod.all])
        let from = CivilDay(year: 2020, month: 1, day: 1)?.daysSince1970
        let later = CivilDay(year: 2020, month: 1, day: 2)?.daysSince1970
        let to = CivilDay(year: 2023, month: 11, day: 30)?.daysSince1970
        #expect(
            LineRasterRows.periods(all, within: DayWindow(from: from, to: to)) == [
                month(2020, 0), month(2021, 1), month(2023, 1),
            ])
        #expect(
            LineRasterRows.periods(all, within: DayWindow(from: later, to: nil)) == [month(2021, 1), month(2023, 0)])
        let gaps = LineRasterRows.gaps(in: month(2019, 5)...month(2023, 11), without: [month(2020, 0), month(2021, 1)])
        #expect(
            gaps == [
                month(2019, 5)...month(2020, 0), month(2020, 13)...month(2021, 0), month(2021, 2)...month(2023, 11),
            ])
        #expect(LineRasterRows.gaps(in: 0...UInt16.max, without: [StoredPeriod.all]).isEmpty)
    }

    @Test func `every occupied tile has the lines of the tracks that have cells in it`() throws {
        let store = try grid("store")
        _ = try store.catchUp(with: source(), calendar: calendar)
        try store.read { grid in
            for level in (0...ZoomLevel.deepestGrid.number).compactMap({ ZoomLevel($0) }) {
                for tile in try grid.occupiedTiles(zoom: level, after: nil, limit: 10_000) {
                    let cells = TileLog<CellDeltas>.tracks(in: try grid.log(of: tile.packed) ?? [])
                    #expect(Set(try lines(grid, tile).fragments.map(\.track)).isSuperset(of: cells))
                    #expect(try grid.lineDigest(of: tile) != 0)
                }
            }
        }
    }

    @Test func `a filter returns only the lines of its tracks`() throws {
        let store = try grid("store")
        _ = try store.catchUp(with: source(), calendar: calendar)
        try store.read { grid in
            let world = try #require(TileKey(packed: 0))
            let all = try lines(grid, world)
            let found = Set(all.fragments.map(\.track))
            #expect(found == Set<Int64>(0..<8))
            let some = try lines(grid, world, .allTime, .tracks(TrackSet([2, 5])))
            let expected = all.fragments.map(\.track).filter { (track: Int64) in track == 2 || track == 5 }
            #expect(some.fragments.map(\.track) == expected)
        }
    }

    @Test func `the days of a grid follow the stored tracks`() throws {
        let changing = source()
        let store = try grid("store")
        _ = try store.catchUp(with: changing, calendar: calendar)
        let first = try #require(Self.samples.indices.min { start($0) < start($1) })
        changing.remove([Int64(first)])
        _ = try store.catchUp(with: changing, calendar: calendar)
        let rest = Self.samples.indices.filter { $0 != first }
        try store.read { grid in
            let firstDay = rest.map { calendar.day(of: start($0)) }.min()
            let bounds = try grid.dayBounds()
            #expect(bounds?.lowerBound == firstDay)
        }
        changing.remove(rest.map { Int64($0) })
        _ = try store.catchUp(with: changing, calendar: calendar)
        try store.read { grid in
            #expect(try grid.dayBounds() == nil)
            let world = try #require(TileKey(packed: 0))
            #expect(try grid.lineDigest(of: world) == 0)
        }
    }

    private func start(_ sample: Int) -> Int64 {
        Self.samples[sample].chunks.flatMap(\.times).min() ?? .max
    }

    @Test func `another elevation changes digests, and its tiles are reported as touched`() throws {
        let changing = source()
        let store = try grid("store")
        _ = try store.catchUp(with: changing, calendar: calendar)
        let world = try #require(TileKey(packed: 0))
        let before = try store.read { (state: try #require(try $0.state()), digest: try $0.lineDigest(of: world)) }
        changing.add(Self.samples[3], number: 3, elevation: 4321)
        _ = try store.catchUp(with: changing, calendar: calendar)
        try store.read { grid in
            #expect(try grid.lineDigest(of: world) != before.digest)
            let lines = try lines(grid, world, .allTime, .tracks(TrackSet([3])))
            #expect(!lines.isEmpty && lines.elevations.allSatisfy { $0 == 4321 })
            let touched = try #require(try grid.tilesTouched(since: before.state))
            let deepest = TrackSet([3])
            let tiles = try grid.tiles(of: deepest, zoom: .deepestGrid).map { UInt64(16) << 32 | $0 }
            #expect(touched.isSuperset(of: tiles) && touched.contains(0))
        }
    }
}

extension GridReader {
    /// The digest of a tile's lines.
    fileprivate func lineDigest(of tile: TileKey) throws -> UInt64 {
        try lineDigest(of: tile, tracks: try tracks())
    }
}
