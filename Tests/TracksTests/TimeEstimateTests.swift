import Testing
import Tracks

@Suite struct TimeEstimateTests {
    /// Points 100 m apart on a meridian, with times in seconds.
    private static func chunk(_ seconds: [Int?], metres: [Int]? = nil, segments: [Int] = [0]) -> PointColumns {
        var north = 0
        let norths = seconds.indices.map { index in
            north += index == 0 ? 0 : metres?[index] ?? 100
            return 520_000_000 + Int64(Double(north) / 0.0111278)
        }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: seconds.map { _ in 130_000_000 }, latitudes: norths,
            times: seconds.map { $0.map { Int64($0) * 1000 } ?? PointColumns.untimed }, segmentStarts: segments)
    }

    private static func summary(_ chunk: PointColumns, _ gap: GapRule) -> TrackSummary {
        var builder = TrackSummaryBuilder(gap: gap, isStream: false, outlierRule: .standard)
        builder.add(chunk)
        return builder.finish()
    }

    static func summary(_ seconds: [Int?]) -> TrackSummary { summary(chunk(seconds), .standard) }

    /// The times in seconds that points get, and whether these are estimated.
    private func classified(
        _ chunk: PointColumns, gap: GapRule = .standard, portion size: Int = 1000
    ) -> [(seconds: Double?, isEstimated: Bool)] {
        let summary = Self.summary(chunk, gap)
        var detector = summary.detector(gap: gap, isStream: false, outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        for start in stride(from: 0, to: chunk.count, by: size) {
            let range = start..<min(start + size, chunk.count)
            detector.add(
                PointColumns(
                    unit: chunk.unit, longitudes: Array(chunk.longitudes[range]),
                    latitudes: Array(chunk.latitudes[range]), times: Array(chunk.times[range]),
                    segmentStarts: chunk.segmentStarts.filter { range.contains($0) }.map { $0 - start }),
                into: &classified)
        }
        detector.finish(into: &classified)
        return classified.map { ($0.time == PointColumns.untimed ? nil : Double($0.time) / 1000, $0.isTimeEstimated) }
    }

    private func seconds(_ seconds: [Int?], gap: GapRule = .standard, metres: [Int]? = nil, segments: [Int] = [0])
        -> [Double?]
    {
        // 100 m are not exactly a whole number of units.
        classified(Self.chunk(seconds, metres: metres, segments: segments), gap: gap).map { classified in
            classified.seconds.map { $0 > 1000 ? ($0 / 100).rounded() * 100 : $0.rounded() }
        }
    }

    @Test func `untimed points between timed ones share the time by their way`() {
        let found = classified(Self.chunk([0, nil, nil, 600], metres: [0, 100, 400, 100]))
        #expect(found.map(\.isEstimated) == [false, true, true, false])
        for (seconds, expected) in zip(found.compactMap(\.seconds), [0, 100, 500, 600.0]) {
            #expect(abs(seconds - expected) < 0.01)
        }
        for size in 1...3 {
            #expect(
                classified(Self.chunk([0, nil, nil, 600], metres: [0, 100, 400, 100]), portion: size).map(\.seconds)
                    == found.map(\.seconds))
        }
    }

    @Test func `without a way they share it equally`() {
        #expect(seconds([0, nil, nil, nil, 400], metres: [0, 0, 0, 0, 0]) == [0, 100, 200, 300, 400])
    }

    @Test func `every run has its own times`() {
        #expect(seconds([0, nil, 60, 70, nil, nil, 100]) == [0, 30, 60, 70, 80, 90, 100])
    }

    @Test func `times are not estimated at the ends, over segments, backwards, over a day, or too fast`() {
        #expect(seconds([nil, nil, 60, nil]) == [nil, nil, 60, nil])
        #expect(seconds([0, nil, nil, 60], segments: [0, 2]) == [0, nil, nil, 60])
        #expect(seconds([60, nil, 0]) == [60, nil, 0])
        #expect(seconds([0, nil, 86_401]) == [0, nil, 86_400])
        #expect(seconds([0, nil, 86_400]) == [0, 43_200, 86_400])
        #expect(seconds([0, nil, 10], metres: [0, 5000, 5000]) == [0, nil, 10])
        #expect(seconds([0, nil, 601], gap: .pause(milliseconds: 600_000)) == [0, nil, 601])
        #expect(seconds([0, nil, 600], gap: .pause(milliseconds: 600_000)) == [0, 300, 600])
        #expect(seconds([0, nil, 172_800], gap: .none) == [0, 86_400, 172_800])
    }
}
