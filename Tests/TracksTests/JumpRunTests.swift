import Foundation
import TestSupport
import Testing

@testable import Tracks

/// A phone that believes a far network for some minutes.
struct JumpRunTests {
    private struct Point: Equatable {
        var longitude: Double
        var latitude: Double
        /// Seconds; nil for a point without time.
        var time: Int64?
        var isWrong = false
    }

    private func chunk(_ points: ArraySlice<Point>, from first: Int = 0) -> PointColumns {
        let indices = Array(points.indices)
        return PointColumns(
            unit: .decimal(places: 7), longitudes: points.map { Int64(($0.longitude * 1e7).rounded()) },
            latitudes: points.map { Int64(($0.latitude * 1e7).rounded()) },
            times: points.map { $0.time.map { 1_600_000_000_000 + $0 * 1000 } ?? PointColumns.untimed },
            segmentStarts: points.startIndex == first ? [0] : [],
            fields: [
                FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, indices.map { Int64($0 % 900) })),
                FieldColumn(
                    name: FieldName.horizontalAccuracy, values: .numbers(places: 0, indices.map { Int64($0 % 90) })),
                FieldColumn(name: FieldName.waypoint, values: .numbers(places: 0, indices.map { $0 % 3 == 0 ? 1 : 0 })),
            ])
    }

    private func classified(
        _ points: [Point], _ rule: OutlierRule = .standard, size: Int = .max,
        body: (PointColumns, [ClassifiedPoint]) -> Void = { _, _ in }
    ) -> [ClassifiedPoint] {
        var detector = OutlierDetector(gap: .standard, kind: .stream, outlierRule: rule)
        var all: [ClassifiedPoint] = []
        var start = 0
        while start < points.count {
            let end = start + min(size, points.count - start)
            let chunk = chunk(points[start..<end])
            var classified: [ClassifiedPoint] = []
            detector.add(chunk, into: &classified)
            body(chunk, classified)
            all += classified
            start = end
        }
        detector.finish(into: &all)
        return all
    }

    private func wrong(_ points: [Point], _ rule: OutlierRule = .standard) -> [Int] {
        classified(points, rule).filter { $0.outlierReason != nil }.map(\.index)
    }

    /// `count` points from a place, `seconds` apart, each `step` degrees further east.
    private func stay(
        _ longitude: Double, from time: Int64, count: Int, seconds: Int64 = 20, step: Double = 0.0001,
        isWrong: Bool = false
    ) -> [Point] {
        (0..<count).map {
            Point(
                longitude: longitude + Double($0) * step, latitude: 48, time: time + Int64($0) * seconds,
                isWrong: isWrong)
        }
    }

    /// A walk or a drive with runs of wrong points 5 to 300 km away, that begin and end at more than 110 m/s.
    private func outing(_ seed: Int) -> [Point] {
        var random = SeededRandom(seed: seed)
        var points: [Point] = []
        var place = (
            longitude: Double.random(in: -180...180, using: &random),
            latitude: Double.random(in: -60...60, using: &random)
        )
        var time: Int64 = 0
        let fastest = random.once(in: 2) ? 2.0 : 45.0
        func wrapped(_ longitude: Double) -> Double {
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        }
        while points.count < 400 {
            for _ in 0..<Int.random(in: 22...60, using: &random) {
                let seconds = Int64.random(in: 1...40, using: &random)
                time += seconds
                let metres = Double.random(in: 0...fastest, using: &random) * Double(seconds)
                place.latitude += Double.random(in: -1...1, using: &random) * metres / 160_000
                place.longitude = wrapped(
                    place.longitude + Double.random(in: -1...1, using: &random) * metres / 160_000)
                points.append(Point(longitude: place.longitude, latitude: place.latitude, time: time))
            }
            let seconds = Int64.random(in: 5...40, using: &random)
            let away = max(5000, 120 * Double(seconds)) * Double.random(in: 1.5...40, using: &random)
            let east = Double.random(in: -0.2...0.2, using: &random)
            let north = (random.once(in: 2) ? 1.0 : -1.0) * away / 111_000
            for _ in 0..<Int.random(in: 1...OutlierDetector.maximumRunPoints, using: &random) {
                time += seconds
                points.append(
                    Point(
                        longitude: wrapped(place.longitude + east + Double.random(in: -0.005...0.005, using: &random)),
                        latitude: place.latitude + north + Double.random(in: -0.005...0.005, using: &random),
                        time: time, isWrong: true))
            }
            time += seconds - 40
            time = max(time, points[points.count - 1].time ?? 0)
        }
        // The last run is followed by good points.
        return points
            + (1...5).map { Point(longitude: place.longitude, latitude: place.latitude, time: time + $0 * 20) }
    }

    @Test(arguments: 0..<60) func `Exactly the points of the runs are outliers`(seed: Int) {
        let points = outing(seed)
        #expect(wrong(points) == points.indices.filter { points[$0].isWrong })
        let reasons = Set(classified(points).compactMap(\.outlierReason))
        #expect(reasons.isSubset(of: [.jump, .impossibleSpeed]))
    }

    @Test(arguments: [1, 2, 3, 7, 20, 21, 50]) func `Runs and fields do not depend on chunk boundaries`(size: Int) {
        for seed in 0..<20 {
            let points = outing(seed)
            var fields = ClassifiedFields()
            let expected = classified(points)
            let found = classified(points, size: size) { chunk, decided in
                fields.take(DrawnFields(chunk))
                for point in decided {
                    #expect(fields.elevation(at: point.index) == Int16(point.index % 900))
                    #expect(fields.accuracy(at: point.index) == UInt32(point.index % 90))
                    #expect(fields.isWaypoint(at: point.index) == (point.index % 3 == 0))
                }
            }
            #expect(found == expected)
        }
    }

    @Test func `A line joins the points before and after a run`() {
        let points = stay(8, from: 0, count: 3) + stay(8.5, from: 60, count: 4) + stay(8, from: 140, count: 3)
        let classified = classified(points)
        #expect(classified.filter { $0.outlierReason == .jump }.map(\.index) == [3, 4, 5, 6])
        #expect(
            classified.filter { $0.outlierReason == nil }.map(\.connection) == [.begins]
                + Array(repeating: .continues, count: 5))
    }

    @Test func `A run through two far places is found`() {
        // From 8° to 8.5°, from there at an impossible speed to 9°, and back.
        let points =
            stay(8, from: 0, count: 3) + stay(8.5, from: 60, count: 3) + stay(9, from: 120, count: 3)
            + stay(8, from: 180, count: 3)
        #expect(wrong(points) == Array(3..<9))
    }

    @Test func `A run is at most 20 points and 15 minutes long`() {
        for (count, seconds, isRun) in [(20, 40, true), (21, 40, false), (15, 60, true), (16, 60, false)]
            as [(Int, Int64, Bool)]
        {
            // 0.5° are 37 km: 620 m/s in a minute.
            let end = 60 + Int64(count) * seconds
            let points =
                stay(8, from: 60 - 3 * seconds, count: 3, seconds: seconds)
                + stay(8.5, from: 60, count: count, seconds: seconds)
                + stay(8, from: end, count: 3, seconds: seconds)
            #expect(wrong(points) == (isRun ? Array(3..<3 + count) : []), "\(count) points, \(seconds) s")
        }
    }

    @Test func `Somebody who is not back, or comes back slowly, was there`() {
        let there = stay(8, from: 0, count: 3) + stay(8.1, from: 60, count: 5)
        #expect(wrong(there).isEmpty)
        #expect(wrong(there + stay(8.2, from: 160, count: 30)).isEmpty)
        // 7.4 km back in five minutes.
        #expect(wrong(there + stay(8, from: 440, count: 3)).isEmpty)
        #expect(wrong(there + stay(8, from: 160, count: 3)) == Array(3..<8))
    }

    @Test func `Aircraft that circle, hold or turn back are not runs`() {
        for (speed, radius) in [(110.0, 3000.0), (130, 8000), (250, 30_000), (90, 4000)] {
            for seconds in [1, 10, 30, 60] as [Int64] {
                let points = (0..<200).map { index in
                    let angle = Double(index) * Double(seconds) * speed / radius
                    return Point(
                        longitude: 8 + sin(angle) * radius / 74_000, latitude: 48 + cos(angle) * radius / 111_000,
                        time: Int64(index) * seconds)
                }
                let detected = classified(points).filter { $0.outlierReason != nil }
                // A single point opposite to both neighbours is the jump of the older rule.
                #expect(detected.isEmpty || Double(seconds) * speed > radius * 2, "\(speed) m/s, \(seconds) s")
            }
        }
        // 200 m/s away, a turn within one minute, and 200 m/s back.
        let away = stay(8, from: 0, count: 30, seconds: 20, step: 0.053)
        let back = stay(9.6, from: 640, count: 30, seconds: 20, step: -0.053)
        #expect(wrong(away + back).isEmpty)
    }

    @Test func `Points without time begin no run and end it`() {
        var points = stay(8, from: 0, count: 3) + stay(8.5, from: 60, count: 4) + stay(8, from: 140, count: 3)
        points[4].time = nil
        #expect(wrong(points).isEmpty)
        #expect(wrong(points.map { Point(longitude: $0.longitude, latitude: $0.latitude, time: nil) }).isEmpty)
    }

    @Test func `A point at 0,0 within a run has its own reason`() {
        var points = stay(8, from: 0, count: 3) + stay(8.5, from: 60, count: 4) + stay(8, from: 140, count: 3)
        points[5].longitude = 0
        points[5].latitude = 0
        let reasons = classified(points).map(\.outlierReason)
        #expect(reasons == [nil, nil, nil, .jump, .jump, .zeroZero, .jump, nil, nil, nil])
    }

    @Test func `The speed of jumps applies to runs`() {
        let points = stay(8, from: 0, count: 3) + stay(8.5, from: 60, count: 4) + stay(8, from: 140, count: 3)
        var rule = OutlierRule.standard
        rule.jumpMetresPerSecond = nil
        #expect(wrong(points, rule).isEmpty)
        // 37 km in 20 s.
        rule.jumpMetresPerSecond = 1800
        #expect(wrong(points, rule) == [3, 4, 5, 6])
        rule.jumpMetresPerSecond = 1900
        #expect(wrong(points, rule).isEmpty)
    }
}
