import Digest
import Files
import Foundation
import HeatGrid
import Locking
import SQLite
import SampleTracks
import Testing
import TileMath
import Tracks

@testable import TrackStore

/// A truth in memory: tracks of the sample city under numbers of the test's choice.
final class MemorySource: GridSource {
    struct Stored: Sendable {
        var chunks: [PointChunk]
        var track: GridTrack
    }

    private struct State: Sendable {
        var tracks: [Int64: Stored] = [:]
        var activities: [String: UInt8] = [
            "ride": 1, "run": 2, "walk": 3, "train": 4, "drive": 5, "flight": 6, "swim": 7,
        ]
        var log: [(position: Head, numbers: [Int64])] = []
    }

    private let state = Locked(State())

    func add(_ sample: SampleTrack, number: Int64) {
        var measure = TrackMeasure(gap: .standard, isStream: false)
        for chunk in sample.chunks { measure.add(chunk) }
        let summary = measure.finish()
        var digester = Digester()
        for chunk in sample.chunks {
            for index in 0..<chunk.count {
                digester.update(chunk.longitudes[index])
                digester.update(chunk.latitudes[index])
                digester.update(chunk.times[index])
            }
        }
        let track = GridTrack(
            number: number, person: Int64(sample.person.utf8.reduce(1) { ($0 * 31 + Int($1)) % 1000 }),
            personDigest: ContentDigest(of: Array(sample.person.utf8)),
            activityNumber: activityNumber(of: sample.activity),
            activity: sample.activity, gap: .standard, isStream: false, longSegments: summary.longSegments,
            digest: digester.finish(), points: summary.points, start: summary.start ?? Instant.none)
        let chunks = sample.chunks
        change([number]) { $0[number] = Stored(chunks: chunks, track: track) }
    }

    private func activityNumber(of name: String) -> UInt8 {
        state.withLock { state in
            if let known = state.activities[name] { return known }
            let number = UInt8(state.activities.count + 1)
            state.activities[name] = number
            return number
        }
    }

    func remove(_ numbers: [Int64]) {
        change(numbers) { tracks in for number in numbers { tracks[number] = nil } }
    }

    /// Forgets the log, as a backup put back does.
    func restart() {
        state.withLock { state in
            state.log = [(Head(revision: 1, digest: ContentDigest(of: [9])), Array(state.tracks.keys))]
        }
    }

    private func change(_ numbers: [Int64], _ body: (inout [Int64: Stored]) -> Void) {
        state.withLock { state in
            body(&state.tracks)
            let revision = (state.log.last?.position.revision ?? 0) + 1
            var digester = Digester()
            digester.update(state.log.last?.position.digest ?? ContentDigest(of: []))
            for number in numbers { digester.update(number) }
            state.log.append((Head(revision: revision, digest: digester.finish()), numbers))
        }
    }

    func head() -> Head {
        state.withLock { $0.log.last?.position } ?? Head(revision: 0, digest: ContentDigest(of: []))
    }

    func digest(at revision: Int64) -> ContentDigest? {
        if revision == 0 { return ContentDigest(of: []) }
        return state.withLock { state in state.log.first { $0.position.revision == revision }?.position.digest }
    }

    func tracksChanged(since revision: Int64) -> [Int64] {
        state.withLock { state in
            Set(state.log.filter { $0.position.revision > revision }.flatMap(\.numbers)).sorted()
        }
    }

    func trackNumbers() -> [Int64] { state.withLock { $0.tracks.keys.sorted() } }
    func gridTrack(_ number: Int64) -> GridTrack? { state.withLock { $0.tracks[number]?.track } }

    func forEachChunk(ofTrack number: Int64, _ body: (PointChunk) throws -> Void) throws {
        for chunk in state.withLock({ $0.tracks[number]?.chunks }) ?? [] { try body(chunk) }
    }
}

@Suite struct GridStoreTests {
    private let folder: TemporaryFolder
    private let calendar: DayCalendar

    init() throws {
        folder = try TemporaryFolder()
        calendar = try #require(DayCalendar(zone: "Europe/Berlin"))
    }

    /// Two dozen of the short ones.
    private static let samples = Array(
        SampleTracks(SampleSpec(size: .tracks(600), seed: 42)).lazy.filter { $0.count < 1_600 }.prefix(24))

    /// Sums begin early, so that two dozen tracks have tiles that are dense, become so and cease to be.
    private static let rule = {
        var rule = SumRule()
        rule.denseVisits = 1200
        rule.leastVisits = 700
        rule.gain = 1
        return rule
    }()

    private func grid(_ name: String) throws -> GridStore {
        let path = "\(folder.path)/\(name)"
        try Folder.make(path)
        return try GridStore(folder: path, rule: Self.rule)
    }

    /// Every row of every table that is content: what two equal grids share byte for byte.
    private func dump(_ grid: GridStore) throws -> [String] {
        let connection = try Connection(path: grid.path, options: OpenOptions(mode: .readOnly))
        var lines: [String] = []
        for table in ["tiles", "logs", "sums", "histograms", "lines", "line_logs", "tracks", "activities"] {
            try connection.forEach("SELECT * FROM \(table) ORDER BY 1") { row in
                let cells = (0..<row.columnCount).map { column in
                    ContentDigest(of: row.blob(column)).description.prefix(12) + ":" + row.text(column).prefix(20)
                }
                lines.append("\(table) \(cells.joined(separator: " "))")
            }
        }
        return lines
    }

    private func source(_ numbers: [Int]) -> MemorySource {
        let source = MemorySource()
        for number in numbers { source.add(Self.samples[number], number: Int64(number)) }
        return source
    }

    @Test func `a grid fed track by track, in any order, equals one made at once`() throws {
        let order = [3, 17, 0, 5, 23, 8, 1, 2, 4, 6, 7, 9, 22, 21, 20, 19, 18, 16, 15, 14, 13, 12, 11, 10]
        let trickle = MemorySource()
        let fed = try grid("fed")
        for number in order {
            trickle.add(Self.samples[number], number: Int64(number))
            let change = try fed.catchUp(with: trickle, calendar: calendar)
            #expect(change?.tiles?.isEmpty != true)
        }
        #expect(try fed.catchUp(with: trickle, calendar: calendar) == nil)
        let made = try grid("made")
        let atOnce = source(Array(0..<24))
        #expect(try made.catchUp(with: atOnce, calendar: calendar) != nil)
        #expect(try dump(fed) == dump(made))
        #expect(try dump(made).contains { $0.hasPrefix("sums") })
        let again = try fed.catchUp(with: trickle, calendar: calendar, anew: true)
        #expect(again?.tiles == nil && again != nil)
        #expect(try dump(fed) == dump(made))
    }

    @Test func `tracks taken away leave the grid as if they had never been there`() throws {
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
        #expect(try dump(changed) == dump(never))
        changing.remove((0..<24).map { Int64($0) })
        _ = try changed.catchUp(with: changing, calendar: calendar)
        #expect(try dump(changed).isEmpty)
    }

    @Test func `a grid made with little memory equals one made with much`() throws {
        let tracks = source(Array(0..<24))
        let small = try grid("small")
        _ = try small.catchUp(with: tracks, calendar: calendar, memoryBytes: 100_000)
        let large = try grid("large")
        _ = try large.catchUp(with: tracks, calendar: calendar)
        #expect(try dump(small) == dump(large))
        let left = try Folder.entries(of: "\(folder.path)/small").map(\.path).filter { !$0.contains("grid.") }
        #expect(left.isEmpty)
    }

    @Test func `a changed track replaces what it was`() throws {
        let changing = source([0, 1, 2, 3])
        let changed = try grid("changed")
        _ = try changed.catchUp(with: changing, calendar: calendar)
        changing.add(Self.samples[9], number: 2)
        _ = try changed.catchUp(with: changing, calendar: calendar)
        let expected = MemorySource()
        for (number, sample) in [(0, 0), (1, 1), (2, 9), (3, 3)] {
            expected.add(Self.samples[sample], number: Int64(number))
        }
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: expected, calendar: calendar)
        #expect(try dump(changed) == dump(fresh))
    }

    @Test func `a track of another activity changes layers and digests, and back again leaves no trace`() throws {
        let changing = source(Array(0..<24))
        let store = try grid("store")
        _ = try store.catchUp(with: changing, calendar: calendar)
        let before = try dump(store)
        var other = Self.samples[5]
        other.activity = other.activity == "swim" ? "run" : "swim"
        changing.add(other, number: 5)
        _ = try store.catchUp(with: changing, calendar: calendar)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: changing, calendar: calendar)
        #expect(try dump(store) == dump(fresh))
        #expect(try dump(store) != before)
        changing.add(Self.samples[5], number: 5)
        _ = try store.catchUp(with: changing, calendar: calendar)
        #expect(try dump(store) == before)
    }

    @Test func `a grid that does not descend from the log, or of another zone, is made anew`() throws {
        let tracks = source([0, 1, 2, 3, 4, 5])
        let store = try grid("store")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let before = try dump(store)
        tracks.restart()
        let change = try store.catchUp(with: tracks, calendar: calendar)
        #expect(change?.tiles == nil && change?.after.revision == 1)
        #expect(try dump(store) == before)
        let tokyo = try #require(DayCalendar(zone: "Asia/Tokyo"))
        #expect(try store.catchUp(with: tracks, calendar: tokyo) != nil)
        let fresh = try grid("fresh")
        _ = try fresh.catchUp(with: tracks, calendar: tokyo)
        #expect(try dump(store) == dump(fresh))
    }

    @Test func `a file that is no database is replaced by an empty grid`() throws {
        let path = "\(folder.path)/broken"
        try Folder.make(path)
        try WholeFile.write(
            Array("this is no database, but it is longer than a header of one hundred bytes, so that SQLite looks".utf8)
                + [UInt8](repeating: 7, count: 5000), to: path + "/grid.sqlite")
        let store = try GridStore(folder: path)
        #expect(try store.read { try $0.state() } == nil)
    }

    @Test func `a grid with damaged pages is made anew, under the eyes of its readers`() throws {
        let tracks = source([0, 1, 2, 3, 4, 5])
        let store = try grid("damaged")
        _ = try store.catchUp(with: tracks, calendar: calendar)
        let sound = try dump(store)
        try store.truncateLog()
        var bytes = try #require(try WholeFile.read(store.path))
        for offset in bytes.count / 2..<min(bytes.count, bytes.count / 2 + 80_000) { bytes[offset] = 0xA5 }
        try WholeFile.write(bytes, to: store.path)
        let again = try grid("damaged")
        #expect(try again.integrityProblems().isEmpty == false)
        _ = try again.catchUp(with: tracks, calendar: calendar, anew: true)
        #expect(try again.integrityProblems().isEmpty)
        #expect(try dump(again) == sound)
        #expect(try again.read { try $0.state() }?.revision == 6)
    }

    @Test func `histograms tell how many cells have which count`() throws {
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
}
