import Testing
import Text
import Tracks

@testable import TrackImport

@Suite("Recordings of a file whose points come mixed")
struct InterleavedTracksTests {
    private let sink = CollectingSink()

    private func table() -> InterleavedTracks {
        InterleavedTracks(
            FileReading(FileReceipt(file: "a.csv"), source: "a.csv", into: sink, options: ImportOptions()))
    }

    private func add(_ point: Int, to number: Int, of table: inout InterleavedTracks) throws {
        table[builder: number].addPoint(
            longitude: FixedDecimal(mantissa: Int64(point), places: 3), latitude: FixedDecimal(mantissa: 1, places: 0),
            time: Instant(milliseconds: 1_600_000_000_000 + Int64(point) * 1000))
        try table.added(1, to: number)
    }

    @Test func `A recording takes 64 bytes while no point of it waits`() {
        #expect(MemoryLayout<InterleavedTracks.Track>.stride == 64)
    }

    @Test func `Builders are given back, however many recordings are open, and no point is lost`() throws {
        var table = table()
        let count = InterleavedTracks.builderLimit + 1000
        for round in 0..<2 {
            for track in 0..<count {
                try add(round, to: try table.number(of: TrackKey(track: "\(track)")), of: &table)
                #expect(table.buildersInUse < InterleavedTracks.builderLimit)
            }
        }
        #expect(table.tracks.count == count)
        try table.end()
        #expect(sink.recordings.count == count)
        #expect(sink.recordings.allSatisfy { $0.points.count == 2 })
    }

    @Test func `A segment goes on behind the points that were given away`() throws {
        var table = table()
        let (first, second) = (try table.number(of: TrackKey(group: 0)), try table.number(of: TrackKey(group: 1)))
        try add(0, to: first, of: &table)
        for track in 2..<InterleavedTracks.builderLimit + 2 {
            try add(0, to: try table.number(of: TrackKey(group: track)), of: &table)
        }
        try add(1, to: first, of: &table)
        try add(0, to: second, of: &table)
        table[builder: second].beginSegment()
        try add(1, to: second, of: &table)
        try table.end()
        let starts = sink.recordings.prefix(2).map { $0.chunks.map(\.segmentStarts) }
        #expect(starts == [[[0], []], [[0, 1]]])
    }

    @Test func `Keys that differ in one part alone are different recordings`() throws {
        var table = table()
        let keys = [
            TrackKey(), TrackKey(person: "a"), TrackKey(device: "a"), TrackKey(track: "a"), TrackKey(activity: "a"),
            TrackKey(group: 0), TrackKey(person: "a", device: "a", track: "a", activity: "a", group: 0),
        ]
        #expect(keys.map { table.knownNumber(of: $0) } == keys.map { _ in nil })
        #expect(try keys.map { try table.number(of: $0) } == Array(keys.indices))
        #expect(try keys.map { try table.number(of: $0) } == Array(keys.indices))
        #expect(keys.map { table.knownNumber(of: $0) } == keys.indices.map { $0 })
    }
}
