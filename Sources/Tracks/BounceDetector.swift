/// Finds bouncing positions: a receiver that stays where it is, but believes again and again to be at one other place, at a
/// speed that is plausible, because its points are minutes apart.
///
/// An excursion is one or two points far from the points before and after them, which are at one place, without any point
/// on the way. It is a bounce if
/// - three excursions between the same two places, itself included, are within six hours, and
/// - its points say that they are five times less accurate than those at home; or one of them says nothing about accuracy,
///   somebody stays at home before or after it, and of the points around it one and a half times as many are at home as at
///   the other place.
/// A courier or a ferry has points on the way, or is at the other place for longer; a place with about as many points as
/// home is not an error of the receiver, because nothing tells which of the two is one.
///
/// Whether a point is a bounce depends only on points within `contextMilliseconds` before and after it.
struct BounceDetector: Sendable {
    /// A timed point.
    struct Point: Sendable {
        var index: Int
        var longitude: Int32
        var latitude: Int32
        var time: Int64
        /// Metres; nil without one.
        var accuracy: UInt32?
        /// Whether it is the first point of a segment.
        var begins = false
    }

    /// The points before and after an excursion are at one place within this distance in metres.
    static let homeMetres = 100.0
    /// The other place is farther away.
    static let farMetres = 500.0
    /// Points of excursions to one place are within this distance.
    static let placeMetres = 250.0
    /// The time within which excursions belong together.
    static let windowMilliseconds: Int64 = 6 * 3_600_000
    /// The smallest number of excursions that are bounces.
    static let fewestExcursions = 3
    /// So many points and excursions on each side of one are examined within the window: all of those that are minutes
    /// apart. Otherwise, a second of a dense recording would cost as much as its hours.
    static let examined = 100
    /// So many times less accurate are points of bounces.
    static let accuracyRatio: UInt64 = 5
    /// The longest time from the point before an excursion to the one after it.
    static let excursionMilliseconds: Int64 = 2 * 3_600_000
    /// Whether a point is a bounce depends on no points farther away in time: another excursion may be a window away, and
    /// reach beyond it.
    static let contextMilliseconds = windowMilliseconds + excursionMilliseconds

    /// Points away from home, as positions in the list of points.
    private struct Excursion {
        /// The first point away, and how many there are.
        var first: Int
        var count: Int
    }

    /// The number of points of the excursion that ends at `home`, of consecutive points; nil if none does.
    static func excursion(_ first: Point?, _ second: Point, _ third: Point, _ home: Point) -> Int? {
        // The latitudes of two points 100 m apart differ by less than 9,100 units; most tracks end here.
        let isNear = { (point: Point) in (Int64(home.latitude) - Int64(point.latitude)).magnitude < 9_100 }
        guard !home.begins, !third.begins else { return nil }
        if isNear(second), isAway(third, from: second, and: home) { return 1 }
        guard let first, !second.begins, isNear(first), isAway(second, from: first, and: home),
            isAway(third, from: first, and: home), metres(second, third) <= placeMetres
        else { return nil }
        return 2
    }

    private static func isAway(_ point: Point, from before: Point, and home: Point) -> Bool {
        let (span, overflow) = home.time.subtractingReportingOverflow(before.time)
        guard !overflow, span > 0, span <= excursionMilliseconds, before.time <= point.time, point.time <= home.time
        else {
            return false
        }
        // 500 m are at least 44,900 units along a meridian, and more along a parallel.
        let isFar =
            (Int64(point.latitude) - Int64(home.latitude)).magnitude > 30_000
            || (Int64(point.longitude) - Int64(home.longitude)).magnitude > 30_000
        return isFar && metres(before, home) <= homeMetres && metres(point, home) > farMetres
    }

    private static func metres(_ one: Point, _ other: Point) -> Double {
        Geodesy.sphereMetres(one.longitude, one.latitude, other.longitude, other.latitude)
    }

    /// The positions in the list of the points that are bounces, ascending. The points are in the order of the track,
    /// without those that are outliers for another reason.
    static func bounces(in points: [Point]) -> [Int] {
        var excursions: [Excursion] = []
        for position in points.indices.dropFirst(2) {
            let first = position >= 3 ? points[position - 3] : nil
            guard let count = excursion(first, points[position - 2], points[position - 1], points[position]) else {
                continue
            }
            excursions.append(Excursion(first: position - count, count: count))
        }
        guard excursions.count >= fewestExcursions else { return [] }
        return excursions.indices.filter {
            belongsTogether(excursions, $0, points) && isError(excursions[$0], points)
        }.flatMap { excursions[$0].first..<excursions[$0].first + excursions[$0].count }
    }

    /// Whether three excursions between the same places are within the window, this one included.
    private static func belongsTogether(_ excursions: [Excursion], _ index: Int, _ points: [Point]) -> Bool {
        let one = excursions[index]
        let time = points[one.first].time
        func isAlike(_ other: Excursion) -> Bool {
            metres(points[other.first], points[one.first]) <= placeMetres
                && metres(points[other.first - 1], points[one.first - 1]) <= placeMetres
        }
        func nearest(_ others: some Sequence<Int>) -> [Int64] {
            var times: [Int64] = []
            for other in others.prefix(examined) {
                let there = points[excursions[other].first].time
                guard abs(there - time) <= windowMilliseconds, times.count < fewestExcursions - 1 else { break }
                if isAlike(excursions[other]) { times.append(there) }
            }
            return times
        }
        let before = nearest((0..<index).reversed())
        let after = nearest(index + 1..<excursions.count)
        let times = before.reversed() + [time] + after
        return times.indices.dropLast(fewestExcursions - 1).contains {
            abs(times[$0 + fewestExcursions - 1] - times[$0]) <= windowMilliseconds
        }
    }

    /// Whether the points of an excursion are worse than those at home, or fewer.
    private static func isError(_ excursion: Excursion, _ points: [Point]) -> Bool {
        let away = points[excursion.first..<excursion.first + excursion.count]
        let home = [points[excursion.first - 1], points[excursion.first + excursion.count]]
        if let worse = away.compactMap(\.accuracy).min(), let better = home.compactMap(\.accuracy).min() {
            return UInt64(worse) >= accuracyRatio * UInt64(max(1, better))
        }
        let place = points[excursion.first]
        var (atHome, atPlace) = (0, 0)
        /// Counts points away from the excursion; returns whether the first one that is not at the other place is at home.
        func count(_ positions: some Sequence<Int>) -> Bool {
            var isStaying: Bool?
            for position in positions.prefix(examined) {
                let point = points[position]
                guard abs(point.time - place.time) <= windowMilliseconds else { break }
                let (isHome, isThere) = (metres(point, home[0]) <= placeMetres, metres(point, place) <= placeMetres)
                if isHome { atHome += 1 }
                if isThere { atPlace += 1 }
                if !isThere { isStaying = isStaying ?? isHome }
            }
            return isStaying ?? true
        }
        let end = excursion.first + excursion.count
        let wasHome = count((0..<excursion.first - 1).reversed())
        let isHome = count(end + 1..<points.count)
        return (wasHome || isHome) && 2 * (atHome + home.count) >= 3 * (atPlace + excursion.count)
    }
}
