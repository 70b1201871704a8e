internal import GEOS

/// The paths outdoors as points and straight pieces.
struct FootwayNetwork {
    /// A piece between two points of the network.
    struct Piece: Sendable {
        let one: Int
        let other: Int
        let hasSteps: Bool
    }

    private(set) var points: [GridPoint] = []
    private(set) var pieces: [Piece] = []
    private var positions: [GridPoint: Int] = [:]

    /// Paths that cross are joined if there are at most so many straight pieces: each is compared with each.
    private static let crossingLimit = 4000
    /// A path that ends at this distance from another, in metres, is joined to it.
    private static let tolerance = 0.05
    /// An entrance is joined to a path at most so many metres away.
    static let reach = 60.0

    private struct Segment {
        let start: PlanePoint
        let end: PlanePoint
        let way: Int
        let hasSteps: Bool
        /// Where it is divided, 0 to 1.
        var parts: [Double] = []

        func at(_ part: Double) -> PlanePoint {
            if part <= 0 { return start }
            if part >= 1 { return end }
            return PlanePoint(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
        }
    }

    /// The network of the footways that everybody may use, with the given points joined to their nearest paths where
    /// `isClear` allows the straight way; the network's point for each of them, nil without a path.
    init(
        _ venue: Venue, joining doors: [GridPoint], isClear: (GridPoint, GridPoint) -> Bool
    ) {
        var segments: [Segment] = []
        for (way, footway) in venue.footways.enumerated() where !footway.access.isRestricted {
            let line = footway.line.map(venue.frame.local)
            for (start, end) in zip(line, line.dropFirst()) where start != end {
                segments.append(Segment(start: start, end: end, way: way, hasSteps: footway.hasSteps))
            }
        }
        if segments.count <= Self.crossingLimit { Self.divideAtCrossings(&segments) }
        var joins: [(door: GridPoint, path: PlanePoint)] = []
        for door in doors {
            guard let found = Self.nearest(door, segments, isClear) else { continue }
            segments[found.segment].parts.append(found.part)
            joins.append((door, segments[found.segment].at(found.part)))
        }
        for segment in segments {
            var previous = index(GridPoint(segment.start))
            for part in segment.parts.sorted() + [1] {
                let next = index(GridPoint(segment.at(part)))
                if next != previous { pieces.append(Piece(one: previous, other: next, hasSteps: segment.hasSteps)) }
                previous = next
            }
        }
        for join in joins {
            let (one, other) = (index(join.door), index(GridPoint(join.path)))
            if one != other { pieces.append(Piece(one: one, other: other, hasSteps: false)) }
        }
        for door in doors { _ = index(door) }
    }

    /// The position of a point of the network.
    func position(of point: GridPoint) -> Int? { positions[point] }

    private mutating func index(_ point: GridPoint) -> Int {
        if let known = positions[point] { return known }
        positions[point] = points.count
        points.append(point)
        return points.count - 1
    }

    private static func nearest(
        _ door: GridPoint, _ segments: [Segment], _ isClear: (GridPoint, GridPoint) -> Bool
    ) -> (segment: Int, part: Double)? {
        let point = door.plane
        var found: [(distance: Double, segment: Int, part: Double)] = []
        for (index, segment) in segments.enumerated() {
            let near = PlaneMath.nearest(point, segment.start, segment.end)
            let distance = near.point.distance(to: point)
            if distance <= reach { found.append((distance, index, near.part)) }
        }
        found.sort { ($0.distance, $0.segment) < ($1.distance, $1.segment) }
        // More than a few paths behind walls are no reason to look farther.
        let clear = found.prefix(20).first { isClear(door, GridPoint(segments[$0.segment].at($0.part))) }
        return clear.map { ($0.segment, $0.part) }
    }

    private static func divideAtCrossings(_ segments: inout [Segment]) {
        for one in segments.indices {
            for other in segments.indices.dropFirst(one + 1) where segments[one].way != segments[other].way {
                guard let (first, second) = crossing(segments[one], segments[other]) else { continue }
                if first > 0, first < 1 { segments[one].parts.append(first) }
                if second > 0, second < 1 { segments[other].parts.append(second) }
            }
        }
    }

    /// Where two segments cross or touch, on each of them; nil if they do not.
    private static func crossing(_ one: Segment, _ other: Segment) -> (Double, Double)? {
        guard max(one.start.x, one.end.x) + tolerance >= min(other.start.x, other.end.x),
            max(other.start.x, other.end.x) + tolerance >= min(one.start.x, one.end.x),
            max(one.start.y, one.end.y) + tolerance >= min(other.start.y, other.end.y),
            max(other.start.y, other.end.y) + tolerance >= min(one.start.y, one.end.y)
        else { return nil }
        let (ux, uy) = (one.end.x - one.start.x, one.end.y - one.start.y)
        let (vx, vy) = (other.end.x - other.start.x, other.end.y - other.start.y)
        let (wx, wy) = (other.start.x - one.start.x, other.start.y - one.start.y)
        let cross = ux * vy - uy * vx
        let (first, second) = (one.start.distance(to: one.end), other.start.distance(to: other.end))
        guard abs(cross) > 1e-9 * first * second else { return nil }
        let a = (wx * vy - wy * vx) / cross
        let b = (wx * uy - wy * ux) / cross
        let (slackA, slackB) = (tolerance / first, tolerance / second)
        guard a >= -slackA, a <= 1 + slackA, b >= -slackB, b <= 1 + slackB else { return nil }
        return (min(max(a, 0), 1), min(max(b, 0), 1))
    }
}
