import Database
import Digest
import Files
import Foundation
import HeatGrid
import Locking
import SQLite
import SampleTracks
import TestLibrary
import Testing
import TileMath
import Tracks

@testable import GridStorage

@Suite(.eachStore) struct GridStoreTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    /// Two dozen of the short tracks.
    private func grid(_ name: String) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        return try GridStore(folder: path, rule: GridDump.rule)
    }

    private func source(_ numbers: [Int]) -> MemorySource {
        let source = MemorySource()
        for number in numbers { source.add(GridDump.samples[number], number: Int64(number)) }
        return source
    }

    @Test func `a grid updated track by track, in any order, equals one built at once`() throws {
        let order = [3, 17, 0, 5, 23, 8, 1, 2, 4, 6, 7, 9, 22, 21, 20, 19, 18, 16, 15, 14, 13, 12, 11, 10]
        let trickle = MemorySource()
        let fed = try grid("fed")
        for number in order {
            trickle.add(GridDump.samples[number], number: Int64(number))
            let change = try fed.catchUp(with: trickle, calendar: calendar)
            #expect(change?.tiles?.isEmpty != true)
        }
        #expect(try fed.catchUp(with: trickle, calendar: calendar) == nil)
        let made = try grid("made")
        let atOnce = source(Array(0..<24))
        #expect(try made.catchUp(with: atOnce, calendar: calendar) != nil)
        #expect(try GridDump.lines(fed) == GridDump.lines(made))
        #expect(try GridDump.lines(made).contains { $0.hasPrefix("sums") })
        #expect(try GridDump.lines(made).contains { $0.hasPrefix("line_logs") })
        #expect(try GridDump.lines(made).contains { $0.hasPrefix("line_rasters") })
        #expect(try GridDump.lines(made).contains { $0.hasPrefix("line_codes") })
        let again = try fed.catchUp(with: trickle, calendar: calendar, rebuilding: true)
        #expect(again?.tiles == nil && again != nil)
        #expect(try GridDump.lines(fed) == GridDump.lines(made))
    }

    @Test func `each track is read once, and the progress reaches all points`() throws {
        let tracks = source(Array(0..<24))
        let last = Locked(GridProgress(fraction: 0, points: 0, totalPoints: 0))
        _ = try grid("once").catchUp(with: tracks, calendar: calendar) { progress in
            last.withLock { if progress.fraction > $0.fraction { $0 = progress } }
        }
        #expect(tracks.reads.count == 24 && tracks.reads.values.allSatisfy { $0 == 1 })
        let points = tracks.points(ofTracks: tracks.trackNumbers())
        #expect(last.withLock { $0.points } == points && last.withLock { $0.totalPoints } == points)
    }

    @Test func `after a removal the grid equals one that never had the tracks`() throws {
        let changing = source(Array(0..<24))
        let changed = try grid("changed")
        _ = try changed.catchUp(with: changing, calendar: calendar)
        for number in (0..<24).filter({ $0 % 3 == 1 }) {
            changing.remove([Int64(number)])
            _ = try changed.catchUp(with: changing, calendar: calendar)
        }
        changing.remove((0..<24).filter { $0 % 3 == 2 }.map { Int64($0) })
        _ = try changed.catchUp(with: changing, calendar: calendar)
        let never = try grid("never")
        _ = try never.catchUp(with: source((0..<24).filter { $0 % 3 == 0 }), calendar: calendar)
        #expect(try GridDump.lines(changed) == GridDump.lines(never))
        changing.remove((0..<24).map { Int64($0) })
        _ = try changed.catchUp(with: changing, calendar: calendar)
        #expect(try GridDump.lines(changed).isEmpty)
    }

    @Test func `a grid built with little memory equals one built with much`() throws {
        let tracks = source(Array(0..<24))
        let small = try grid("small")
        _ = try small.catchUp(with: tracks, calendar: calendar, memoryBytes: 100_000)
        let large = try grid("large")
        _ = try large.catchUp(with: tracks, calendar: calendar)
        #expect(try GridDump.lines(small) == GridDump.lines(large))
        let left = try Folder.entries(of: "\(folder.path)/small").map(\.path).filter { !$0.contains("grid.") }
        #expect(left.isEmpty)
    }

    @Test func `a changed track replaces its former cells`() throws {
        let changing = source([0, 1, 2, 3])
        let changed = try grid("changed")
        _ = try changed.catchUp(with: changing, calendar: calendar)
        changing.add(GridDump.samples[9], number: 2)
        _ = try changed.catchUp(with: changing, calendar: calendar)
        let expected = MemorySource()
        for (number, sample) in [(0, 0), (1, 1), (2, 9), (3, 3)] {
            expected.add(GridDump.samples[sample], number: Int64(number))
        }
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: expected, calendar: calendar)
        #expect(try GridDump.lines(changed) == GridDump.lines(fresh))
    }

    @Test func `another activity changes layers and digests, and changing it back restores them`() throws {
        let changing = source(Array(0..<24))
        let store = try grid("store")
        _ = try store.catchUp(with: changing, calendar: calendar)
        let before = try GridDump.lines(store)
        var other = GridDump.samples[5]
        other.activity = other.activity == "swim" ? "run" : "swim"
        changing.add(other, number: 5)
        _ = try store.catchUp(with: changing, calendar: calendar)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: changing, calendar: calendar)
        #expect(try GridDump.lines(store) == GridDump.lines(fresh))
        #expect(try GridDump.lines(store) != before)
        changing.add(GridDump.samples[5], number: 5)
        _ = try store.catchUp(with: changing, calendar: calendar)
        #expect(try GridDump.lines(store) == before)
    }

    @Test func `a grid that does not descend from the log or has another time zone is rebuilt`() throws {
        let tracks = source([0, 1, 2, 3, 4, 5])
        let store = try grid("store")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let before = try GridDump.lines(store)
        tracks.restart()
        let change = try store.catchUp(with: tracks, calendar: calendar)
        #expect(change?.tiles == nil && change?.after.revision == 1)
        #expect(try GridDump.lines(store) == before)
        let tokyo = try #require(DayCalendar(zone: "Asia/Tokyo"))
        #expect(try store.catchUp(with: tracks, calendar: tokyo) != nil)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: tracks, calendar: tokyo)
        #expect(try GridDump.lines(store) == GridDump.lines(fresh))
    }

    @Test(.onlySQLite("it damages the file")) func `a file that is not a database is replaced by an empty grid`() throws
    {
        let path = "\(folder.path)/broken"
        try Folder.make(path)
        try AtomicFile.write(
            Array("this is no database, but it is longer than a header of one hundred bytes, so that SQLite looks".utf8)
                + [UInt8](repeating: 7, count: 5000), to: path + "/grid.sqlite")
        let store = try GridStore(folder: path)
        #expect(try store.read { try $0.state() } == nil)
    }

    @Test(.onlySQLite("it damages the file")) func `a grid with damaged pages is rebuilt while it has readers`() throws
    {
        let tracks = source([0, 1, 2, 3, 4, 5])
        let store = try grid("damaged")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let sound = try GridDump.lines(store)
        try store.truncateLog()
        var bytes = try #require(try AtomicFile.read(store.path))
        for offset in bytes.count / 2..<min(bytes.count, bytes.count / 2 + 80_000) { bytes[offset] = 0xA5 }
        try AtomicFile.write(bytes, to: store.path)
        let again = try grid("damaged")
        #expect(try again.integrityProblems().isEmpty == false)
        _ = try again.catchUp(with: tracks, calendar: calendar, rebuilding: true)
        #expect(try again.integrityProblems().isEmpty)
        #expect(try GridDump.lines(again) == sound)
        #expect(try again.read { try $0.state() }?.revision == 6)
    }

    @Test func `histograms give the number of cells for each count`() throws {
        let store = try grid("store")
        _ = try store.catchUp(with: source(Array(0..<24)), calendar: calendar)
        try store.read { grid in
            var reader = TileReader()
            for zoom in [0, 7, 12, 14] {
                let level = try #require(ZoomLevel(zoom))
                var expected = CountHistogram()
                for tile in try grid.occupiedTiles(zoom: level, after: nil, limit: 100_000) {
                    for count in try grid.counts(of: tile, .everything, using: &reader).counts {
                        expected.add(count: count, cells: 1)
                    }
                }
                #expect(try grid.histogram(zoom: level, layer: 0) == expected)
                #expect(!expected.isEmpty)
            }
        }
    }

    /// In a process of its own: access to mapped memory beyond the end of a file would end the process.
    @Test func `a file that is truncated while it is read gives an error and does not end the process`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let grid = try GridStore(folder: folder.path, rule: GridDump.rule)
            let source = MemorySource()
            for number in 0..<24 { source.add(GridDump.samples[number], number: Int64(number)) }
            let calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
            _ = try grid.catchUp(with: source, calendar: calendar)
            try grid.truncateLog()
            let whole = FileStatus.ifExists(of: grid.path)?.byteCount ?? 0
            func read(_ body: (GridReader) throws -> Void) -> Bool {
                do {
                    try grid.read { reader in
                        // A reader that has begun does not notice the change.
                        _ = try reader.state()
                        try body(reader)
                    }
                    return true
                } catch {
                    return false
                }
            }
            let isRead = read { reader in
                let file = FileHandle(forUpdatingAtPath: grid.path)
                try #require(file).truncate(atOffset: UInt64(whole / 8))
                for level in 0...16 {
                    guard let zoom = ZoomLevel(level) else { continue }
                    for tile in try reader.occupiedTiles(zoom: zoom, after: nil, limit: .max) {
                        _ = try reader.row(of: tile.packed)
                    }
                }
            }
            #expect(whole > 100_000 && !isRead)
            _ = try grid.catchUp(with: source, calendar: calendar)
            #expect(try grid.integrityProblems().isEmpty)
        }
    }
}
