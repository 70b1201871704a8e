internal import Foundation
internal import GEOS

/// Small computations in the plane.
enum PlaneMath {
    /// Whether a point is in the rings of a polygon, by the even-odd rule; points on an outline are on either side.
    static func contains(_ rings: [[PlanePoint]], _ point: PlanePoint) -> Bool {
        var isInside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for corner in ring {
                if (corner.y > point.y) != (previous.y > point.y),
                    point.x < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y) + corner.x
                {
                    isInside.toggle()
                }
                previous = corner
            }
        }
        return isInside
    }

    /// The point of a segment nearest to another, and where it is on it: 0 at its start, 1 at its end.
    static func nearest(_ point: PlanePoint, _ start: PlanePoint, _ end: PlanePoint) -> (
        point: PlanePoint, part: Double
    ) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return (start, 0) }
        let part = min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / square, 0), 1)
        return (PlanePoint(x: start.x + part * dx, y: start.y + part * dy), part)
    }

    /// The area of a ring, positive if it runs counter-clockwise.
    static func signedArea(_ ring: [PlanePoint]) -> Double {
        guard let first = ring.first, var previous = ring.last else { return 0 }
        var doubled = 0.0
        for corner in ring {
            doubled += (previous.x - first.x) * (corner.y - first.y) - (corner.x - first.x) * (previous.y - first.y)
            previous = corner
        }
        return doubled / 2
    }

    /// The length of a line.
    static func length(_ line: [PlanePoint]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// The angle from one direction to another in degrees, −180 to 180, positive to the left.
    static func turn(_ one: PlanePoint, _ corner: PlanePoint, _ other: PlanePoint) -> Double {
        let (ax, ay) = (corner.x - one.x, corner.y - one.y)
        let (bx, by) = (other.x - corner.x, other.y - corner.y)
        return atan2(ax * by - ay * bx, ax * bx + ay * by) * 180 / .pi
    }
}
