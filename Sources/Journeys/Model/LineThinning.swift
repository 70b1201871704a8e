public import TileMath

/// Lines with a maximum number of corners.
public enum LineThinning {
    /// Up to a depth of this times log2 of the count, a range is split at its farthest corner; deeper, in the middle.
    /// Otherwise a spiral would need one level of depth per corner.
    private static let depthFactor = 4

    private struct Pending {
        var first: Int
        var last: Int
        var limit: Double
        var depth: Int
    }

    /// The line with at most `count` corners, at least two: those of the line simplification by Douglas and Peucker (1973) whose
    /// tolerance leaves that many. Its ends stay; a shorter line is returned as it is.
    ///
    /// `LineSimplifier` of tiles finds zoom levels, half of the corners at a time; here it is a count that is given.
    public static func thinned(_ line: [GeoPoint], to count: Int) -> [GeoPoint] {
        guard line.count > max(2, count) else { return line }
        let tolerances = tolerances(line)
        let ordered = tolerances.sorted(by: >)
        let least = ordered[max(2, count) - 1]
        // Of corners with the same tolerance, the first.
        var left = max(2, count) - ordered.prefix { $0 > least }.count
        return line.indices.compactMap { index in
            if tolerances[index] > least { return line[index] }
            guard tolerances[index] == least, left > 0 else { return nil }
            left -= 1
            return line[index]
        }
    }

    /// A line with as many corners as `JourneyLimits` allows for a route with a number of places.
    public static func fitting(_ line: [GeoPoint], places: Int) -> [GeoPoint] {
        thinned(line, to: min(JourneyLimits.linePoints, JourneyLimits.placesTimesPoints / max(1, places)))
    }

    private static func tolerances(_ line: [GeoPoint]) -> [Double] {
        var corners: [(x: Double, y: Double)] = []
        corners.reserveCapacity(line.count)
        var last: (world: WorldPoint, x: Double)?
        for point in line {
            let world = WorldPoint(point)
            let x = last.map { $0.x + Double($0.world.eastwards(to: world)) } ?? Double(world.x)
            corners.append((x, Double(world.y)))
            last = (world, x)
        }
        return tolerances(corners)
    }

    /// For each corner the square of the greatest tolerance that keeps it, in the unit of the corners; infinite at the ends.
    public static func tolerances(_ corners: [(x: Double, y: Double)]) -> [Double] {
        guard !corners.isEmpty else { return [] }
        var kept = [Double](repeating: 0, count: corners.count)
        kept[0] = .infinity
        kept[corners.count - 1] = .infinity
        let depthLimit = depthFactor * (Int.bitWidth - corners.count.leadingZeroBitCount)
        var stack = [Pending(first: 0, last: corners.count - 1, limit: .infinity, depth: 0)]
        while let part = stack.popLast() {
            guard part.last - part.first > 1 else { continue }
            let (farthest, square) = farthest(corners, part.first, part.last)
            // No corner is kept longer than the one that divides its range.
            let tolerance = min(square, part.limit)
            let split = part.depth < depthLimit ? farthest : (part.first + part.last) / 2
            kept[split] = tolerance
            stack.append(Pending(first: split, last: part.last, limit: tolerance, depth: part.depth + 1))
            stack.append(Pending(first: part.first, last: split, limit: tolerance, depth: part.depth + 1))
        }
        return kept
    }

    /// The corner between two others that is farthest from the segment between them, and the square of its distance.
    private static func farthest(
        _ corners: [(x: Double, y: Double)], _ first: Int, _ last: Int
    ) -> (index: Int, square: Double) {
        let start = corners[first]
        let (dx, dy) = (corners[last].x - start.x, corners[last].y - start.y)
        let length = dx * dx + dy * dy
        var best = (index: first + 1, square: -1.0)
        for index in first + 1..<last {
            let (x, y) = (corners[index].x - start.x, corners[index].y - start.y)
            let part = length > 0 ? min(max((x * dx + y * dy) / length, 0), 1) : 0
            let (ex, ey) = (x - part * dx, y - part * dy)
            let square = ex * ex + ey * ey
            if square > best.square { best = (index, square) }
        }
        return best
    }
}
