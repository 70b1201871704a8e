import Foundation

/// A place in pixels.
struct MapPoint: Sendable, Equatable {
    var x: Double
    var y: Double

    static func + (left: MapPoint, right: MapPoint) -> MapPoint { MapPoint(x: left.x + right.x, y: left.y + right.y) }

    func distance(to other: MapPoint) -> Double { hypot(other.x - x, other.y - y) }

    func angle(to other: MapPoint) -> Double { atan2(other.y - y, other.x - x) }

    /// The place at a part of the way to another.
    func mixed(with other: MapPoint, _ part: Double) -> MapPoint {
        MapPoint(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
    }
}

/// A rectangle in pixels.
struct MapBox: Sendable, Equatable {
    var minX: Double
    var minY: Double
    var maxX: Double
    var maxY: Double

    init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    init(_ extents: (left: Double, top: Double, right: Double, bottom: Double)) {
        self.init(minX: extents.left, minY: extents.top, maxX: extents.right, maxY: extents.bottom)
    }

    init(around center: MapPoint, width: Double, height: Double) {
        self.init(
            minX: center.x - width / 2, minY: center.y - height / 2, maxX: center.x + width / 2,
            maxY: center.y + height / 2)
    }

    func grown(_ margin: Double) -> MapBox {
        MapBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }

    func moved(x: Double, y: Double) -> MapBox {
        MapBox(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    func intersects(_ other: MapBox) -> Bool {
        minX < other.maxX && maxX > other.minX && minY < other.maxY && maxY > other.minY
    }

    func intersection(_ other: MapBox) -> MapBox? {
        guard intersects(other) else { return nil }
        return MapBox(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }

    func contains(_ other: MapBox) -> Bool {
        minX <= other.minX && maxX >= other.maxX && minY <= other.minY && maxY >= other.maxY
    }

    func contains(_ point: MapPoint) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }
    var area: Double { width * height }

    /// The parts of a line inside.
    func clipped(_ line: [MapPoint]) -> [[MapPoint]] {
        var parts: [[MapPoint]] = []
        var current: [MapPoint] = []
        for (start, end) in zip(line, line.dropFirst()) {
            guard let inside = clipped(start, end) else {
                if current.count > 1 { parts.append(current) }
                current = []
                continue
            }
            if current.last != inside.start {
                if current.count > 1 { parts.append(current) }
                current = [inside.start]
            }
            current.append(inside.end)
        }
        if current.count > 1 { parts.append(current) }
        return parts
    }

    /// The part of an edge inside, by the algorithm of Liang and Barsky; nil if there is none.
    private func clipped(_ start: MapPoint, _ end: MapPoint) -> (start: MapPoint, end: MapPoint)? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        var (first, last) = (0.0, 1.0)
        for (step, room) in [
            (-dx, start.x - minX), (dx, maxX - start.x), (-dy, start.y - minY), (dy, maxY - start.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                first = max(first, room / step)
            } else {
                last = min(last, room / step)
            }
        }
        guard first < last else { return nil }
        return (
            first == 0 ? start : start.mixed(with: end, first), last == 1 ? end : start.mixed(with: end, last)
        )
    }
}

/// A line with the distance of each of its places from its beginning.
struct MeasuredLine: Sendable {
    let points: [MapPoint]
    private let distances: [Double]

    init(_ points: [MapPoint]) {
        self.points = points
        var distances = [0.0]
        for (start, end) in zip(points, points.dropFirst()) {
            distances.append(distances[distances.count - 1] + start.distance(to: end))
        }
        self.distances = distances
    }

    var length: Double { distances.last ?? 0 }

    /// The place at a distance; the line goes on straight beyond its ends.
    func point(at distance: Double) -> MapPoint {
        guard points.count > 1 else { return points.first ?? MapPoint(x: 0, y: 0) }
        var low = 0
        var high = points.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if distances[middle] <= distance { low = middle } else { high = middle }
        }
        let length = distances[low + 1] - distances[low]
        guard length > 0 else { return points[low] }
        return points[low].mixed(with: points[low + 1], (distance - distances[low]) / length)
    }
}
