/// Shortest paths between points in polygons by the plainest method: every corner is joined with every other that it sees, and
/// seeing is tested against every segment. Slow, and without anything in common with the search that it checks.
public struct BruteForcePaths {
    public typealias Point = (x: Double, y: Double)

    private let rings: [[Point]]
    private let corners: [Point]
    private var edges: [[(target: Int, length: Double)]]

    /// All rings of all polygons; the even-odd rule says what is inside.
    public init(_ polygons: [[[Point]]]) {
        rings = polygons.flatMap { $0 }
        corners = rings.flatMap { $0 }
        edges = corners.map { _ in [] }
        for one in corners.indices {
            for other in corners.indices.dropFirst(one + 1) where sees(corners[one], corners[other]) {
                let length = Self.length(corners[one], corners[other])
                edges[one].append((other, length))
                edges[other].append((one, length))
            }
        }
    }

    private static func length(_ one: Point, _ other: Point) -> Double {
        ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
    }

    private static func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    private func contains(_ point: Point) -> Bool {
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

    /// Whether no segment is crossed. Touching is allowed: the middles between all points where the line meets an outline must be
    /// inside or within a hundredth of a millimetre of an outline.
    private func sees(_ p: Point, _ q: Point) -> Bool {
        var parts = [0.0, 1.0]
        let whole = Self.length(p, q)
        guard whole > 1e-9 else { return true }
        for ring in rings {
            guard var a = ring.last else { continue }
            for b in ring {
                let (sideA, sideB) = (Self.side(p, q, a), Self.side(p, q, b))
                let (sideP, sideQ) = (Self.side(a, b, p), Self.side(a, b, q))
                let reach = 1e-9 * whole
                if sideA > reach && sideB < -reach || sideA < -reach && sideB > reach {
                    let edge = 1e-9 * Self.length(a, b)
                    if sideP > edge && sideQ < -edge || sideP < -edge && sideQ > edge { return false }
                }
                if abs(sideB) <= reach {
                    let part = ((b.x - p.x) * (q.x - p.x) + (b.y - p.y) * (q.y - p.y)) / (whole * whole)
                    if part > 0, part < 1 { parts.append(part) }
                }
                a = b
            }
        }
        parts.sort()
        return zip(parts, parts.dropFirst()).allSatisfy { one, other in
            guard (other - one) * whole > 1e-6 else { return true }
            let middle = (one + other) / 2
            let point = (x: p.x + (q.x - p.x) * middle, y: p.y + (q.y - p.y) * middle)
            return contains(point) || isNearOutline(point)
        }
    }

    private func isNearOutline(_ point: Point) -> Bool {
        rings.contains { ring in
            guard var a = ring.last else { return false }
            for b in ring {
                let square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)
                let along = (point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)
                let part = square > 0 ? min(max(along / square, 0), 1) : 0
                let near = (x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
                if Self.length(near, point) < 1e-5 { return true }
                a = b
            }
            return false
        }
    }

    /// The length of the shortest path; infinite if there is none.
    public func length(from p: Point, to q: Point) -> Double {
        if sees(p, q) { return Self.length(p, q) }
        var costs = corners.map { sees(p, $0) ? Self.length(p, $0) : Double.infinity }
        let ends = corners.map { sees(q, $0) ? Self.length(q, $0) : Double.infinity }
        var isDone = corners.map { _ in false }
        while let next = corners.indices.filter({ !isDone[$0] && costs[$0] < .infinity }).min(by: {
            costs[$0] < costs[$1]
        }) {
            isDone[next] = true
            for edge in edges[next] { costs[edge.target] = min(costs[edge.target], costs[next] + edge.length) }
        }
        return zip(costs, ends).map { $0 + $1 }.min() ?? .infinity
    }
}
