internal import GEOS
internal import TileMath

/// The outlines on which doors of OpenStreetMap lie: those of rooms, and walls.
struct WallOutlines {
    private struct Segment {
        let start: PlanePoint
        let end: PlanePoint
        /// Whether it is of a room or a wall, not of an open area.
        let isWall: Bool
    }

    private var segments: [Int: [Segment]] = [:]

    /// A door at this distance in metres is on the outline: editors put the node of a door on it.
    private static let tolerance = 0.3

    init(_ venue: Venue) {
        for unit in venue.units {
            for ring in unit.shape.polygons.flatMap(\.self) {
                add(ring.map(venue.frame.local), isClosed: true, unit.level, isWall: !unit.category.isOpen)
            }
        }
        for wall in venue.walls { add(wall.line.map(venue.frame.local), isClosed: false, wall.level, isWall: true) }
    }

    private mutating func add(_ line: [PlanePoint], isClosed: Bool, _ level: Int, isWall: Bool) {
        let next = isClosed ? Array(line.dropFirst() + line.prefix(1)) : Array(line.dropFirst())
        for (start, end) in zip(line, next) where start != end {
            segments[level, default: []].append(Segment(start: start, end: end, isWall: isWall))
        }
    }

    /// The line of a door of a width around a point, along the nearest outline; nil if none is near.
    ///
    /// At the end of an outline the door ends, too, so that it does not cut the wall round the corner.
    func door(at point: PlanePoint, level: Int, width: Double) -> [PlanePoint]? {
        var best: (distance: Double, segment: Segment, part: Double)?
        for segment in segments[level] ?? [] {
            let found = PlaneMath.nearest(point, segment.start, segment.end)
            // Of two outlines as near, that of a room has the wall.
            let distance = found.point.distance(to: point) + (segment.isWall ? 0 : 1e-3)
            guard distance <= Self.tolerance, best.map({ distance < $0.distance - 1e-6 }) ?? true else { continue }
            best = (distance, segment, found.part)
        }
        guard let best else { return nil }
        let (start, end) = (best.segment.start, best.segment.end)
        let length = start.distance(to: end)
        let half = min(width, length) / 2
        let middle = min(max(best.part * length, half), length - half)
        func at(_ metres: Double) -> PlanePoint {
            PlanePoint(
                x: start.x + (end.x - start.x) * metres / length, y: start.y + (end.y - start.y) * metres / length)
        }
        return [at(middle - half), at(middle + half)]
    }
}
