import Files
import Replay
import TestLibrary
import TestSupport
import Testing
import TrackQuery
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite("Tracks of a library in a replay", .eachStore)
struct TrackReplayTests {
    private let folder = try? TemporaryFolder()

    private func library() throws -> Library {
        try Library(folder: try #require(folder).path + "/library", zoneIfNew: "Europe/Berlin")
    }

    private func source(_ library: Library, layer: String = "all") throws -> TrackReplaySource {
        try #require(try TrackReplaySource(library, layer: layer))
    }

    private func events(
        _ query: ReplayQuery, _ source: TrackReplaySource, after id: String? = nil
    ) throws -> [ReplayEvent] {
        var sequence = try ReplaySequence(query, source: source, after: id.flatMap { ReplayCursor($0) })
        var events: [ReplayEvent] = []
        while let event = try sequence.next() { events.append(event) }
        return events
    }

    /// All points of a track, read in several chunks.
    private func read(_ track: ReplayTrack, _ source: TrackReplaySource) throws -> PointColumns {
        var table = PointColumns()
        var position = ReadingPosition()
        while case .points(let chunk) = try source.points(of: track, at: position, fields: true, most: 100) {
            #expect(chunk.count > 0)
            position.advance(over: chunk)
            table.append(chunk)
        }
        return table
    }

    @Test("are read in parts that add up to the whole track, for files and streams")
    func portions() throws {
        let library = try library()
        try library.database.add(outing(start: 1_700_000_000, count: 9000, segments: [0, 4200]))
        try library.database.add(outing(start: 1_700_100_000, count: 9000), source: "b.json", device: "phone")
        let source = try source(library)
        for track in try library.database.allTracks() {
            let whole = try library.database.points(of: track)
            let portions = try read(try #require(try source.track(id: track.id)), source)
            #expect(portions.gathered(0..<portions.count) == whole.gathered(0..<whole.count))
        }
    }

    @Test("are read to their end if many points of a stream have the same time")
    func equalTimes() throws {
        let library = try library()
        var random = SeededRandom(seed: 3)
        for _ in 0..<4 {
            let seconds = (0..<3000).map { Int64(1_700_000_000 + $0 / 1500) }
            let chunk = PointColumns(
                unit: .decimal(places: 7),
                longitudes: seconds.map { _ in 134_000_000 + Int64(random.below(100_000)) },
                latitudes: seconds.map { _ in 525_000_000 }, times: seconds.map { $0 * 1000 }, segmentStarts: [])
            try library.database.add([chunk], device: "phone")
        }
        let track = try #require(try library.database.allTracks().first)
        let source = try source(library)
        let points = try read(try #require(try source.track(id: track.id)), source)
        #expect(points.count == track.points && track.points > 2 * PointChunk.capacity)
    }

    @Test("are ordered by start, filtered by layer, and continue after any of them")
    func order() throws {
        let library = try library()
        for (index, activity) in ["ride", "walk", "ride", "ride"].enumerated() {
            let start = 1_700_000_000 + Int64(index % 3) * 100_000
            try library.database.add([
                (
                    outing(start: start, count: 20, longitude: 134_000_000 + Int64(index)),
                    RecordingHeader(activity: activity, source: "\(index).gpx")
                )
            ])
        }
        _ = try library.database.addLayer(name: "slow", condition: try TrackCondition(parsing: "activity = walk"))
        for (layer, count) in [("all", 4), ("ride", 3), ("walk", 1), ("slow", 1)] {
            let source = try source(library, layer: layer)
            var order: ReplayOrder?
            var tracks: [ReplayTrack] = []
            while let track = try source.track(after: order, from: .min, to: .max) {
                tracks.append(track)
                order = track.order
            }
            #expect(tracks.count == count, "\(layer)")
            #expect(tracks.map(\.order) == tracks.map(\.order).sorted())
            #expect(try source.totals(from: .min, to: .max).points == count * 20)
        }
        #expect(try TrackReplaySource(library, layer: "none") == nil)
    }

    @Test("of a window are those that overlap it, its end excluded")
    func window() throws {
        let library = try library()
        for start: Int64 in [1000, 2000, 3000] { try library.database.add(outing(start: start, count: 100)) }
        let source = try source(library)
        #expect(try source.totals(from: 1_099_000, to: 3_000_000).tracks == 2)
        #expect(try source.totals(from: 1_099_001, to: 3_000_001).tracks == 2)
        #expect(
            try source.totals(from: 1_050_000, to: 1_060_000)
                == ReplayTotals(tracks: 1, points: 100, trackMilliseconds: 10_000))
    }

    @Test("continue after any event while other tracks are imported, and restart if their own points changed")
    func growth() throws {
        let library = try library()
        try library.database.add(outing(start: 1_700_000_000, count: 300), device: "phone")
        let source = try source(library)
        let query = ReplayQuery(.window(from: nil, to: nil, layer: "all"))
        let before = try events(query, source)
        // A day later, in the same stream: its chunks are divided again.
        try library.database.add(outing(start: 1_700_086_400, count: 50), device: "phone")
        let after = try events(query, source)
        #expect(after.count == before.count + 52)
        for index in stride(from: 1, to: before.count - 1, by: 37) {
            #expect(try events(query, source, after: before[index].id) == Array(after[(index + 1)...]))
        }
        // Within the first track.
        try library.database.add([trickle([1_700_000_100])], device: "phone")
        let rest = try events(query, source, after: before[200].id)
        #expect(rest.prefix(3).map(\.name) == [.reset, .start, .track])
        #expect(rest.last?.name == .end)
    }

    @Test("restart with the remaining tracks if some are removed during the replay")
    func removal() throws {
        let library = try library()
        try library.database.add(outing(start: 1_700_000_000, count: 9000))
        try library.database.add(outing(start: 1_700_200_000, count: 10), source: "b.gpx")
        let query = ReplayQuery(.window(from: nil, to: nil, layer: "all"))
        var sequence = try ReplaySequence(query, source: try source(library))
        for _ in 0..<100 { _ = try sequence.next() }
        let first = try #require(try library.database.allTracks().last)
        _ = try library.remove([first.id]) { _ in }
        var rest: [ReplayEvent.Name] = []
        while let event = try sequence.next() { rest.append(event.name) }
        let tail = rest.suffix(15)
        #expect(Array(tail.prefix(3)) == [.reset, .start, .track])
        #expect(tail.filter { $0 == .frame }.count == 10)
    }
}
