public import TileMath
import Tracks

/// The lengths along a route: where its places are, and what lies at a distance from its beginning.
///
/// Metres are on the ellipsoid WGS 84; between two corners the line is straight on the map, as tiles draw it.
public struct RouteMeasure: Sendable {
    /// The corners on the map, in fixed-point numbers of the world, 2^32 wide; `x` goes on beyond the world's edge, so that
    /// lines over 180° are not torn.
    public let corners: [(x: Double, y: Double)]
    /// The metres from the beginning of the line to each corner.
    public var cornerMetres: [Double] { metres }
    private let metres: [Double]
    /// The metres from the beginning of the line to each place, never less than to the one before.
    public let placeMetres: [Double]

    /// Creates the measure of a route. Costs a place's distance to each corner.
    public init(_ route: JourneyRoute) {
        var corners: [(x: Double, y: Double)] = []
        var metres: [Double] = []
        var last: (world: WorldPoint, x: Double)?
        for (index, point) in route.line.enumerated() {
            let world = WorldPoint(point)
            let x = last.map { $0.x + Double($0.world.eastwards(to: world)) } ?? Double(world.x)
            corners.append((x, Double(world.y)))
            metres.append(index == 0 ? 0 : metres[index - 1] + Self.metres(route.line[index - 1], point))
            last = (world, x)
        }
        self.corners = corners
        self.metres = metres
        placeMetres = Self.places(route.places.map(\.point), corners, metres)
    }

    /// The length of the whole line.
    public var length: Double { metres.last ?? 0 }

    /// The metres from the first place to the last: what a journey covers.
    public var journeyMetres: Double { (placeMetres.last ?? 0) - (placeMetres.first ?? 0) }

    /// The metres from the beginning of the line, for a journey that has covered a distance since the first place.
    public func metres(ofJourney done: Double) -> Double {
        min((placeMetres.first ?? 0) + max(0, done), placeMetres.last ?? 0)
    }

    /// The point at a distance from the beginning of the line, and the corner before it.
    public func point(at distance: Double) -> (point: GeoPoint, corner: Int) {
        let (corner, part) = position(at: distance)
        let (from, to) = (corners[corner], corners[min(corner + 1, corners.count - 1)])
        let world = WorldPoint(
            x: Int64((from.x + (to.x - from.x) * part).rounded()),
            y: Int64((from.y + (to.y - from.y) * part).rounded()))
        let latitude = min(max(world.latitude, -90), 90)
        guard let point = GeoPoint(longitude: world.longitude, latitude: latitude) else {
            preconditionFailure("a point between two places is on Earth")
        }
        return (point, corner)
    }

    /// The part of the line from its beginning to a distance, on the map: fixed-point numbers of the world, 2^32 wide.
    public func line(upTo distance: Double) -> [(x: Double, y: Double)] {
        let (corner, part) = position(at: distance)
        var line = Array(corners[...corner])
        if part > 0, corner + 1 < corners.count {
            let (from, to) = (corners[corner], corners[corner + 1])
            line.append((from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part))
        }
        return line
    }

    /// The positions of corners for a line with at most so many, at least two: those that are some distance apart.
    public func corners(atMost limit: Int) -> [Int] {
        guard corners.count > max(2, limit) else { return Array(corners.indices) }
        // A pixel of the whole world at first, as if the line were shown on one tile of 2^20 pixels.
        var tolerance = Double(WorldPoint.side >> 20)
        while true {
            var kept = [0]
            for index in corners.indices.dropFirst().dropLast() {
                let (from, to) = (corners[kept[kept.count - 1]], corners[index])
                if abs(to.x - from.x) + abs(to.y - from.y) >= tolerance { kept.append(index) }
            }
            kept.append(corners.count - 1)
            if kept.count <= max(2, limit) { return kept }
            tolerance *= 2
        }
    }

    /// The corner before a distance, and the part of the way from it to the next.
    private func position(at distance: Double) -> (corner: Int, part: Double) {
        guard distance > 0, let end = metres.last, end > 0 else { return (0, 0) }
        guard distance < end else { return (corners.count - 1, 0) }
        var (low, high) = (0, metres.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if metres[middle] <= distance { low = middle } else { high = middle }
        }
        let step = metres[high] - metres[low]
        return (low, step > 0 ? (distance - metres[low]) / step : 0)
    }

    private static func metres(_ one: GeoPoint, _ other: GeoPoint) -> Double {
        Geodesy.metres(e7(one.longitude), e7(one.latitude), e7(other.longitude), e7(other.latitude))
    }

    private static func e7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

    /// Where places are along the line: each as near to it as their order allows, the sum of the squares of the distances
    /// being the least. A line may pass a place several times.
    private static func places(
        _ points: [GeoPoint], _ corners: [(x: Double, y: Double)], _ metres: [Double]
    ) -> [Double] {
        let steps = max(1, corners.count - 1)
        // For each step: the least sum so far with the last place beside it, and where that place is.
        var sums = [Double](repeating: 0, count: steps)
        var lastParts = [Double](repeating: 0, count: steps)
        var origins: [[Int32]] = []
        var parts: [[Double]] = []
        for point in points {
            let world = WorldPoint(point)
            // The least sum with the place before beside an earlier step.
            var best = (sum: Double.infinity, step: Int32(0))
            var next = [Double](repeating: 0, count: steps)
            var origin = [Int32](repeating: 0, count: steps)
            var part = [Double](repeating: 0, count: steps)
            for step in 0..<steps {
                let end = corners[min(step + 1, corners.count - 1)]
                let free = nearest(world, corners[step], end)
                // Beside the same step it cannot be before the last one.
                let bound =
                    free.part >= lastParts[step] ? free : nearest(world, corners[step], end, at: lastParts[step])
                if sums[step] + bound.square <= best.sum + free.square {
                    (next[step], origin[step], part[step]) = (sums[step] + bound.square, Int32(step), bound.part)
                } else {
                    (next[step], origin[step], part[step]) = (best.sum + free.square, best.step, free.part)
                }
                if sums[step] < best.sum { best = (sums[step], Int32(step)) }
            }
            (sums, lastParts) = (next, part)
            origins.append(origin)
            parts.append(part)
        }
        var step = Int32(sums.indices.min { sums[$0] < sums[$1] } ?? 0)
        var result = [Double](repeating: 0, count: points.count)
        for place in points.indices.reversed() {
            let index = Int(step)
            let end = min(index + 1, metres.count - 1)
            result[place] = metres[index] + (metres[end] - metres[index]) * parts[place][index]
            step = origins[place][index]
        }
        // Sums of lengths are not exact.
        for place in result.indices.dropFirst() { result[place] = max(result[place], result[place - 1]) }
        return result
    }

    /// The point of the line that is nearest on the map to another one: the metres to it from the beginning of the line, and
    /// from the other point. Of points as near, the first.
    public func nearest(to other: GeoPoint) -> (metres: Double, distance: Double) {
        let world = WorldPoint(other)
        var best = (step: 0, part: 0.0, square: Double.infinity)
        for step in 0..<max(1, corners.count - 1) {
            let found = Self.nearest(world, corners[step], corners[min(step + 1, corners.count - 1)])
            if found.square < best.square { best = (step, found.part, found.square) }
        }
        let end = min(best.step + 1, metres.count - 1)
        let along = metres[best.step] + (metres[end] - metres[best.step]) * best.part
        return (along, Self.metres(other, point(at: along).point))
    }

    /// The nearest point of a step, or the one at a part of it: its part of the step, and the square of the distance on the
    /// map.
    private static func nearest(
        _ world: WorldPoint, _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), at given: Double? = nil
    ) -> (part: Double, square: Double) {
        let side = Double(WorldPoint.side)
        // The copy of the place that is nearest to the beginning of the step.
        let east = ((Double(world.x) - from.x) / side).rounded() * side
        let (x, y) = (Double(world.x) - east - from.x, Double(world.y) - from.y)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let square = dx * dx + dy * dy
        let part = given ?? (square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0)
        let (ex, ey) = (x - part * dx, y - part * dy)
        return (part, ex * ex + ey * ey)
    }
}
