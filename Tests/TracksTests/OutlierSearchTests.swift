import Foundation
import TestSupport
import Testing
import Tracks

@Suite struct OutlierSearchTests {
    /// A point in metres, at a time in minutes.
    private struct Place {
        var east: Double
        var north: Double
        var minutes: Double
        var accuracy: Int64?
        var beginsSegment = false
    }

    private func chunk(_ places: [Place], isFirst: Bool = true) -> PointColumns {
        let accuracies = places.map { $0.accuracy ?? FieldColumn.absent }
        return PointColumns(
            unit: .decimal(places: 7), longitudes: places.map { 65_000_000 + Int64($0.east / 111_195 / 0.7157 * 1e7) },
            latitudes: places.map { 443_000_000 + Int64($0.north / 111_195 * 1e7) },
            times: places.map { Int64($0.minutes * 60_000) },
            segmentStarts: places.indices.filter { $0 == 0 && isFirst || places[$0].beginsSegment },
            fields: places.contains { $0.accuracy != nil }
                ? [FieldColumn(name: FieldName.horizontalAccuracy, values: .numbers(places: 0, accuracies))] : [])
    }

    /// The summary as it is made of a recording, and whether a search was needed.
    private func measured(_ places: [Place], isStream: Bool = true) -> (summary: TrackSummary, isSearched: Bool) {
        let chunk = chunk(places)
        var builder = TrackSummaryBuilder(gap: .none, isStream: isStream, outlierRule: .standard)
        builder.add(chunk)
        let first = builder.finish()
        guard first.needsOutlierSearch else { return (first, false) }
        var search = OutlierSearch(outlierRule: .standard, isStream: false)
        search.add(chunk)
        builder = TrackSummaryBuilder(
            gap: .none, isStream: isStream, outlierRule: .standard, outliers: search.finish())
        builder.add(chunk)
        return (builder.finish(), true)
    }

    /// A phone at one place that is far off at some points.
    private func phone(
        off: (Int) -> Bool, accuracies: (home: Int64, off: Int64)?, count: Int = 96, every: Double = 5
    ) -> [Place] {
        (0..<count).map { index in
            let error = Double(index * 37 % 11) - 5
            let isOff = off(index)
            return Place(
                east: (isOff ? 4000 : 0) + error, north: (isOff ? 2200 : 0) - error, minutes: Double(index) * every,
                accuracy: accuracies.map { isOff ? $0.off : $0.home })
        }
    }

    @Test func `every third point at one false place is an outlier, with and without accuracies`() {
        for accuracies in [(home: Int64(12), off: Int64(900)), nil] {
            let (summary, _) = measured(phone(off: { $0 % 3 == 2 }, accuracies: accuracies))
            #expect(summary.outliers == [.bounce: 31])
            // The last point is off, and nothing comes back from it.
            #expect(summary.metres < 5000)
        }
    }

    @Test func `every other point is an outlier if its accuracy says so`() {
        let (summary, _) = measured(phone(off: { $0 % 2 == 1 }, accuracies: (12, 400)))
        #expect(summary.outliers == [.bounce: 47])
        // Otherwise nothing tells which of the two places is the right one.
        #expect(measured(phone(off: { $0 % 2 == 1 }, accuracies: nil)).summary.outliers.isEmpty)
    }

    @Test func `a long recording is searched in parts, with the same result`() {
        // A month with a point every ten seconds; bounces in the hours of some nights.
        let home = (0..<260_000).map { index -> Place in
            let hour = index / 360 % 24
            let isOff = hour < 6 && index / 8640 % 3 == 0 && index % 3 == 2
            return Place(east: isOff ? 4000 : Double(index % 5), north: 0, minutes: Double(index) / 6, accuracy: nil)
        }
        func bounces(_ places: [Place], portion: Int) -> [PointAnnotations.Outliers] {
            var search = OutlierSearch(outlierRule: .standard, isStream: false)
            for start in stride(from: 0, to: places.count, by: portion) {
                search.add(chunk(Array(places[start..<min(start + portion, places.count)]), isFirst: start == 0))
            }
            return search.finish()
        }
        let found = bounces(home, portion: 4096)
        let truth = home.indices.filter { home[$0].east == 4000 }
        let starts = found.map(\.points.lowerBound)
        #expect(starts == truth, "\(Set(starts).symmetricDifference(truth).sorted().prefix(20))")
    }

    @Test func `two excursions are none, and neither are those far apart in time`() {
        #expect(measured(phone(off: { $0 == 10 || $0 == 20 }, accuracies: nil)).summary.outliers.isEmpty)
        #expect(measured(phone(off: { $0 % 50 == 25 }, accuracies: nil, count: 200, every: 8)).summary.outliers.isEmpty)
    }

    @Test func `a courier, a ferry and a skier are where they are`() {
        // With a point on the way.
        let courier = (0..<96).map { index in
            Place(east: [0, 0, 2000, 4000, 2000][index % 5], north: 0, minutes: Double(index) * 5)
        }
        // A quarter of an hour on each side.
        let ferry = (0..<96).map { index in
            Place(east: index / 3 % 2 == 0 ? 0 : 3000, north: 0, minutes: Double(index) * 5)
        }
        // Up and down, points on the way.
        let skier = (0..<200).map { index in
            Place(east: 0, north: abs(Double(index % 20) - 10) * 150, minutes: Double(index))
        }
        for track in [courier, ferry, skier] { #expect(measured(track).summary.outliers.isEmpty) }
    }

    @Test func `points of a segment that repeats an earlier time are repeated`() {
        // A recorder that begins each segment with all that it has.
        var places: [Place] = []
        for end in [100, 200, 300] {
            for index in 0..<end {
                places.append(
                    Place(east: Double(index) * 10, north: 0, minutes: Double(index) / 15, beginsSegment: index == 0))
            }
        }
        let (summary, isSearched) = measured(places, isStream: false)
        #expect(isSearched)
        // Those before a new point are kept.
        #expect(summary.outliers == [.repeated: 298])
        #expect(abs(summary.metres - 2990) < 10)
    }

    @Test func `segments out of order, and other places at a known time, are not repeated`() {
        var places: [Place] = []
        for (segment, start) in [200, 0, 100].enumerated() {
            for index in 0..<100 {
                places.append(
                    Place(
                        east: Double(start + index) * 10, north: Double(segment) * 500,
                        minutes: Double(start + index) / 15,
                        beginsSegment: index == 0))
            }
        }
        for index in 0..<100 {
            places.append(
                Place(east: Double(index) * 10, north: 50, minutes: Double(100 + index) / 15, beginsSegment: index == 0)
            )
        }
        let (summary, isSearched) = measured(places, isStream: false)
        #expect(isSearched && summary.outliers.isEmpty)
    }

    @Test func `annotations are stored as they are`() {
        var annotations = PointAnnotations()
        #expect(annotations.encoded.isEmpty && PointAnnotations(decoding: [UInt8]().span) == annotations)
        annotations.outliers = [.init(3..<4, .bounce), .init(9..<20, .repeated)]
        annotations.timeEstimates = TimeEstimateTests.summary([0, nil, nil, 60, nil, 90]).annotations.timeEstimates
        #expect(annotations.timeEstimates.count == 2)
        annotations.rests = [1..<3, 40..<5000]
        #expect(PointAnnotations(decoding: annotations.encoded.span) == annotations)
        for length in 0..<annotations.encoded.count {
            _ = PointAnnotations(decoding: Array(annotations.encoded.prefix(length)).span)
        }
    }
}
