import Foundation
import TileMath

/// Finds the rests of a track: where the receiver stood still, so that the steps between its points are errors of
/// position, not way.
///
/// Points are collected into a run while they stay near their running mean. At its end, a run is a rest if, without the
/// way to the place and from it, it lasts for `shortestMilliseconds`, its beginning and its end are at the same place,
/// and means over some seconds hardly move. The first condition alone would swallow slow ascents, swimming pools and
/// zigzags (97–100 % of their way in simulations, all of them together 0 %); the second one alone laps. Points that are
/// themselves recorded as stationary (speed 0, and no motion) are at rest without any of this.
///
/// Memory is bounded: a run has at most `maximumEntries` entries of a second or more; a longer one is examined in
/// sections that overlap by half.
struct RestDetector: Sendable {
    /// A point of the track that is not an outlier, with what a rest depends on.
    struct Point {
        var point: ClassifiedPoint
        /// Metres; NaN without one.
        var elevation: Double
        /// The recorded accuracy in metres; nil without one.
        var accuracy: UInt32?
        /// Whether speed 0 and no motion were recorded.
        var isStationary: Bool
        /// The length of the step to the point.
        var way: StepLengths
    }

    /// A rest.
    struct Rest: Equatable {
        /// The points at the ends of its steps.
        var points: Range<Int>
        var way: StepLengths
    }

    /// The shortest rest.
    static let shortestMilliseconds: Int64 = 120_000
    /// A point is near the mean within this distance in metres, or within its accuracy if that is worse.
    static let reachMetres = 25.0
    /// A longer step is movement, unless the accuracy is worse, also between points that are recorded as stationary: apps that
    /// save power record only where they stop.
    static let stationaryMetres = 100.0
    /// A worse accuracy counts as this one.
    static let worstReachMetres = 500.0
    /// So many points in a row, or those of so long a time, that are farther away than allowed do not end a run: up to two
    /// times as far, or up to four times for a short time.
    static let maximumDeviations = 3
    static let deviationMilliseconds: Int64 = 30_000
    static let spikeMilliseconds: Int64 = 60_000
    /// Points within this time are one entry.
    private static let entryMilliseconds: Int64 = 1000
    /// The maximum number of entries of a run.
    static let maximumEntries = 512
    /// The memory of so many entries is kept for the next run.
    private static let keptEntries = 64

    /// The points of the run that are not deviations, and their sums.
    private var entries: [RestEntry] = []
    private var sumX = 0.0
    private var sumY = 0.0
    private var deviations = 0
    /// The origin of the run, and metres of 1e-7° there.
    private var origin: (longitude: Int32, latitude: Int32) = (0, 0)
    private var eastScale = 0.0
    private var way = StepLengths()
    private var lastTime = Int64.min
    /// The time of the last point that is not a deviation.
    private var lastNearTime = Int64.min
    /// 1 if the times of the run ascend, -1 if they descend, 0 while it has one time only.
    private var direction = 0
    /// The number of entries at the beginning that belong to a rest that was found already.
    private var settled = 0
    private var wasStationary = false

    private static let northScale = EarthSphere.metresPerUnit

    /// Approximate bytes in memory besides the detector itself.
    var byteCount: Int { entries.capacity * MemoryLayout<RestEntry>.stride }

    /// Adds the next point, and appends the rests that ended before it.
    @inline(__always)
    mutating func add(_ next: Point, into rests: inout [Rest]) {
        guard next.point.time != PointColumns.untimed else {
            endRun(into: &rests)
            wasStationary = false
            return
        }
        let begins = next.point.connection == .begins
        if begins { endRun(into: &rests) }
        defer { wasStationary = next.isStationary }
        guard next.isStationary, wasStationary, !begins,
            next.way.metres + next.way.pauseMetres <= max(Self.stationaryMetres, Double(next.accuracy ?? 0))
        else { return collect(next, into: &rests) }
        rests.append(Rest(points: next.point.index..<next.point.index + 1, way: next.way))
        // Its way is taken off once.
        var counted = next
        counted.way = StepLengths()
        collect(counted, into: &rests)
    }

    @inline(__always)
    private mutating func collect(_ next: Point, into rests: inout [Rest]) {
        let point = next.point
        let ahead = point.time > lastTime ? 1 : point.time < lastTime ? -1 : direction
        if direction != 0, ahead != direction { endRun(into: &rests) }
        guard !entries.isEmpty else { return begin(next) }
        let east = Double(E7Longitude.difference(from: origin.longitude, to: point.longitude)) * eastScale
        let north = Double(Int64(point.latitude) - Int64(origin.latitude)) * Self.northScale
        if abs(point.time - lastTime) >= Self.shortestMilliseconds, isSilentRest(to: next, east, north) {
            rests.append(Rest(points: point.index..<point.index + 1, way: next.way))
        } else {
            way += next.way
        }
        // The distance from the mean, times the number of points.
        let count = Double(entries.count)
        let (x, y) = (east * count - sumX, north * count - sumY)
        let square = x * x + y * y
        let reach = min(max(Self.reachMetres, Double(next.accuracy ?? 0)), Self.worstReachMetres)
        // The mean of few points has errors of its own: so much more for one, half of it for two.
        let tolerated = reach * (count + 1)
        if square > tolerated * tolerated {
            deviations += 1
            let time = abs(point.time - lastNearTime)
            let isSpike = time <= Self.spikeMilliseconds
            let limit = reach * (isSpike ? 4 : 2) * count
            guard square <= limit * limit, deviations <= Self.maximumDeviations || time <= Self.deviationMilliseconds
            else {
                // The run ended at its last point that was near.
                endRun(into: &rests)
                return begin(next)
            }
        } else {
            deviations = 0
            lastNearTime = point.time
            append(RestEntry(next.point, x: east, y: north, elevation: next.elevation, way: way))
        }
        direction = ahead
        lastTime = point.time
        if entries.count == Self.maximumEntries { endSection(into: &rests) }
    }

    /// Whether a long step is a rest by itself: nothing was recorded while somebody stood still.
    @inline(never)
    private func isSilentRest(to next: Point, _ east: Double, _ north: Double) -> Bool {
        guard next.point.connection != .begins, let last = entries.last else { return false }
        let (x, y) = (east - last.x, north - last.y)
        let height = next.elevation - last.z
        let square = x * x + y * y
        let most = RestCriteria.netMetresPerSecond * Double(abs(next.point.time - lastTime)) / 1000
        return square <= Self.reachMetres * Self.reachMetres
            && square + (height.isNaN ? 0 : height * height) <= most * most
    }

    @inline(never)
    private mutating func begin(_ next: Point) {
        let point = next.point
        origin = (point.longitude, point.latitude)
        eastScale = Self.northScale * max(0.01, cos(Double(point.latitude) * 1e-7 * .pi / 180))
        (way, deviations, direction, settled) = (StepLengths(), 0, 0, 0)
        (lastTime, lastNearTime) = (point.time, point.time)
        entries.append(RestEntry(next.point, x: 0, y: 0, elevation: next.elevation, way: way))
        (sumX, sumY) = (0, 0)
    }

    @inline(__always)
    private mutating func append(_ entry: RestEntry) {
        let index = entries.count - 1
        if settled <= index, abs(entry.begin - entries[index].begin) < Self.entryMilliseconds {
            sumX -= entries[index].x
            sumY -= entries[index].y
            entries[index].add(entry)
            sumX += entries[index].x
            sumY += entries[index].y
            return
        }
        entries.append(entry)
        sumX += entry.x
        sumY += entry.y
    }

    /// Ends the run: to be called at a gap, and at the end of a segment and of the track.
    @inline(never)
    mutating func endRun(into rests: inout [Rest]) {
        guard !entries.isEmpty else { return }
        if let found = rest() { rests.append(found.rest) }
        entries.removeAll(keepingCapacity: entries.count <= Self.keptEntries)
        direction = 0
    }

    /// Examines a run that is too long for memory, and keeps its second half.
    private mutating func endSection(into rests: inout [Rest]) {
        let found = rest()
        if let found { rests.append(found.rest) }
        let half = Self.maximumEntries / 2
        entries.removeFirst(half)
        settled = max(0, (found.map { $0.end + 1 } ?? settled) - half)
        (sumX, sumY) = (0, 0)
        for entry in entries {
            sumX += entry.x
            sumY += entry.y
        }
    }

    // MARK: Deciding

    /// The part of the run that is a rest and has not been returned yet, and its last entry.
    private func rest() -> (rest: Rest, end: Int)? {
        let criteria = RestCriteria(entries: entries)
        guard criteria.duration(0, entries.count - 1) >= Self.shortestMilliseconds else { return nil }
        let within = criteria.trimmed(isContinued: settled > 0)
        guard within.count > 1,
            criteria.duration(within.lowerBound, within.upperBound - 1) >= Self.shortestMilliseconds,
            criteria.isStill(within)
        else { return nil }
        // What was found in an earlier section belongs to the same rest.
        let begin = max(within.lowerBound, settled - 1)
        let end = within.upperBound - 1
        guard begin < end else { return nil }
        let isContinued = settled > 0 && begin == settled - 1
        let from = entries[begin]
        let rest = Rest(
            points: (isContinued ? from.last : from.first) + 1..<entries[end].last + 1,
            way: entries[end].lastWay - (isContinued ? from.lastWay : from.firstWay))
        return (rest, end)
    }
}
