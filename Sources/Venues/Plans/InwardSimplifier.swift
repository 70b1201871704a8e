internal import Foundation
internal import GEOS

/// Takes corners from a free space so that it only gets smaller: a path in the result never leaves the original.
///
/// Two rules, each within the tolerance: a run of corners that bulge outwards is cut off by a chord; a run of corners that
/// bulge inwards (round a pillar, or round the end of a wall) is replaced by the corner where the lines of its first and last
/// segment meet.
enum InwardSimplifier {
    /// The rings of a polygon, with the interior left of them. Falls back to the ring itself if fewer than three corners
    /// would be left.
    static func simplified(_ rings: [[PlanePoint]], tolerance: Double) -> [[PlanePoint]] {
        rings.map { ring in
            let inner = withoutInward(ring, tolerance)
            let result = withoutOutward(inner, tolerance)
            return result.count >= 3 ? result : ring
        }
    }

    /// Twice the area of the triangle: positive if the corner bulges outwards, as the interior is left.
    private static func bend(_ one: PlanePoint, _ corner: PlanePoint, _ other: PlanePoint) -> Double {
        (corner.x - one.x) * (other.y - one.y) - (corner.y - one.y) * (other.x - one.x)
    }

    /// The ring begins at a corner of the other kind than `isRun`, so that no run crosses its end.
    private static func rotated(_ ring: [PlanePoint], _ isRun: (Int) -> Bool) -> [PlanePoint] {
        guard let start = ring.indices.first(where: { !isRun($0) }) else { return ring }
        return Array(ring[start...] + ring[..<start])
    }

    private static func bends(_ ring: [PlanePoint]) -> (Int) -> Double {
        { index in
            bend(
                ring[(index + ring.count - 1) % ring.count], ring[index % ring.count],
                ring[(index + 1) % ring.count])
        }
    }

    // MARK: Chords

    private static func withoutOutward(_ given: [PlanePoint], _ tolerance: Double) -> [PlanePoint] {
        let ring = rotated(given) { bends(given)($0) >= 0 }
        let bend = bends(ring)
        var result: [PlanePoint] = []
        var index = 0
        while index < ring.count {
            result.append(ring[index])
            var next = index + 1
            // The farthest corner to which a chord goes that cuts off only corners that bulge outwards.
            while next < ring.count, bend(next) >= 0,
                isNear(ring, index, next + 1, tolerance)
            {
                next += 1
            }
            index = next
        }
        return result
    }

    private static func isNear(_ ring: [PlanePoint], _ first: Int, _ last: Int, _ tolerance: Double) -> Bool {
        let (start, end) = (ring[first], ring[last % ring.count])
        // At most a few dozen, because a chord of the tolerance cuts off no more of any curve.
        guard last - first <= 64 else { return false }
        return ((first + 1)..<last).allSatisfy { index in
            bend(start, ring[index], end) >= 0
                && PlaneMath.nearest(ring[index], start, end).point.distance(to: ring[index]) <= tolerance
        }
    }

    // MARK: Corners

    private static func withoutInward(_ given: [PlanePoint], _ tolerance: Double) -> [PlanePoint] {
        guard given.count > 4 else { return given }
        let ring = rotated(given) { bends(given)($0) < 0 }
        let bend = bends(ring)
        var result: [PlanePoint] = []
        var index = 0
        while index < ring.count {
            guard bend(index) < 0 else {
                result.append(ring[index])
                index += 1
                continue
            }
            // Corners index … last are replaced by one, where the segments before and after them meet.
            var (last, corner) = (index, ring[index])
            var next = index + 1
            while next < ring.count, next - index <= 64, bend(next) < 0 {
                if let found = meeting(ring, index, next, tolerance) { (last, corner) = (next, found) }
                next += 1
            }
            result.append(corner)
            index = last + 1
        }
        return result
    }

    /// Where the segments before corner `first` and after corner `last` meet, if it is near to the corners between.
    private static func meeting(_ ring: [PlanePoint], _ first: Int, _ last: Int, _ tolerance: Double) -> PlanePoint? {
        let (a, b) = (ring[(first + ring.count - 1) % ring.count], ring[first])
        let (c, d) = (ring[last], ring[(last + 1) % ring.count])
        let (ux, uy) = (b.x - a.x, b.y - a.y)
        let (vx, vy) = (d.x - c.x, d.y - c.y)
        // The whole turn must be less than 180°, else the lines do not meet ahead.
        let cross = ux * vy - uy * vx
        guard cross < 0 else { return nil }
        let along = ((c.x - b.x) * vy - (c.y - b.y) * vx) / cross
        let back = ((c.x - b.x) * uy - (c.y - b.y) * ux) / cross
        guard along >= 0, back <= 0 else { return nil }
        let corner = PlanePoint(x: b.x + along * ux, y: b.y + along * uy)
        let isNear = (first..<last).contains { index in
            PlaneMath.nearest(corner, ring[index], ring[index + 1]).point.distance(to: corner) <= tolerance
        }
        return isNear ? corner : nil
    }
}
