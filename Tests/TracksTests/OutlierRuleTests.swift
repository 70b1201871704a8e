import Testing

@testable import Tracks

struct OutlierRuleTests {
    /// Points at these longitudes (1e-7°) on one parallel, `step` milliseconds apart, with these accuracies.
    private func chunk(_ longitudes: [Int64], step: Int64 = 1000, accuracies: [Int64] = []) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 7), longitudes: longitudes, latitudes: longitudes.map { _ in 480_000_000 },
            times: longitudes.indices.map { 1_600_000_000_000 + Int64($0) * step }, segmentStarts: [0],
            fields: accuracies.isEmpty
                ? [] : [FieldColumn(name: FieldName.horizontalAccuracy, values: .numbers(places: 1, accuracies))])
    }

    private func exclusions(_ chunk: PointColumns, _ rule: OutlierRule) -> [OutlierReason?] {
        var detector = OutlierDetector(gap: .standard, kind: .file(longSegments: []), outlierRule: rule)
        var classified: [ClassifiedPoint] = []
        detector.add(chunk, into: &classified)
        detector.finish(into: &classified)
        return classified.map(\.outlierReason)
    }

    @Test func `A rule is parsed from its text, and any other text is refused`() {
        let thresholds: [Int?] = [nil, 1, 77, 1_000_000]
        for jump in thresholds {
            for accuracy in thresholds {
                let rule = OutlierRule(metresPerSecond: 350, jumpMetresPerSecond: jump, accuracyMetres: accuracy)
                #expect(OutlierRule(text: rule.text) == rule)
            }
        }
        for text in ["", "350", "350/100", "-/100/1000", "0/1/1", "350/1/1/1", "350/-1/2", "350/a/1", "1000001/-/-"] {
            #expect(OutlierRule(text: text) == nil, "\(text)")
        }
    }

    @Test func `A point with an accuracy worse than the threshold is an outlier, one on the threshold is not`() {
        let points = chunk([0, 10, 20, 30], accuracies: [50, 9999, 10_000, 10_001])
        #expect(exclusions(points, .standard) == [nil, nil, nil, .inaccurate])
        var strict = OutlierRule.standard
        strict.accuracyMetres = 5
        #expect(exclusions(points, strict) == [nil, .inaccurate, .inaccurate, .inaccurate])
        strict.accuracyMetres = nil
        #expect(exclusions(points, strict) == [nil, nil, nil, nil])
    }

    @Test func `Points without an accuracy are no outliers`() {
        let points = chunk([0, 10, 20], accuracies: [FieldColumn.absent, 20_000, FieldColumn.absent])
        #expect(exclusions(points, .standard) == [nil, .inaccurate, nil])
    }

    @Test func `An inaccurate point is skipped when points are joined`() {
        var detector = OutlierDetector(gap: .standard, kind: .file(longSegments: []), outlierRule: .standard)
        var classified: [ClassifiedPoint] = []
        detector.add(chunk([0, 5000, 20], accuracies: [50, 20_000, 50]), into: &classified)
        detector.finish(into: &classified)
        #expect(classified.map(\.connection) == [.begins, .begins, .continues])
    }

    /// 0.05° on the 48th parallel is 3.7 km: 186 m/s in 20 s.
    @Test func `A jump away and back is an outlier, a fast step onwards is not`() {
        let jump = chunk([0, 100, 500_000, 200, 300], step: 20_000)
        #expect(exclusions(jump, .standard) == [nil, nil, .jump, nil, nil])
        let flight = chunk([0, 500_000, 1_000_000, 1_500_000], step: 20_000)
        #expect(exclusions(flight, .standard) == [nil, nil, nil, nil])
        let slow = chunk([0, 100, 500_000, 200, 300], step: 60_000)
        #expect(exclusions(slow, .standard) == [nil, nil, nil, nil, nil])
        var lax = OutlierRule.standard
        lax.jumpMetresPerSecond = nil
        #expect(exclusions(jump, lax) == [nil, nil, nil, nil, nil])
    }

    @Test func `An impossible speed takes precedence over a jump`() {
        let points = chunk([0, 100, 500_000, 200, 300], step: 1000)
        #expect(exclusions(points, .standard) == [nil, nil, .impossibleSpeed, nil, nil])
        var slower = OutlierRule.standard
        slower.metresPerSecond = 5000
        #expect(exclusions(points, slower) == [nil, nil, .jump, nil, nil])
    }

    @Test func `Outliers do not depend on chunk boundaries`() {
        let longitudes: [Int64] = (0..<40).map { $0 * 10 + ($0 % 7 == 3 ? 600_000 : 0) }
        let accuracies: [Int64] = (0..<40).map { $0 % 5 == 1 ? 12_000 : 40 }
        let whole = chunk(longitudes, step: 20_000, accuracies: accuracies)
        let expected = exclusions(whole, .standard)
        #expect(Set(expected) == [nil, .jump, .inaccurate])
        for cut in 1..<40 {
            var detector = OutlierDetector(gap: .standard, kind: .file(longSegments: []), outlierRule: .standard)
            var classified: [ClassifiedPoint] = []
            for range in [0..<cut, cut..<40] {
                let accuracies = Array(accuracies[range])
                detector.add(
                    PointColumns(
                        unit: whole.unit, longitudes: Array(whole.longitudes[range]),
                        latitudes: Array(whole.latitudes[range]), times: Array(whole.times[range]),
                        segmentStarts: range.lowerBound == 0 ? [0] : [],
                        fields: [
                            FieldColumn(
                                name: FieldName.horizontalAccuracy, values: .numbers(places: 1, accuracies))
                        ]), into: &classified)
            }
            detector.finish(into: &classified)
            #expect(classified.map(\.outlierReason) == expected, "\(cut)")
        }
    }
}
