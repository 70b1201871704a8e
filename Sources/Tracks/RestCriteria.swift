/// Tells whether the entries of a run of `RestDetector` are at rest.
struct RestCriteria {
    let entries: [RestEntry]

    /// The maximum speed in metres per second between the means of the first and of the last third, heights included.
    static let netMetresPerSecond = 0.15
    /// The maximum speed in metres per second of the way through the means of windows.
    static let chainMetresPerSecond = 0.3
    /// The shortest window, in milliseconds and in points.
    static let windowMilliseconds: Int64 = 15_000
    static let windowPoints = 6
    /// The shortest of the blocks of which is tested whether they go on in one direction.
    static let blockMilliseconds: Int64 = 3000
    /// Blocks that are longer on average show no direction of slow movements to and fro.
    static let longestBlockMilliseconds = 20_000.0
    /// From this ratio on, the squared distances of blocks to the next but one and to the next one are those of movement.
    /// Errors that have nothing to do with each other have 1, errors that wander at most 2, a straight way 4.
    static let directionRatio = 2.3
    /// The same for blocks of several points: the means of a random walk have 2.5.
    static let directionRatioOfMeans = 3.0
    /// If the means of windows hardly move, the direction of blocks has to be clearer by this.
    static let directionRatioOfSlow = 0.4
    /// A movement to and fro is so many times as long as it is wide, and at least so long in metres (standard deviations).
    static let narrowness = 3.5
    static let narrowMetres = 6.0

    /// The milliseconds between two entries.
    func duration(_ first: Int, _ last: Int) -> Int64 { abs(entries[last].begin - entries[first].begin) }

    private typealias Mean = (x: Double, y: Double, z: Double, time: Double)

    private func mean(_ range: Range<Int>) -> Mean {
        var sum: Mean = (0, 0, 0, 0)
        var heights = 0
        for entry in entries[range] {
            sum.x += entry.x
            sum.y += entry.y
            sum.time += Double(entry.begin - entries[0].begin)
            if !entry.z.isNaN {
                sum.z += entry.z
                heights += 1
            }
        }
        let count = Double(range.count)
        return (sum.x / count, sum.y / count, heights > 0 ? sum.z / Double(heights) : .nan, sum.time / count)
    }

    /// The run without the way to the place and from it: from the first to the last entry that is as near to the middle of
    /// the run as its entries usually are.
    func trimmed(isContinued: Bool) -> Range<Int> {
        let third = entries.count / 3
        let middle = third..<entries.count - third
        let center = mean(middle)
        func square(_ entry: RestEntry) -> Double {
            let (x, y) = (entry.x - center.x, entry.y - center.y)
            return x * x + y * y
        }
        let usual = entries[middle].reduce(0) { $0 + square($1) } / Double(middle.count)
        // At least 2 m: a receiver at rest that rounds its positions has no errors.
        let limit = max(4, 2.25 * usual)
        let low = isContinued ? 0 : entries.firstIndex { square($0) <= limit } ?? 0
        let high = entries.lastIndex { square($0) <= limit } ?? entries.count - 1
        return low..<max(low, high) + 1
    }

    /// Whether these entries are at the same place, and do not move in between.
    func isStill(_ within: Range<Int>) -> Bool {
        let third = max(1, within.count / 3)
        let (one, other) = (mean(within.prefix(third)), mean(within.suffix(third)))
        let height = other.z - one.z
        let net = Self.metres(one, other, height: height.isNaN ? 0 : height)
        guard net * 1000 < Self.netMetresPerSecond * abs(other.time - one.time) else { return false }
        let blocks = means(of: within, least: Self.blockMilliseconds, points: 1)
        if Self.isSlow(blocks) { return true }
        if isNarrow(within) { return false }
        let points = entries[within].reduce(0) { $0 + $1.points }
        var ratio = points >= 3 * blocks.count ? Self.directionRatioOfMeans : Self.directionRatio
        let windows = means(of: within, least: Self.windowMilliseconds, points: Self.windowPoints)
        let density = Double(duration(within.lowerBound, within.upperBound - 1)) / Double(within.count - 1)
        // Of sparse points, six are so long that movements to and fro have the same mean.
        let areWindowsShort = density * Double(Self.windowPoints) <= Double(Self.windowMilliseconds)
        if areWindowsShort, Self.isSlow(windows) { ratio += Self.directionRatioOfSlow }
        return !Self.isDirected(blocks, ratio)
    }

    /// Whether the run is a long and narrow area, such as a lane of a swimming pool; errors are about as wide as long.
    private func isNarrow(_ within: Range<Int>) -> Bool {
        let center = mean(within)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for entry in entries[within] {
            let (x, y) = (entry.x - center.x, entry.y - center.y)
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
        }
        // The variances along the main axes of the points.
        let count = Double(within.count)
        let middle = (xx + yy) / 2 / count
        let half = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot() / count
        let (long, wide) = (middle + half, max(0, middle - half))
        return long >= Self.narrowMetres * Self.narrowMetres && long >= Self.narrowness * Self.narrowness * wide
    }

    /// The means of sections of a least time and number of points.
    private func means(of within: Range<Int>, least milliseconds: Int64, points least: Int) -> [Mean] {
        var means: [Mean] = []
        var start = within.lowerBound
        var points = 0
        for index in within {
            points += entries[index].points
            let isLong = index + 1 == within.upperBound || duration(start, index + 1) >= milliseconds
            guard points >= least, isLong else { continue }
            means.append(mean(start..<index + 1))
            (start, points) = (index + 1, 0)
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
    private static func isDirected(_ means: [Mean], _ ratio: Double) -> Bool {
        guard let first = means.first, let last = means.last, means.count >= 6,
            abs(last.time - first.time) <= longestBlockMilliseconds * Double(means.count - 1)
        else { return false }
        func squares(_ lag: Int) -> Double {
            zip(means, means.dropFirst(lag)).reduce(0) { sum, pair in
                let way = metres(pair.0, pair.1, height: 0)
                return sum + way * way
            } / Double(means.count - lag)
        }
        return squares(2) >= ratio * squares(1)
    }

    private static func metres(_ one: Mean, _ other: Mean, height: Double) -> Double {
        let (x, y) = (other.x - one.x, other.y - one.y)
        return (x * x + y * y + height * height).squareRoot()
    }
}
