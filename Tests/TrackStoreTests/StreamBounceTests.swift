import Files
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

/// Bouncing positions are found in a stream before it is cut into tracks.
@Suite(.eachStore) struct StreamBounceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Days of a phone at home, at times with bouncing positions, with pauses, and with walks to the same far place.
    private func points(seed: UInt64, days: Int) -> [TestPoint] {
        var random = SeededRandom(seed: seed)
        var points: [TestPoint] = []
        var time: Int64 = 1_700_000_000_000
        func add(_ east: Int64, _ north: Int64) {
            points.append(
                TestPoint(
                    longitude: 80_000_000 + east + Int64(random.below(300)), latitude: 470_000_000 + north, time: time))
        }
        for _ in 0..<days * 6 {
            let isBouncing = random.below(3) == 0
            for index in 0..<10 + random.below(40) {
                time += Int64(60 + random.below(500)) * 1000
                if isBouncing, index % 4 == 2 { add(600_000, 300_000) } else { add(0, 0) }
            }
            if random.below(4) == 0 {
                for step in 0..<20 {
                    time += 120_000
                    add(Int64(step < 10 ? step : 20 - step) * 60_000, Int64(step < 10 ? step : 20 - step) * 30_000)
                }
            }
            if random.below(3) == 0 { time += Int64(random.below(20)) * 3_600_000 }
        }
        return points
    }

    private struct Found: Equatable {
        var start: Int64?
        var end: Int64?
        var points: Int
        var metres: Double
        var outliers: [OutlierReason: Int]
        var annotations: PointAnnotations
    }

    private func found(_ store: TrackDatabase) throws -> [Found] {
        try store.allTracks().map {
            Found(
                start: $0.start, end: $0.end, points: $0.points, metres: $0.metres, outliers: $0.outliers,
                annotations: $0.annotations)
        }.sorted { ($0.start ?? 0) < ($1.start ?? 0) }
    }

    private func add(_ points: [TestPoint], to store: TrackDatabase) throws {
        for chunk in points.chunks() { try store.add([chunk], device: "phone") }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `points added in any order have the same bounces as a batch`(seed: UInt64) throws {
        let points = points(seed: seed, days: 6)
        let batch = try TrackDatabase.fresh(folder, "batch")
        try add(points, to: batch)
        let expected = try found(batch)
        #expect(expected.contains { $0.outliers[.bounce] ?? 0 > 5 })
        // Walks, whose points are on the way.
        #expect(expected.reduce(0) { $0 + $1.metres } > 5000)

        let other = try TrackDatabase.fresh(folder, "other")
        var random = SeededRandom(seed: seed + 50)
        let blocks = stride(from: 0, to: points.count, by: 7).map { Array(points[$0..<min($0 + 7, points.count)]) }
        for block in blocks.shuffled(using: &random) { try add(block, to: other) }
        #expect(try found(other) == expected)

        // As a phone sends them.
        let live = try TrackDatabase.fresh(folder, "live")
        for block in blocks { try add(block, to: live) }
        #expect(try found(live) == expected)
        #expect(try live.verify().isEmpty)
    }

    @Test func `what the removal of an import leaves is what was there before`() throws {
        let points = points(seed: 11, days: 4)
        let kept = points.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
        let expected = try TrackDatabase.fresh(folder, "expected")
        try add(kept, to: expected)
        let store = try TrackDatabase.fresh(folder, "store")
        try add(kept, to: store)
        let before = try found(store)
        #expect(try before == found(expected))
        // A rule that measures every track again changes nothing either.
        try store.setOutlierRule(.standard)
        #expect(try found(store) == before)
    }

    @Test func `a track that is measured again has the same rests, by all fields`() throws {
        let store = try TrackDatabase.fresh(folder)
        // A ladder, which has no way but height; a way and a rest; and a phone that is recorded as stationary, but jumps.
        var points: [TestPoint] = []
        for index in 0..<900 {
            let second = Int64(index)
            let (east, north): (Int64, Int64) =
                switch index {
                case ..<300: (second % 3, 0)
                case ..<310: (0, (second - 300) * 9000)
                case ..<600: (second % 3, 90_000)
                default: (second % 2 * 9000, 90_000)
                }
            points.append(
                TestPoint(
                    longitude: 80_000_000 + east, latitude: 470_000_000 + north,
                    time: 1_700_000_000_000 + second * 2000,
                    elevation: min(300, second) * 10))
        }
        var chunk = points.chunks()[0]
        let motion = points.indices.map { $0 >= 600 ? "stationary" : "walking" as String? }
        chunk.fields += [
            FieldColumn(name: "motion", values: .texts(motion)),
            FieldColumn(name: FieldName.speed, values: .numbers(places: 0, points.indices.map { $0 >= 600 ? 0 : 1 })),
        ]
        chunk.fields.sort { $0.name < $1.name }
        try store.add([chunk], RecordingHeader(source: "a.gpx"))
        try store.add([chunk], device: "phone")
        let before = try found(store)
        // The ladder is no rest, what follows is.
        #expect(before.allSatisfy { ($0.annotations.rests.first?.lowerBound ?? 0) > 300 })
        #expect(before.allSatisfy { $0.annotations.rests.last?.upperBound == 900 })
        try store.setOutlierRule(.standard)
        #expect(try found(store) == before)
    }

    @Test func `a change of the rule finds bounces of accuracies that it excluded before`() throws {
        let store = try TrackDatabase.fresh(folder)
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: (0..<90).map { 80_000_000 + ($0 % 3 == 2 ? 600_000 : 0) },
            latitudes: [Int64](repeating: 470_000_000, count: 90),
            times: (0..<90).map { 1_700_000_000_000 + Int64($0) * 300_000 }, segmentStarts: [],
            fields: [
                FieldColumn(
                    name: FieldName.horizontalAccuracy,
                    values: .numbers(places: 0, (0..<90).map { $0 % 3 == 2 ? 900 : 10 }))
            ])
        try store.add([chunk], device: "phone")
        #expect(try found(store).map(\.outliers) == [[.bounce: 29]])
        try store.setOutlierRule(OutlierRule(metresPerSecond: 350, jumpMetresPerSecond: 100, accuracyMetres: 500))
        #expect(try found(store).map(\.outliers) == [[.inaccurate: 30]])
        try store.setOutlierRule(.standard)
        #expect(try found(store).map(\.outliers) == [[.bounce: 29]])
    }
}
