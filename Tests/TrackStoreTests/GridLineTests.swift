import Files
import HeatGrid
import LineGrid
import SampleTracks
import Testing
import TileLog
import TileMath
import Tracks

@testable import GridStorage

@Suite struct GridLineTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    private static let samples = Array(SampleTracks(SampleSpec(size: .tracks(8), seed: 77)))

    private func grid(_ name: String, lineLogBytes: Int = SumRule().lineLogBytes) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        var rule = SumRule()
        rule.lineLogBytes = lineLogBytes
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
