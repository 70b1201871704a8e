import Foundation
import TestSupport
import Testing

@testable import PhotoLocating

/// Learning how the clock of a camera goes.
struct CameraClockTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_700_000_000_000

    /// A camera whose clock is wrong, drifts, and is set now and then.
    private struct Camera {
        var random: SeededRandom
        var settings: [(from: Int64, ahead: Double)] = []
        var drift: Double

        init(seed: UInt64, days: Int64) {
            random = SeededRandom(seed: seed)
            drift = Double.random(in: -4...4, using: &random) / 86_400
            var time = CameraClockTests.start
            while time < CameraClockTests.start + days * CameraClockTests.day {
                // Hours of the zone, and an error of up to days.
                let zone = Double(Int.random(in: -10...12, using: &random)) * 3_600_000
                let error = Double.random(in: -90_000_000...90_000_000, using: &random)
                settings.append((time, zone + error))
                time += Int64.random(in: 60...300, using: &random) * CameraClockTests.day
            }
        }

        func shown(_ instant: Int64) -> Int64 {
            let setting = settings.last { $0.from <= instant } ?? settings[0]
            let exact = Double(instant) + setting.ahead + drift * Double(instant - setting.from)
            // Clocks of cameras count whole seconds.
            return Int64((exact / 1000).rounded(.down)) * 1000
        }
    }

    @Test("At least 95 % of the photos of cameras with wrong clocks get a time within 5 s of the truth")
    func wrongClocks() throws {
        var (photos, near) = (0, 0)
        for seed in UInt64(0)..<30 {
            var camera = Camera(seed: seed, days: 700)
            var anchors: [ClockAnchor] = []
            var unknown: [(shown: Int64, instant: Int64)] = []
            for _ in 0..<1500 {
                let instant = Self.start + Int64.random(in: 0..<(700 * Self.day), using: &camera.random)
                let shown = camera.shown(instant)
                guard Double.random(in: 0..<1, using: &camera.random) < 0.15 else {
                    unknown.append((shown, instant))
                    continue
                }
                // A fix is up to 2 s old; one of twenty up to 10 min.
                let isOld = Double.random(in: 0..<1, using: &camera.random) < 0.05
                let age = Int64.random(in: 0...(isOld ? 600_000 : 2000), using: &camera.random)
                anchors.append(ClockAnchor(shown: shown, instant: instant - age))
            }
            let clock = try #require(CameraClock(anchors))
            for photo in unknown {
                photos += 1
                let estimate = try #require(clock.estimates(at: photo.shown).first)
                if abs(estimate.instant - photo.instant) <= 5000 { near += 1 }
            }
        }
        #expect(photos > 30_000)
        #expect(Double(near) >= 0.95 * Double(photos), "\(near) of \(photos)")
    }

    @Test("A clock that is a day and a half wrong is learned like any other")
    func beyondZones() throws {
        let ahead: Int64 = -129_600_000
        let anchors = (0..<10).map { index in
            let instant = Self.start + Int64(index) * Self.day
            return ClockAnchor(shown: instant + ahead, instant: instant)
        }
        let clock = try #require(CameraClock(anchors))
        let instant = Self.start + 5 * Self.day + 1_234_000
        #expect(clock.estimates(at: instant + ahead).map(\.instant) == [instant])
    }

    @Test("Pairs that are years apart are outliers, also if there are no others")
    func yearsApart() {
        let far = ClockAnchor(shown: Self.start + 2000 * Self.day, instant: Self.start)
        #expect(CameraClock([far]) == nil)
        let good = (0..<5).map {
            ClockAnchor(
                shown: Self.start + Int64($0) * Self.day + 7_200_000, instant: Self.start + Int64($0) * Self.day)
        }
        let clock = CameraClock(good + [far])
        let shown = Self.start + 2 * Self.day + 7_200_000
        #expect(clock?.estimates(at: shown).map(\.instant) == [Self.start + 2 * Self.day])
    }

    @Test("One anchor that is further away than any zone does not move the clock; two do, and one that the user gives")
    func loneAnchor() throws {
        let ahead = 16 * 3_600_000 as Int64
        let lone = ClockAnchor(shown: Self.start + ahead, instant: Self.start)
        #expect(CameraClock([lone]) == nil && CameraClock.unusable([lone]) == [lone])
        // It does not disturb a clock that others show, although it is a whole number of hours away.
        let good = (0..<5).map { index in
            let instant = Self.start + Int64(index) * Self.day + 1000
            return ClockAnchor(shown: instant + 3_600_000, instant: instant)
        }
        let stray = ClockAnchor(shown: Self.start + 2 * Self.day + 9000, instant: Self.start + Self.day)
        let shown = Self.start + 2 * Self.day + 10_000
        #expect(CameraClock(good + [stray])?.estimates(at: shown).map(\.instant) == [shown - 3_600_000])
        let second = ClockAnchor(shown: Self.start + ahead + 70_000, instant: Self.start + 60_000)
        #expect(CameraClock.unusable([lone, second]).isEmpty && CameraClock([lone, second]) != nil)
        let given = ClockAnchor(shown: lone.shown, instant: lone.instant, isGiven: true)
        #expect(CameraClock([given])?.estimates(at: lone.shown).map(\.instant) == [lone.instant])
        let zone = ClockAnchor(shown: Self.start + 14 * 3_600_000, instant: Self.start)
        #expect(CameraClock([zone]) != nil)
    }

    @Test("Between two segments there are two possible times, the nearer segment first")
    func betweenSegments() throws {
        let anchors = (0..<20).map { index in
            let instant = Self.start + Int64(index) * Self.day
            return ClockAnchor(shown: instant + (index < 10 ? 7_200_000 : 3_600_000), instant: instant)
        }
        let clock = try #require(CameraClock(anchors))
        let shown = Self.start + 9 * Self.day + 7_200_000 + 6 * 3_600_000
        #expect(clock.estimates(at: shown).map { shown - $0.instant } == [7_200_000, 3_600_000])
    }

    @Test("An old fix alone between good ones does not cut a segment, a change of zone does")
    func strays() throws {
        var aheads = [Int64](repeating: 3_600_000, count: 12)
        aheads[11] += 1_000_000
        func clock() throws -> CameraClock {
            try #require(
                CameraClock(
                    aheads.enumerated().map { index, ahead in
                        let instant = Self.start + Int64(index) * Self.day
                        return ClockAnchor(shown: instant + ahead, instant: instant)
                    }))
        }
        let shown = Self.start + 13 * Self.day
        #expect(try clock().estimates(at: shown).map { shown - $0.instant } == [3_600_000])
        aheads[11] = 7_200_000
        #expect(try clock().estimates(at: shown).map { shown - $0.instant } == [7_200_000])
    }

    @Test("The order of the anchors does not matter")
    func order() throws {
        var random = SeededRandom(seed: 7)
        var camera = Camera(seed: 8, days: 400)
        var anchors = (0..<200).map { _ in
            let instant = Self.start + Int64.random(in: 0..<(400 * Self.day), using: &camera.random)
            return ClockAnchor(shown: camera.shown(instant), instant: instant)
        }
        let first = try #require(CameraClock(anchors))
        anchors.shuffle(using: &random)
        let second = try #require(CameraClock(anchors))
        for index in 0..<400 {
            let shown = Self.start + Int64(index) * Self.day
            #expect(first.estimates(at: shown) == second.estimates(at: shown))
        }
    }
}
