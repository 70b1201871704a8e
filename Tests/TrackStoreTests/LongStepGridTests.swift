import Database
import Files
import HeatGrid
import LineGrid
import SQLite
import SampleTracks
import TestLibrary
import Testing
import TileLog
import TileMath
import Tracks

@testable import GridStorage

/// Grids of tracks with steps that are too long to be drawn at every zoom level.
@Suite(.eachStore) struct LongStepGridTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    /// Tracks of the sample, some of which continue between continents, over midnights and across the antimeridian.
    private static let samples: [SampleTrack] = {
        let cities: [(Int64, Int64)] = [
            (8_570_000, 50_030_000), (-73_780_000, 40_640_000), (139_780_000, 35_550_000), (-149_990_000, 61_170_000),
            (174_790_000, -37_000_000), (25_400_000, 71_100_000), (13_400_000, 52_500_000),
        ]
        return GridDump.samples.enumerated().map { number, sample in
            guard number % 2 == 0 else { return sample }
            var flown = sample
            var time = sample.times.last ?? 0
            for hop in 0..<3 {
                let city = cities[(number / 2 + hop * 3) % cities.count]
                time += 7 * 3_600_000
                flown.longitudes += [city.0, city.0 + Int64(number) * 400]
                flown.latitudes += [city.1, city.1 - Int64(number) * 300]
                flown.elevations += [100, 120]
                flown.times += [time, time + 600_000]
                time += 600_000
            }
            return flown
        }
    }()

    private func grid(_ name: String) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        return try GridStore(folder: path, rule: GridDump.rule)
    }

    private func source(_ numbers: [Int]) -> MemorySource {
        let source = MemorySource()
        for number in numbers { source.add(Self.samples[number], number: Int64(number)) }
        return source
    }

    private func holders(_ store: GridStore) throws -> [TileKey] {
        try store.read { grid in
            var found: [TileKey] = []
            while let next = try grid.nextTileStoringLongSteps(above: .deepestGrid, after: found.last) {
                found.append(next)
            }
            return found
        }
    }

    @Test func `a grid updated track by track, in any order, equals one built at once`() throws {
        let order = [12, 3, 17, 0, 6, 5, 8, 1, 2, 4, 7, 16, 9, 10, 11, 13, 14, 15]
        let trickle = MemorySource()
        let fed = try grid("fed")
        for number in order {
            trickle.add(Self.samples[number], number: Int64(number))
            _ = try fed.catchUp(with: trickle, calendar: calendar)
        }
        let made = try grid("made")
        _ = try made.catchUp(with: source(Array(0..<18)), calendar: calendar)
        #expect(try GridDump.lines(fed) == GridDump.lines(made))
        #expect(try holders(made).count > 15)
    }

    @Test func `after a removal the grid equals one that never had the track`() throws {
        let changing = source(Array(0..<12))
        let changed = try grid("changed")
        _ = try changed.catchUp(with: changing, calendar: calendar)
        changing.remove([0, 4, 5, 8])
        let change = try changed.catchUp(with: changing, calendar: calendar)
        let never = try grid("never")
        _ = try never.catchUp(with: source([1, 2, 3, 6, 7, 9, 10, 11]), calendar: calendar)
        #expect(try GridDump.lines(changed) == GridDump.lines(never))
        // The tiles that hold long steps are reported if deeper tiles have changed.
        #expect(try #require(change?.tiles).contains { TileKey(packedLongSteps: $0) != nil })
        changing.remove([1, 2, 3, 6, 7, 9, 10, 11])
        _ = try changed.catchUp(with: changing, calendar: calendar)
        #expect(try GridDump.lines(changed).isEmpty)
    }

    @Test func `the memory limit does not change a grid`() throws {
        let (small, large) = (try grid("small"), try grid("large"))
        _ = try small.catchUp(with: source(Array(0..<10)), calendar: calendar, memoryBytes: 50_000)
        _ = try large.catchUp(with: source(Array(0..<10)), calendar: calendar)
        #expect(try GridDump.lines(small) == GridDump.lines(large))
    }

    @Test func `a deep tile's digest depends on the long steps near it, and on no others`() throws {
        let changing = source([0, 2])
        let store = try grid("store")
        _ = try store.catchUp(with: changing, calendar: calendar)
        // A deep tile below a holder with a step near it, and one without.
        let level = try #require(ZoomLevel(13))
        let holder = try #require(try holders(store).first { $0.zoom < 8 })
        let near = try #require(
            try store.read { try $0.tilesWithOnlyLongSteps(zoom: level, below: holder) }.first)
        let far = try #require(
            try store.read { grid in
                try (0..<UInt64(1000)).map {
                    TileKey(zoom: 13, morton: holder.morton << UInt64(2 * (13 - holder.zoom)) | $0)
                }.first { try !grid.hasLines($0) }
            })
        func digests() throws -> [UInt64] {
            try store.read { grid in
                try [near, far].map { try grid.lineDigest(of: $0, tracks: try grid.tracks()) }
            }
        }
        let before = try digests()
        #expect(before[0] != 0 && before[1] == 0)
        let track = try store.read { grid in
            var lines = TileLines()
            try grid.lines(of: near, window: .allTime, filter: .all, into: &lines)
            return try #require(lines.fragments.first?.track)
        }
        changing.remove([track])
        _ = try store.catchUp(with: changing, calendar: calendar)
        let after = try digests()
        #expect(after[0] != before[0] && after[1] == 0)
    }

    @Test func `windows and filters select long steps as they select lines`() throws {
        let store = try grid("store")
        _ = try store.catchUp(with: source([0, 2, 6]), calendar: calendar)
        let level = try #require(ZoomLevel(12))
        try store.read { grid in
            let days = try #require(try grid.dayBounds())
            var count = 0
            for holder in try holders(store).prefix(40) {
                for tile in try grid.tilesWithOnlyLongSteps(zoom: level, below: holder).prefix(3) {
                    func lines(_ window: DayWindow, _ filter: FragmentFilter) throws -> TileLines {
                        var lines = TileLines()
                        try grid.lines(of: tile, window: window, filter: filter, into: &lines)
                        return lines
                    }
                    let all = try lines(.allTime, .all)
                    #expect(!all.isEmpty)
                    let split = try [Int64(0), 2, 6].map { try lines(.allTime, .tracks(TrackSet([$0]))).runs.count }
                    #expect(split.reduce(0, +) == all.runs.count)
                    for day in Set(all.fragments.map(\.day)) where day != FragmentOrder.untimedDay {
                        let found = try lines(DayWindow(from: day, to: day), .all)
                        #expect(found.fragments.map(\.track) == all.fragments.filter { $0.day == day }.map(\.track))
                    }
                    #expect(try lines(DayWindow(from: days.upperBound + 1, to: nil), .all).isEmpty)
                    count += 1
                }
            }
            #expect(count > 20)
        }
    }

    @Test(arguments: [
        (0.1, 0.1, 22.6, 0.1), (0.1, 0.1, 14.0, 13.8), (8.57, 50.03, -73.78, 40.64), (-170.0, -60.0, 170.0, 60.0),
        (10.0, 0.0, 10.4, 0.3), (0.0, 0.0, 89.99, 28.0), (1.0, 1.0, 1.0, 84.0), (0.0, 85.0515, 120.0, 85.0515),
        (10.0, 90.0, 10.0, -90.0), (-45.0, 1.0, 44.0, 27.0),
    ])
    func `a step takes at most 16 KB, whatever its length`(
        startLon: Double, startLat: Double, endLon: Double, endLat: Double
    ) throws {
        var sample = GridDump.samples[0]
        sample.longitudes = [startLon, endLon].map { Int64($0 * 1e6) }
        sample.latitudes = [startLat, endLat].map { Int64($0 * 1e6) }
        sample.elevations = [0, 0]
        sample.times = [0, 23 * 3_600_000]
        let source = MemorySource()
        source.add(sample, number: 0)
        let store = try grid("store")
        _ = try store.catchUp(with: source, calendar: calendar)
        var bytes = 0
        for table in ["tiles", "lines"] {
            // The size of a row besides its data: keys, digests, counts, and its entry in an index.
            let columns = table == "tiles" ? 26 : 36
            bytes += Int(
                try store.database.snapshot {
                    try $0.integer("SELECT coalesce(sum(length(data) + \(columns)), 0) FROM \(table)") ?? 0
                })
        }
        bytes += Int(
            try store.database.snapshot { try $0.integer("SELECT sum(length(tiles)) FROM tracks") ?? 0 })
        #expect(bytes < 16_384, "\(bytes) bytes")
    }
}
