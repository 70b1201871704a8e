import Foundation
import HeatGrid
import TestLibrary
import TestSupport
import TileMath
import TrackStore
import Tracks

/// Tracks whose points are known, with a simple, slow implementation of the counts of any window.
struct InstantModel {
    struct Outing {
        var person: String?
        var places: [(point: WorldPoint, time: Int64)] = []
    }

    var outings: [Outing] = []
    let zone: TimeZone

    /// One person on one day: counts once per cell.
    private struct Visit: Hashable {
        var day: Int
        var person: String
    }

    /// Stores random tracks of some hours around each of `instants` (seconds since 1970), and isCached their points.
    init(zone: String, round instants: [Int64], in library: Library) throws {
        guard let zone = TimeZone(identifier: zone) else { preconditionFailure("a zone that there is") }
        self.zone = zone
        var random = SeededRandom(seed: 41)
        var recordings: [([PointColumns], RecordingHeader)] = []
        for (index, instant) in instants.enumerated() {
            for (person, hours) in [(nil, 2), ("ada", 3), ("ada", 1), ("bob", 40)] {
                let step = Int64(hours) * 60_000
                var points: [TestPoint] = []
                var place = (east: 134_000_000 + Int64(index) * 20_000, north: Int64(525_000_000))
                var outing = Outing(person: person)
                for number in -60...60 {
                    place.east += Int64.random(in: -900...1200, using: &random)
                    place.north += Int64.random(in: -900...900, using: &random)
                    // Some clocks are wrong for one point, and all times have fractions of seconds.
                    let astray = number % 23 == 0 ? -3 * step : 0
                    let time =
                        instant * 1000 + Int64(number) * step + Int64.random(in: 0..<900, using: &random) + astray
                    points.append(
                        TestPoint(longitude: place.east, latitude: place.north, time: time, elevation: time % 900))
                    let point = WorldPoint(longitude: Double(place.east) / 1e7, latitude: Double(place.north) / 1e7)
                    outing.places.append((point, time))
                }
                outings.append(outing)
                // Without gaps: every two consecutive points are joined.
                let header = RecordingHeader(person: person, source: "\(index).gpx", gap: .none)
                recordings.append((points.chunks(), header))
            }
        }
        try library.database.add(recordings)
        try library.catchUp()
    }

    /// The time that a track spends in a cell of zoom level 16.
    struct Stay {
        var cell: [Int64]
        var outing: Int
        var day: Int
        /// The first and the last instant.
        var times: ClosedRange<Double>
    }

    /// Person-days in each cell of a zoom level, by column and row, between two instants.
    func counts(zoom: Int, from: Int64, to: Int64) -> [[Int64]: Int] {
        var visits: [[Int64]: Set<Visit>] = [:]
        for stay in stays(from: from, to: to) {
            let visit = Visit(day: stay.day, person: outings[stay.outing].person ?? "")
            visits[stay.cell.map { $0 >> Int64(16 - zoom) }, default: []].insert(visit)
        }
        return visits.mapValues(\.count)
    }

    /// The cells visited between two instants.
    func stays(from: Int64, to: Int64) -> [Stay] {
        var stays: [Stay] = []
        for (number, outing) in outings.enumerated() {
            for (start, end) in zip(outing.places, outing.places.dropFirst()) {
                let (early, late) = start.time <= end.time ? (start, end) : (end, start)
                // Lines are split at the ends of the window, at midnight, and at clock changes.
                var cuts = borders(from: early.time, to: late.time) + [from, to]
                cuts = cuts.filter { $0 > early.time && $0 <= late.time }.sorted()
                var here = early
                for cut in cuts + [Int64.max] {
                    let next = cut == .max ? late : (point: Self.place(early, late, cut), time: cut)
                    if here.time >= from, here.time < to {
                        let day = day(of: here.time)
                        let duration = Double(next.time - here.time)
                        for (cell, part) in Self.cells(here.point, next.point) {
                            let times =
                                Double(here.time) + part.lowerBound * duration...Double(here.time) + part.upperBound
                                * duration
                            stays.append(Stay(cell: cell, outing: number, day: day, times: times))
                        }
                    }
                    here = next
                }
            }
        }
        return stays
    }

    private func day(of time: Int64) -> Int {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1000))
        return Int((Double(time) / 1000 + Double(offset)) / 86_400)
    }

    /// The midnights and clock changes between two instants.
    private func borders(from: Int64, to: Int64) -> [Int64] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var found: [Int64] = []
        let start = Date(timeIntervalSince1970: Double(from) / 1000)
        var midnight = calendar.startOfDay(for: start)
        while midnight.timeIntervalSince1970 * 1000 <= Double(to) {
            found.append(Int64(midnight.timeIntervalSince1970) * 1000)
            midnight = calendar.startOfDay(for: midnight.addingTimeInterval(36 * 3600))
        }
        if let change = zone.nextDaylightSavingTimeTransition(after: start) {
            found.append(Int64(change.timeIntervalSince1970) * 1000)
        }
        return found
    }

    private static func place(
        _ early: (point: WorldPoint, time: Int64), _ late: (point: WorldPoint, time: Int64), _ time: Int64
    ) -> WorldPoint {
        let share = Double(time - early.time) / Double(late.time - early.time)
        return WorldPoint(
            x: early.point.x + Int64((Double(late.point.x - early.point.x) * share).rounded()),
            y: early.point.y + Int64((Double(late.point.y - early.point.y) * share).rounded()))
    }

    /// The cells of zoom level 16 that a line intersects, each with the fraction of the line inside it: every cell
    /// nearby is tested.
    private static func cells(_ start: WorldPoint, _ end: WorldPoint) -> [([Int64], ClosedRange<Double>)] {
        var found: [([Int64], ClosedRange<Double>)] = []
        for column in min(start.x, end.x) >> 8...max(start.x, end.x) >> 8 {
            for row in min(start.y, end.y) >> 8...max(start.y, end.y) >> 8 {
                var span = Span()
                span.limit(at: start.x, moving: end.x - start.x, to: column << 8..<(column + 1) << 8)
                span.limit(at: start.y, moving: end.y - start.y, to: row << 8..<(row + 1) << 8)
                if span.holdsSomething { found.append(([column, row], span.part)) }
            }
        }
        return found
    }

    /// The fraction of a line inside a cell, exactly: both ends as rational numbers, each inclusive or exclusive.
    private struct Span {
        var low = (top: Int64(0), bottom: Int64(1), isIn: true)
        var high = (top: Int64(1), bottom: Int64(1), isIn: true)
        var isNowhere = false

        mutating func limit(at start: Int64, moving way: Int64, to edges: Range<Int64>) {
            guard way != 0 else {
                if !edges.contains(start) { isNowhere = true }
                return
            }
            let near = (top: (edges.lowerBound - start) * way.signum(), bottom: abs(way), isIn: true)
            let far = (top: (edges.upperBound - start) * way.signum(), bottom: abs(way), isIn: false)
            raise(way > 0 ? near : far)
            lower(way > 0 ? far : near)
        }

        private mutating func raise(_ other: (top: Int64, bottom: Int64, isIn: Bool)) {
            let order = other.top * low.bottom - low.top * other.bottom
            if order > 0 { low = other } else if order == 0 { low.isIn = low.isIn && other.isIn }
        }

        private mutating func lower(_ other: (top: Int64, bottom: Int64, isIn: Bool)) {
            let order = other.top * high.bottom - high.top * other.bottom
            if order < 0 { high = other } else if order == 0 { high.isIn = high.isIn && other.isIn }
        }

        var part: ClosedRange<Double> {
            Double(low.top) / Double(low.bottom)...Double(high.top) / Double(high.bottom)
        }

        var holdsSomething: Bool {
            let order = low.top * high.bottom - high.top * low.bottom
            return !isNowhere && (order < 0 || (order == 0 && low.isIn && high.isIn))
        }
    }
}
