import Foundation
import TileMath

/// Finds the rests of a track: where the receiver stood still, so that the steps between its points are errors of
/// position, not way.
///
/// Points are collected into a run while they stay near their running mean. At its end, a run is a rest if, without the
/// way to the place and from it, it lasts for `shortestMilliseconds`, its beginning and its end are at the same place, and
/// means over some seconds hardly move. The first condition alone would swallow slow ascents, swimming pools and zigzags;
/// the second one alone laps. Points that are themselves recorded as stationary (speed 0, and no motion) are at rest
/// without any of this.
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
        var way: Way
    }

    /// The length of steps in metres. Steps over pauses are counted apart: only the end of a segment shows whether they
    /// are gaps.
    struct Way: Equatable {
        var metres = 0.0
        var pauseMetres = 0.0

        static func += (one: inout Way, other: Way) {
            one.metres += other.metres
            one.pauseMetres += other.pauseMetres
        }

        static func - (one: Way, other: Way) -> Way {
            Way(metres: one.metres - other.metres, pauseMetres: one.pauseMetres - other.pauseMetres)
        }
    }

    /// A rest.
    struct Rest: Equatable {
        /// The points at the ends of its steps.
        var points: Range<Int>
        var way: Way
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
    /// The maximum speed in metres per second between the means of the first and of the last third, heights included.
    static let netMetresPerSecond = 0.15
    /// The maximum speed in metres per second of the way through the means of windows.
    static let chainMetresPerSecond = 0.3
    /// The shortest window, in milliseconds and in points.
    static let windowMilliseconds: Int64 = 15_000
    static let windowPoints = 6
    /// The shortest of the blocks of which is tested whether they go on in one direction.
    static let blockMilliseconds: Int64 = 5000
    /// Blocks that are longer on average show no direction of slow movements to and fro.
    static let longestBlockMilliseconds = 20_000.0
    /// From this ratio on, the squared distances of blocks to the next but one and to the next one are those of movement.
    /// Errors that have nothing to do with each other have 1, errors that wander less than 2, a straight way 4.
    static let directionRatio = 2.3
    /// So many points in a row that are farther away than allowed do not end a run: up to two times as far, or up to four
    /// times for a short time.
    static let maximumDeviations = 3
    static let spikeMilliseconds: Int64 = 60_000
    /// Points within this time are one entry.
    private static let entryMilliseconds: Int64 = 1000
    /// The maximum number of entries of a run.
    static let maximumEntries = 512
    /// The memory of so many entries is kept for the next run.
    private static let keptEntries = 64

    /// Points of a run within a second.
    private struct Entry {
        /// The indices of the first and last point.
        let first: Int
        var last: Int
        let begin: Int64
        /// The means, in metres from the origin of the run.
        var x: Double
        var y: Double
        /// NaN without an elevation.
        var z: Double
        var points = 1
        /// The way of the run up to the first and the last point.
        let firstWay: Way
        var lastWay: Way
        /// Whether it is too far away to count for means.
        var isDeviation = false

        init(_ point: Point, x: Double, y: Double, way: Way) {
            (first, last, begin) = (point.point.index, point.point.index, point.point.time)
            (self.x, self.y, z) = (x, y, point.elevation)
            (firstWay, lastWay) = (way, way)
        }

        /// Adds a point of the same second.
        mutating func add(_ other: Entry) {
            let share = 1 / Double(points + 1)
            x += (other.x - x) * share
            y += (other.y - y) * share
            z += (other.z - z) * share
            points += 1
            last = other.last
            lastWay = other.lastWay
        }
    }

    private var entries: [Entry] = []
    /// The sums of the entries that are no deviations.
    private var sumX = 0.0
    private var sumY = 0.0
    private var near = 0
    private var deviations = 0
    /// The origin of the run, and metres of 1e-7° there.
    private var origin: (longitude: Int32, latitude: Int32) = (0, 0)
    private var eastScale = 0.0
    private var way = Way()
    private var lastTime = Int64.min
    /// The time of the last point that is no deviation.
    private var lastNearTime = Int64.min
    /// 1 if the times of the run ascend, -1 if they descend, 0 while it has one time only.
    private var direction = 0
    /// The number of entries at the beginning that belong to a rest that was found already.
    private var settled = 0
    private var wasStationary = false

    private static let northScale = EarthSphere.metresPerUnit

    /// Approximate bytes in memory besides the detector itself.
    var byteCount: Int { entries.capacity * MemoryLayout<Entry>.stride }

    /// Adds the next point, and appends the rests that ended before it.
    @inline(__always)
    mutating func add(_ next: Point, into rests: inout [Rest]) {
        guard next.point.time != PointChunk.untimed else {
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
        counted.way = Way()
        collect(counted, into: &rests)
    }

    @inline(__always)
    private mutating func collect(_ next: Point, into rests: inout [Rest]) {
        let point = next.point
        let ahead = point.time > lastTime ? 1 : point.time < lastTime ? -1 : direction
        if direction != 0, ahead != direction { endRun(into: &rests) }
        guard !entries.isEmpty else { return begin(next) }
        way += next.way
        let east = Double(E7Longitude.difference(from: origin.longitude, to: point.longitude)) * eastScale
        let north = Double(Int64(point.latitude) - Int64(origin.latitude)) * Self.northScale
        // The distance from the mean, times the number of points.
        let count = Double(near)
        let (x, y) = (east * count - sumX, north * count - sumY)
        let square = x * x + y * y
        let reach = min(max(Self.reachMetres, Double(next.accuracy ?? 0)), Self.worstReachMetres)
        var entry = Entry(next, x: east, y: north, way: way)
        // The mean of few points has errors of its own: so much more for one, half of it for two.
        let tolerated = reach * (count + 1)
        if square > tolerated * tolerated {
            deviations += 1
            let isSpike = abs(point.time - lastNearTime) <= Self.spikeMilliseconds
            let limit = reach * (isSpike ? 4 : 2) * count
            guard square <= limit * limit, deviations <= Self.maximumDeviations else {
                // The run ended at its last point that was near.
                endRun(into: &rests)
                return begin(next)
            }
            entry.isDeviation = true
        } else {
            deviations = 0
            lastNearTime = point.time
        }
        direction = ahead
        lastTime = point.time
        append(entry)
        if entries.count == Self.maximumEntries { endSection(into: &rests) }
    }

    @inline(never)
    private mutating func begin(_ next: Point) {
        let point = next.point
        origin = (point.longitude, point.latitude)
        eastScale = Self.northScale * max(0.01, cos(Double(point.latitude) * 1e-7 * .pi / 180))
        (way, deviations, direction, settled) = (Way(), 0, 0, 0)
        (lastTime, lastNearTime) = (point.time, point.time)
        entries.append(Entry(next, x: 0, y: 0, way: way))
        (sumX, sumY, near) = (0, 0, 1)
    }

    @inline(__always)
    private mutating func append(_ entry: Entry) {
        let index = entries.count - 1
        if !entry.isDeviation, !entries[index].isDeviation, settled <= index,
            abs(entry.begin - entries[index].begin) < Self.entryMilliseconds
        {
            sumX -= entries[index].x
            sumY -= entries[index].y
            entries[index].add(entry)
            sumX += entries[index].x
            sumY += entries[index].y
            return
        }
        entries.append(entry)
        guard !entry.isDeviation else { return }
        sumX += entry.x
        sumY += entry.y
        near += 1
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
        (sumX, sumY, near) = (0, 0, 0)
        for entry in entries where !entry.isDeviation {
            sumX += entry.x
            sumY += entry.y
            near += 1
        }
    }

    // MARK: Deciding

    /// The part of the run that is a rest and has not been returned yet, and its last entry.
    private func rest() -> (rest: Rest, end: Int)? {
        guard duration(0, entries.count - 1) >= Self.shortestMilliseconds else { return nil }
        let all = entries.indices.filter { !entries[$0].isDeviation }
        guard let first = all.first, let last = all.last, duration(first, last) >= Self.shortestMilliseconds else {
            return nil
        }
        let (low, high) = trimmed(all)
        guard low < high, duration(all[low], all[high]) >= Self.shortestMilliseconds else { return nil }
        let within = Array(all[low...high])
        guard isStill(within) else { return nil }
        // What was found in an earlier section belongs to the same rest.
        let begin = max(within[0], settled - 1)
        let end = within[within.count - 1]
        guard begin < end else { return nil }
        let isContinued = settled > 0 && begin == settled - 1
        let from = entries[begin]
        let rest = Rest(
            points: (isContinued ? from.last : from.first) + 1..<entries[end].last + 1,
            way: entries[end].lastWay - (isContinued ? from.lastWay : from.firstWay))
        return (rest, end)
    }

    private func duration(_ first: Int, _ last: Int) -> Int64 { abs(entries[last].begin - entries[first].begin) }

    private typealias Mean = (x: Double, y: Double, z: Double, time: Double)

    private func mean(_ indices: ArraySlice<Int>) -> Mean {
        var sum: Mean = (0, 0, 0, 0)
        var heights = 0
        for index in indices {
            let entry = entries[index]
            sum.x += entry.x
            sum.y += entry.y
            sum.time += Double(entry.begin - entries[0].begin)
            if !entry.z.isNaN {
                sum.z += entry.z
                heights += 1
            }
        }
        let count = Double(indices.count)
        return (sum.x / count, sum.y / count, heights > 0 ? sum.z / Double(heights) : .nan, sum.time / count)
    }

    /// The run without the way to the place and from it: from the first to the last entry that is as near to the middle of
    /// the run as its entries usually are.
    private func trimmed(_ all: [Int]) -> (low: Int, high: Int) {
        let third = all.count / 3
        let middle = all[third..<max(third + 1, all.count - third)]
        let center = mean(middle)
        func square(_ index: Int) -> Double {
            let (x, y) = (entries[index].x - center.x, entries[index].y - center.y)
            return x * x + y * y
        }
        let usual = middle.reduce(0) { $0 + square($1) } / Double(middle.count)
        // At least 5 m: a receiver at rest that rounds its positions has no errors.
        let limit = max(25, 2.25 * usual)
        let low = settled > 0 ? 0 : all.firstIndex { square($0) <= limit } ?? 0
        let high = all.lastIndex { square($0) <= limit } ?? all.count - 1
        return (low, high)
    }

    private func isStill(_ within: [Int]) -> Bool {
        let third = max(1, within.count / 3)
        let (one, other) = (mean(within[..<third]), mean(within[(within.count - third)...]))
        let height = other.z - one.z
        let net = Self.metres(one, other, height: height.isNaN ? 0 : height)
        guard net * 1000 < Self.netMetresPerSecond * abs(other.time - one.time) else { return false }
        let windows = means(of: within, least: Self.windowMilliseconds, points: Self.windowPoints)
        let density = Double(duration(within[0], within[within.count - 1])) / Double(within.count - 1)
        // Of sparse points, six are so long that movements to and fro have the same mean.
        let areWindowsShort = density * Double(Self.windowPoints) <= Double(Self.windowMilliseconds)
        if areWindowsShort, Self.isSlow(windows) { return true }
        let blocks = means(of: within, least: Self.blockMilliseconds, points: 1)
        return Self.isSlow(blocks) || !Self.isDirected(blocks)
    }

    /// The means of sections of a least time and number of points.
    private func means(of within: [Int], least milliseconds: Int64, points least: Int) -> [Mean] {
        var means: [Mean] = []
        var start = 0
        var points = 0
        for (position, index) in within.enumerated() {
            points += entries[index].points
            let isLong = position + 1 == within.count || duration(within[start], within[position + 1]) >= milliseconds
            guard points >= least, isLong else { continue }
            means.append(mean(within[start...position]))
            (start, points) = (position + 1, 0)
        }
        return means
    }

    /// Whether the way through means is slow.
    private static func isSlow(_ means: [Mean]) -> Bool {
        guard let first = means.first, let last = means.last, means.count > 1 else { return true }
        let way = zip(means, means.dropFirst()).reduce(0) { $0 + metres($1.0, $1.1, height: 0) }
        return way * 1000 < chainMetresPerSecond * abs(last.time - first.time)
    }

    /// Whether the way through means goes on in a direction for some time, as movement does and errors do not.
    private static func isDirected(_ means: [Mean]) -> Bool {
        guard let first = means.first, let last = means.last, means.count >= 6,
            abs(last.time - first.time) <= longestBlockMilliseconds * Double(means.count - 1)
        else { return false }
        func squares(_ lag: Int) -> Double {
            zip(means, means.dropFirst(lag)).reduce(0) { sum, pair in
                let way = metres(pair.0, pair.1, height: 0)
                return sum + way * way
            } / Double(means.count - lag)
        }
        return squares(2) >= directionRatio * squares(1)
    }

    private static func metres(_ one: Mean, _ other: Mean, height: Double) -> Double {
        let (x, y) = (other.x - one.x, other.y - one.y)
        return (x * x + y * y + height * height).squareRoot()
    }
}
