import Foundation
import TileMath
import Tracks

/// Finds the runs of a device, from its cells in the order of time.
///
/// One pass collects cells into parts: a cell joins while it is near the mean and near the first one. Neighbouring
/// parts at the same place are one. Of parts within a run only those are kept that last for some time and are not
/// movement; the first and the last part always are, because they may continue after a pause. If they are movement,
/// only their outer point is kept: a trip begins there.
struct StayRunsBuilder: Sendable {
    /// Sums of differences to the first place of a cluster, in 1e-7°.
    private struct Sums {
        var count: Int64 = 0
        var x: Int64 = 0
        var y: Int64 = 0
        /// Of squared distances, in 1e-7° along a meridian.
        var squares = 0.0
    }

    /// Cells near each other.
    private struct Cluster {
        let longitude: Int32
        let latitude: Int32
        let first: Int64
        /// 1e-7° of longitude in 1e-7° along a meridian.
        let scale: Double
        var last: Int64
        /// Of the cells that are not known to be movement. These would draw the mean towards the way to the place.
        var sums = Sums()
        /// Of these, the cells before the current window.
        var before = Sums()
        /// Of the cells that are movement.
        var moving = Sums()

        init(_ visit: StayVisit) {
            (longitude, latitude, first, last) = (visit.longitude, visit.latitude, visit.arrive, visit.arrive)
            scale = cos(Double(visit.latitude) * 1e-7 * .pi / 180)
            _ = add(visit)
        }

        /// Adds a cell if its mean is near enough.
        @inline(__always)
        mutating func add(_ visit: StayVisit) -> Bool {
            let dx = E7Longitude.difference(from: longitude, to: visit.longitude)
            let dy = Int64(visit.latitude) - Int64(latitude)
            let (x, y) = (Double(dx) * scale, Double(dy))
            guard x * x + y * y <= Self.driftSquare else { return false }
            let number = Double(sums.count)
            // The distance from the mean times the number of points, compared with the radius times it: nothing is
            // divided, and an empty cluster takes any cell.
            let (meanX, meanY) = (x * number - Double(sums.x) * scale, y * number - Double(sums.y))
            guard meanX * meanX + meanY * meanY <= Self.radiusSquare * number * number else { return false }
            // The cell's corner, by the shorter way round.
            let west = Double(dx - visit.x)
            let south = Double(dy - visit.y)
            let cell = visit.cell
            let (sumX, sumY, points) = (Double(cell.x), Double(cell.y), Double(cell.count))
            // Of all points of the cell: the sum of (west + x)², from the sums of x and of x².
            let squareX = points * west * west + 2 * west * sumX + Double(cell.xx)
            let squareY = points * south * south + 2 * south * sumY + Double(cell.yy)
            sums.squares += squareX * scale * scale + squareY
            sums.count &+= cell.count
            sums.x &+= cell.count &* (dx - visit.x) &+ cell.x
            sums.y &+= cell.count &* (dy - visit.y) &+ cell.y
            last = max(last, visit.leave)
            return true
        }

        private static var driftSquare: Double { square(StayRule.driftMetres / EarthSphere.metresPerUnit) }
        private static var radiusSquare: Double { square(StayRule.radiusMetres / EarthSphere.metresPerUnit) }
        @inline(__always)
        private static func square(_ value: Double) -> Double { value * value }

        /// Ends a window of movement.
        mutating func endWindow(isMovement: Bool) {
            if isMovement {
                moving.count &+= sums.count &- before.count
                moving.x &+= sums.x &- before.x
                moving.y &+= sums.y &- before.y
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
            // The sum of the squared distances from the mean. Little is lost by the difference, because the sums are
            // relative to the first place of the cluster, about `driftMetres` away at most.
            let rest = sums.squares - number * (meanX * scale * meanX * scale + meanY * meanY)
            let decimetres = EarthSphere.metresPerUnit * 10
            return StayPart(
                arrive: first, leave: last, longitude: E7Longitude.wrapped(Int64(longitude) + Int64(meanX.rounded())),
                latitude: latitude + Int32(meanY.rounded()), points: Int(sums.count),
                spread: Int64((max(0, rest) * decimetres * decimetres).rounded()))
        }
    }

    private var runs: [StayRun] = []
    /// The current part; nil before the first cell of a run.
    private var cluster: Cluster?
    /// The first place of the run, and the last one.
    private var start = StayInstant(longitude: 0, latitude: 0, time: 0)
    private var end = StayInstant(longitude: 0, latitude: 0, time: 0)
    /// Where the current window of movement begins.
    private var anchor = StayInstant(longitude: 0, latitude: 0, time: 0)
    /// The last part, which the next one may continue.
    private var pending: StayPart?
    /// Parts before it whose movement is not known up to their end.
    private var undecided: [StayPart] = []
    private var parts: [StayPart] = []
    private var movements: [ClosedRange<Int64>] = []

    /// Adds the next cell of the device. After an arrival before a pause, the stay is where the last point is.
    mutating func add(_ visit: StayVisit, isBeforePause: Bool) {
        if cluster != nil, visit.arrive - end.time > StayRule.pauseMilliseconds { endRun() }
        if cluster == nil {
            start = visit.mean(at: visit.arrive)
            anchor = start
            end = visit.mean(at: visit.leave)
            cluster = Cluster(visit)
            return
        }
        let place = visit.middle
        let before = movements.last?.upperBound
        let isPoint = visit.arrive == visit.leave
        let isWindow =
            place.time - anchor.time
            >= (isPoint ? StayRule.windowMilliseconds : StayRule.cellWindowMilliseconds)
        let windowStart = anchor
        if isWindow { endWindow(at: place) } else if isBeforePause { endLastWindow(at: place) }
        if visit.leave >= end.time { end = visit.mean(at: visit.leave) }
        let arrives =
            isBeforePause && movements.last?.upperBound == place.time
            && windowStart.moves(to: place, metresPerSecond: StayRule.arrivingMetresPerSecond)
        if arrives || cluster?.add(visit) != true {
            endCluster(at: visit)
        } else if isWindow, movements.last?.upperBound == before {
            // Both ends of the window are at rest.
            cluster?.endWindow(isMovement: false)
        }
    }

    /// The next part begins at a cell.
    private mutating func endCluster(at visit: StayVisit) {
        // The cells since the last window are on the way already.
        if let before = cluster?.before, before.count > 0 { cluster?.endWindow(isMovement: true) }
        if let cluster { append(cluster.part) }
        cluster = Cluster(visit)
    }

    /// The runs of the device. The builder must not be used afterwards.
    mutating func finish() -> [StayRun] {
        endRun()
        return runs
    }

    // MARK: Movement

    /// Measures the movement of the window before a point; the next one begins there.
    private mutating func endWindow(at end: StayInstant) {
        let start = anchor
        anchor = end
        let isMovement = start.moves(to: end, metresPerSecond: StayRule.movingMetresPerSecond)
        if isMovement { addMovement(start.time...end.time) }
        cluster?.endWindow(isMovement: isMovement)
        decide(until: end.time)
    }

    private mutating func addMovement(_ range: ClosedRange<Int64>) {
        if let last = movements.last, last.upperBound == range.lowerBound {
            movements[movements.count - 1] = last.lowerBound...range.upperBound
        } else {
            movements.append(range)
        }
    }

    /// The last window before a pause is shorter. A very short one is movement if the one before it was.
    private mutating func endLastWindow(at end: StayInstant) {
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

    private mutating func decide(_ part: StayPart, isLast: Bool, end: StayInstant?) {
        let isFirst = part.arrive == start.time && parts.isEmpty
        let isMovement = isMovement(part)
        if !isMovement {
            // Whoever departs at once was where the first point is.
            if isFirst, movements.first?.lowerBound == start.time { parts.append(StayPart(start)) }
            if isFirst || isLast || part.leave - part.arrive >= StayRule.partMilliseconds { parts.append(part) }
            return
        }
        for place in [isFirst ? start : nil, isLast ? end : nil] {
            guard let place else { continue }
            parts.append(StayPart(place))
        }
    }

    private mutating func endRun() {
        guard let cluster else { return }
        endLastWindow(at: end)
        append(self.cluster?.part ?? cluster.part)
        decide(until: .max)
        if let pending { decide(pending, isLast: true, end: end) }
        runs.append(StayRun(from: start.time, to: end.time, parts: parts, movements: movements))
        (self.cluster, pending) = (nil, nil)
        undecided.removeAll()
        parts.removeAll()
        movements.removeAll()
    }
}

extension StayPart {
    /// A single point.
    init(_ place: StayInstant) {
        self.init(
            arrive: place.time, leave: place.time, longitude: place.longitude, latitude: place.latitude, points: 1,
            spread: 0)
    }

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
        // Sums of squares about two means become one about the common mean by adding n·m/(n+m)·d² (Chan, Golub and
        // LeVeque, 1979).
        part.spread += other.spread + Int64((decimetres * decimetres * Double(points) * share).rounded())
        return part
    }
}
