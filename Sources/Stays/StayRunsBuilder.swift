import Foundation
import TileMath
public import Tracks

/// Finds the runs of a track, from its points in the order of the track.
///
/// One pass collects points into parts: a point joins while it is near the mean and near the first point. Neighbouring
/// parts at the same place are one. Of parts within a run only those are kept that last for some time and are not
/// movement; the first and the last part always are, because they may continue after a pause. If they are movement,
/// only their outer point is kept: a trip begins there.
public struct StayRunsBuilder: Sendable {
    /// Sums of differences to the first point of a cluster, in 1e-7°.
    private struct Sums {
        var count = 0
        var x: Int64 = 0
        var y: Int64 = 0
        /// Of squared distances, in 1e-7° along a meridian.
        var squares = 0.0
    }

    /// Points near each other.
    private struct Cluster {
        let longitude: Int32
        let latitude: Int32
        private(set) var first: Int64
        /// 1e-7° of longitude in 1e-7° along a meridian.
        let scale: Double
        var last: Int64
        var lastLongitude: Int32
        var lastLatitude: Int32
        /// Of the points that are not known to be movement. These would draw the mean towards the way to the place.
        var sums = Sums(count: 1)
        /// Of these, the points before the current window.
        var before = Sums()
        /// Of the points that are movement.
        var moving = Sums()

        init(_ point: Place) {
            (longitude, latitude, first) = (point.longitude, point.latitude, point.time)
            (lastLongitude, lastLatitude, last) = (point.longitude, point.latitude, point.time)
            scale = cos(Double(point.latitude) * 1e-7 * .pi / 180)
        }

        mutating func negateTimes() {
            first.negate()
            last.negate()
        }

        /// Adds a point if it is near enough.
        @inline(__always)
        mutating func add(_ point: Place) -> Bool {
            let dx = E7Longitude.difference(from: longitude, to: point.longitude)
            let dy = Int64(point.latitude) - Int64(latitude)
            let (x, y) = (Double(dx) * scale, Double(dy))
            let square = x * x + y * y
            guard square <= Self.driftSquare else { return false }
            let number = Double(sums.count)
            let (meanX, meanY) = (x * number - Double(sums.x) * scale, y * number - Double(sums.y))
            guard meanX * meanX + meanY * meanY <= Self.radiusSquare * number * number else { return false }
            sums.count += 1
            sums.x += dx
            sums.y += dy
            sums.squares += square
            (lastLongitude, lastLatitude, last) = (point.longitude, point.latitude, point.time)
            return true
        }

        private static var driftSquare: Double { square(StayRule.driftMetres / EarthSphere.metresPerUnit) }
        private static var radiusSquare: Double { square(StayRule.radiusMetres / EarthSphere.metresPerUnit) }
        @inline(__always)
        private static func square(_ value: Double) -> Double { value * value }

        /// Ends a window of movement.
        mutating func endWindow(isMovement: Bool) {
            if isMovement {
                moving.count += sums.count - before.count
                moving.x += sums.x - before.x
                moving.y += sums.y - before.y
                moving.squares += sums.squares - before.squares
                sums = before
            } else {
                before = sums
            }
        }

        var part: StayPart {
            let sums = sums.count > 0 ? sums : moving
            let number = Double(sums.count)
            let (meanX, meanY) = (Double(sums.x) / number, Double(sums.y) / number)
            let rest = sums.squares - number * (meanX * scale * meanX * scale + meanY * meanY)
            let decimetres = EarthSphere.metresPerUnit * 10
            return StayPart(
                arrive: first, leave: last, longitude: E7Longitude.wrapped(Int64(longitude) + Int64(meanX.rounded())),
                latitude: latitude + Int32(meanY.rounded()), points: sums.count,
                spread: Int64((max(0, rest) * decimetres * decimetres).rounded()))
        }
    }

    fileprivate struct Place {
        var longitude: Int32
        var latitude: Int32
        var time: Int64
    }

    private var runs: [StayRun] = []
    /// Whether times ascend (1) or descend (-1) in the present run; 0 while all its times are the same. Some devices
    /// write the newest point first. Within a run, descending times are counted negative.
    private var direction: Int64 = 0
    /// The points of the current part; without meaning before the first point of a run.
    private var cluster = Cluster(Place(longitude: 0, latitude: 0, time: 0))
    /// The first place of the run; nil before it.
    private var start: Place?
    /// Where the current window of movement begins.
    private var anchor = Place(longitude: 0, latitude: 0, time: 0)
    /// The last part, which the next one may continue.
    private var pending: StayPart?
    /// Parts before it whose movement is not known up to their end.
    private var undecided: [StayPart] = []
    private var parts: [StayPart] = []
    private var movements: [ClosedRange<Int64>] = []

    /// Creates the runs of a track without points.
    public init() {}

    /// Adds the next points of the track.
    public mutating func add(_ points: [ClassifiedPoint]) {
        for index in points.indices where points[index].outlierReason == nil {
            let point = points[index]
            guard point.time != PointChunk.untimed else { continue }
            if start != nil {
                if direction == 0 { findDirection(at: point) }
                let pause = time(point) &- cluster.last
                if pause < 0 || pause > StayRule.pauseMilliseconds { endRun() }
            }
            let place = Place(point, time: time(point))
            if start == nil {
                start = place
                anchor = place
                cluster = Cluster(place)
                continue
            }
            if place.time - anchor.time >= StayRule.windowMilliseconds { endWindow(at: place) }
            if !cluster.add(place) { endCluster(at: place) }
        }
    }

    /// The time of a point within the run.
    @inline(__always)
    private func time(_ point: ClassifiedPoint) -> Int64 { direction < 0 ? -point.time : point.time }

    /// Finds out whether the times of the run ascend, from the first point with another time than the first one.
    private mutating func findDirection(at point: ClassifiedPoint) {
        if point.time >= cluster.last || pending != nil {
            direction = point.time == cluster.last ? 0 : 1
            return
        }
        direction = -1
        start?.time.negate()
        anchor.time.negate()
        cluster.negateTimes()
    }

    /// The next part begins at a point.
    private mutating func endCluster(at place: Place) {
        // The points since the last window are on the way already.
        if cluster.before.count > 0 { cluster.endWindow(isMovement: true) }
        append(cluster.part)
        cluster = Cluster(place)
    }

    /// The runs of the track. The builder must not be used afterwards.
    public mutating func finish() -> [StayRun] {
        endRun()
        return runs
    }

    // MARK: Movement

    /// Measures the movement of the window before a point; the next one begins there.
    private mutating func endWindow(at end: Place) {
        let start = anchor
        anchor = end
        let metres = Geodesy.sphereMetres(start.longitude, start.latitude, end.longitude, end.latitude)
        let milliseconds = end.time - start.time
        let isMovement = metres * 1000 >= StayRule.movingMetresPerSecond * Double(milliseconds)
        if isMovement { addMovement(start.time...end.time) }
        cluster.endWindow(isMovement: isMovement)
        decide(until: end.time)
    }

    private mutating func addMovement(_ range: ClosedRange<Int64>) {
        if let last = movements.last, last.upperBound == range.lowerBound {
            movements[movements.count - 1] = last.lowerBound...range.upperBound
        } else {
            movements.append(range)
        }
    }

    /// The last window of a run is shorter. A very short one is movement if the one before it was.
    private mutating func endLastWindow(at end: Place) {
        let start = anchor
        guard end.time > start.time else { return }
        if end.time - start.time >= StayRule.lastWindowMilliseconds {
            endWindow(at: end)
        } else if movements.last?.upperBound == start.time {
            addMovement(start.time...end.time)
        }
    }

    private func isMovement(_ part: StayPart) -> Bool {
        var moving: Int64 = 0
        for movement in movements.reversed() {
            guard movement.upperBound > part.arrive else { break }
            moving += max(0, min(movement.upperBound, part.leave) - max(movement.lowerBound, part.arrive))
        }
        return StayRule.isMostly(moving, of: part.leave - part.arrive)
    }

    // MARK: Parts

    private mutating func append(_ part: StayPart) {
        if let last = pending {
            if last.metres(to: part) <= StayRule.radiusMetres {
                pending = last.joined(with: part)
                return
            }
            undecided.append(last)
        }
        pending = part
    }

    /// Keeps or drops the parts whose movement is known.
    private mutating func decide(until time: Int64) {
        var count = 0
        while count < undecided.count, undecided[count].leave <= time {
            decide(undecided[count], isLast: false, end: nil)
            count += 1
        }
        undecided.removeFirst(count)
    }

    private mutating func decide(_ part: StayPart, isLast: Bool, end: Place?) {
        let isFirst = part.arrive == start?.time && parts.isEmpty
        let isMovement = isMovement(part)
        if !isMovement {
            if isFirst || isLast || part.leave - part.arrive >= StayRule.partMilliseconds { parts.append(part) }
            return
        }
        for place in [isFirst ? start : nil, isLast ? end : nil] {
            guard let place else { continue }
            parts.append(
                StayPart(
                    arrive: place.time, leave: place.time, longitude: place.longitude, latitude: place.latitude,
                    points: 1, spread: 0))
        }
    }

    private mutating func endRun() {
        guard let start else { return }
        let end = Place(longitude: cluster.lastLongitude, latitude: cluster.lastLatitude, time: cluster.last)
        endLastWindow(at: end)
        append(cluster.part)
        decide(until: .max)
        if let pending { decide(pending, isLast: true, end: end) }
        let run = StayRun(from: start.time, to: end.time, parts: parts, movements: movements)
        runs.append(direction < 0 ? run.withNegatedTimes : run)
        (self.start, pending, direction) = (nil, nil, 0)
        undecided.removeAll()
        parts.removeAll()
        movements.removeAll()
    }
}

extension StayRun {
    /// The run of the same points in the opposite order, with negated times.
    fileprivate var withNegatedTimes: StayRun {
        StayRun(
            from: -to, to: -from,
            parts: parts.reversed().map { part in
                var negated = part
                (negated.arrive, negated.leave) = (-part.leave, -part.arrive)
                return negated
            },
            movements: movements.reversed().map { -$0.upperBound ... -$0.lowerBound })
    }
}

extension StayPart {
    /// The distance of the means on a sphere.
    func metres(to other: StayPart) -> Double {
        Geodesy.sphereMetres(longitude, latitude, other.longitude, other.latitude)
    }

    /// Both parts as one.
    func joined(with other: StayPart) -> StayPart {
        let sum = points + other.points
        let share = Double(other.points) / Double(sum)
        let width = Double(E7Longitude.difference(from: longitude, to: other.longitude))
        let height = Double(other.latitude) - Double(latitude)
        let decimetres = metres(to: other) * 10
        var part = self
        part.arrive = min(arrive, other.arrive)
        part.leave = max(leave, other.leave)
        part.longitude = E7Longitude.wrapped(Int64(longitude) + Int64((width * share).rounded()))
        part.latitude = latitude + Int32((height * share).rounded())
        part.points = sum
        part.spread += other.spread + Int64((decimetres * decimetres * Double(points) * share).rounded())
        return part
    }
}

extension StayRunsBuilder.Place {
    fileprivate init(_ point: ClassifiedPoint, time: Int64) {
        self.init(longitude: point.longitude, latitude: point.latitude, time: time)
    }
}
