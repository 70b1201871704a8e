import Foundation
import TileMath

/// A point on the unit sphere, from the centre of the Earth.
struct SpacePoint: Sendable {
    var x, y, z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ position: GeoPoint) {
        let longitude = position.longitude * .pi / 180
        let latitude = position.latitude * .pi / 180
        self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
    }

    /// The square of the straight distance, which grows with the distance on the sphere.
    func squaredDistance(to other: SpacePoint) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return dx * dx + dy * dy + dz * dz
    }

    /// The metres on the sphere of a squared straight distance.
    static func metres(_ squared: Double) -> Double {
        2 * EarthSphere.radiusMetres * asin(min(1, squared.squareRoot() / 2))
    }
}

/// Points in an order in which neighbours are near each other, with boxes around each eight of them, around each eight
/// of those boxes, and so on.
struct BoxTree: Sendable {
    private static let fanOut = 8

    private struct Box {
        var low: SpacePoint
        var high: SpacePoint

        /// At most the squared distance of any point within, also as computed: rounding keeps the order of numbers.
        func squaredDistance(to point: SpacePoint) -> Double {
            let dx = Self.gap(low.x, high.x, point.x)
            let dy = Self.gap(low.y, high.y, point.y)
            let dz = Self.gap(low.z, high.z, point.z)
            return dx * dx + dy * dy + dz * dz
        }

        private static func gap(_ low: Double, _ high: Double, _ value: Double) -> Double {
            value < low ? low - value : value > high ? value - high : 0
        }

        func union(_ other: Box) -> Box {
            Box(
                low: SpacePoint(
                    x: min(low.x, other.low.x), y: min(low.y, other.low.y), z: min(low.z, other.low.z)),
                high: SpacePoint(
                    x: max(high.x, other.high.x), y: max(high.y, other.high.y), z: max(high.z, other.high.z)))
        }
    }

    private let points: [SpacePoint]
    /// The boxes around points, those around these, and so on to a single one.
    private let levels: [[Box]]

    /// A tree of at least one point.
    init(_ points: [SpacePoint]) {
        precondition(!points.isEmpty, "a tree has a point")
        self.points = points
        var levels = [Self.enclosing(points)]
        while let last = levels.last, last.count > 1 { levels.append(Self.enclosing(last)) }
        self.levels = levels
    }

    private static func enclosing(_ points: [SpacePoint]) -> [Box] {
        var boxes: [Box] = []
        boxes.reserveCapacity(points.count / fanOut + 1)
        let all = points.span
        for start in stride(from: 0, to: all.count, by: fanOut) {
            var (low, high) = (all[start], all[start])
            for index in start + 1..<max(start + 1, min(start + fanOut, all.count)) {
                let point = all[index]
                low = SpacePoint(x: min(low.x, point.x), y: min(low.y, point.y), z: min(low.z, point.z))
                high = SpacePoint(x: max(high.x, point.x), y: max(high.y, point.y), z: max(high.z, point.z))
            }
            boxes.append(Box(low: low, high: high))
        }
        return boxes
    }

    private static func enclosing(_ boxes: [Box]) -> [Box] {
        stride(from: 0, to: boxes.count, by: fanOut).map { start in
            boxes[start..<min(start + fanOut, boxes.count)].dropFirst().reduce(boxes[start]) { $0.union($1) }
        }
    }

    /// The nearest point, and its squared distance; the first one of several.
    func nearest(to point: SpacePoint) -> (index: Int, squaredDistance: Double) {
        var best = (index: 0, squaredDistance: Double.infinity)
        search(point, level: levels.count - 1, box: 0, &best) { _ in true }
        return best
    }

    /// The nearest of the points that `admits` returns true for, and its squared distance; nil if none is within `limit`,
    /// a squared distance.
    func nearest(
        to point: SpacePoint, within limit: Double = .infinity, where admits: (Int) -> Bool
    ) -> (index: Int, squaredDistance: Double)? {
        // An index after all points, so that one at exactly the limit is nearer.
        var best = (index: points.count, squaredDistance: limit)
        search(point, level: levels.count - 1, box: 0, &best, admits)
        return best.index < points.count ? best : nil
    }

    private func search(
        _ point: SpacePoint, level: Int, box: Int, _ best: inout (index: Int, squaredDistance: Double),
        _ admits: (Int) -> Bool
    ) {
        let first = box * Self.fanOut
        guard level > 0 else {
            for index in first..<min(first + Self.fanOut, points.count) {
                let squared = points[index].squaredDistance(to: point)
                guard
                    squared < best.squaredDistance || squared == best.squaredDistance && index < best.index,
                    admits(index)
                else { continue }
                best = (index, squared)
            }
            return
        }
        let below = levels[level - 1]
        let count = min(Self.fanOut, below.count - first)
        var distances = InlineArray<8, Double>(repeating: .infinity)
        for child in 0..<count { distances[child] = below[first + child].squaredDistance(to: point) }
        for _ in 0..<count {
            var next = 0
            for child in 1..<Self.fanOut where distances[child] < distances[next] { next = child }
            // Equal distances, too: of several nearest points the first one is the result, whatever the order of the
            // search.
            guard distances[next] <= best.squaredDistance else { return }
            distances[next] = .infinity
            search(point, level: level - 1, box: first + next, &best, admits)
        }
    }
}
