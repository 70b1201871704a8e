import Files
import Locking
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

/// Many recordings that are open at once, with little memory.
@Suite(.eachStore) struct SpilledImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The recordings and chunks to append: long and short chunks, some with fields and finer coordinates.
    private static func appends(seed: UInt64, recordings: Int) -> [(recording: Int, chunk: PointColumns)] {
        var random = SeededRandom(seed: seed)
        var times = [Int64](repeating: 1_600_000_000_000, count: recordings)
        return (0..<recordings * 12).map { turn in
            // The first three recordings are long, the others have a few points each.
            let recording = random.below(4) == 0 ? random.below(3) : random.below(recordings)
            let count = recording < 3 ? [1, 700, 4096, 5000][random.below(4)] : 1 + random.below(30)
            let base = Int64(recording) * 100_000
            let places: UInt8 = random.below(3) == 0 ? 9 : 7
            let scale: Int64 = places == 9 ? 100 : 1
            var fields: [FieldColumn] = []
            if random.below(2) == 0 {
                fields = [
                    FieldColumn(
                        name: FieldName.elevation,
                        values: .numbers(places: 1, (0..<count).map { _ in Int64(random.below(9000)) }))
                ]
            }
            let chunk = PointColumns(
                unit: .decimal(places: places),
                longitudes: (0..<count).map { base + Int64(turn * 50 + $0) * 10 * scale + Int64(random.below(5)) },
                latitudes: (0..<count).map { _ in (500_000_000 + Int64(random.below(1000))) * scale },
                times: (0..<count).map { _ in
                    times[recording] += Int64(1 + random.below(60)) * 1000
                    return times[recording]
                },
                segmentStarts: random.below(5) == 0 ? [0] : [], fields: fields)
            return (recording, chunk)
        }
    }

    private func content(_ name: String, memoryBytes: Int, seed: UInt64, abandoning: Set<Int> = []) throws
        -> [TrackContent]
    {
        let store = try TrackDatabase(folder: "\(folder.path)/\(name)")
        let session = try ImportSession(store: store, importNumber: ImportRecord.none, memoryBytes: memoryBytes)
        let recordings = 40
        let open = try (0..<recordings).map { _ in try session.open() }
        for append in Self.appends(seed: seed, recordings: recordings) {
            try session.append(append.chunk, to: open[append.recording])
        }
        for number in 0..<recordings {
            if abandoning.contains(number) {
                session.abandon(open[number])
            } else {
                _ = try session.close(open[number], header: RecordingHeader(name: "\(number)", source: "a.csv"))
            }
        }
        try session.finish()
        #expect(try store.verify().isEmpty)
        #expect(try store.asideCount() == 0)
        #expect(store.buffered.withLock { $0 } == 0)
        return try store.content()
    }

    @Test(arguments: UInt64(1)...3) func `spilled recordings are stored like those held in memory`(seed: UInt64)
        throws
    {
        let expected = try content("memory", memoryBytes: ImportSession.sharedBytes, seed: seed)
        #expect(expected.count == 40)
        for memoryBytes in [0, 50_000, 400_000] {
            #expect(try content("spilled-\(memoryBytes)", memoryBytes: memoryBytes, seed: seed) == expected)
        }
    }

    @Test func `a spilled recording that is abandoned leaves nothing`() throws {
        let kept = try content("whole", memoryBytes: 0, seed: 7).filter { !["1", "20"].contains($0.track.name) }
        #expect(try content("abandoned", memoryBytes: 0, seed: 7, abandoning: [1, 20]) == kept)
    }
}
