internal import GEOS

/// A point of a plan in whole millimetres from the venue's centre.
///
/// Within ±500 km the products below fit in 64 bits, so that the side of a line on which a point lies is always exact.
struct GridPoint: Hashable, Sendable, Comparable {
    var x: Int32
    var y: Int32

    /// The largest magnitude of a coordinate: 500 km.
    static let bound = 500_000_000.0

    init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// The nearest point of the grid; points beyond the bound are moved to it.
    init(_ point: PlanePoint) {
        func rounded(_ metres: Double) -> Int32 {
            Int32(min(max((metres * 1000).rounded(), -Self.bound), Self.bound))
        }
        self.init(x: rounded(point.x), y: rounded(point.y))
    }

    var plane: PlanePoint { PlanePoint(x: Double(x) / 1000, y: Double(y) / 1000) }

    static func < (one: GridPoint, other: GridPoint) -> Bool { (one.x, one.y) < (other.x, other.y) }

    /// The distance in metres.
    @inline(__always)
    func metres(to other: GridPoint) -> Double {
        let (dx, dy) = (Double(other.x) - Double(x), Double(other.y) - Double(y))
        return (dx * dx + dy * dy).squareRoot() / 1000
    }

    /// 1 if `point` is left of the line from `start` to `end`, −1 if it is right of it, 0 if it is on it.
    @inline(__always)
    static func side(_ start: GridPoint, _ end: GridPoint, _ point: GridPoint) -> Int {
        let (ax, ay) = (Int64(end.x) - Int64(start.x), Int64(end.y) - Int64(start.y))
        let (bx, by) = (Int64(point.x) - Int64(start.x), Int64(point.y) - Int64(start.y))
        return Int((ax * by - ay * bx).signum())
    }

    /// Whether a point that is on the line through two others is between them or one of them.
    @inline(__always)
    static func isBetween(_ start: GridPoint, _ end: GridPoint, _ point: GridPoint) -> Bool {
        min(start.x, end.x) <= point.x && point.x <= max(start.x, end.x) && min(start.y, end.y) <= point.y
            && point.y <= max(start.y, end.y)
    }
}

/// A polygon of a plan: rings without the repeated point. Its interior is left of all rings: the shell runs
/// counter-clockwise, holes clockwise.
struct GridPolygon: Hashable, Sendable {
    var rings: [[GridPoint]]
    let low: GridPoint
    let high: GridPoint

    init(_ rings: [[GridPoint]]) {
        self.rings = rings
        let points = rings.first ?? []
        low = GridPoint(x: points.map(\.x).min() ?? 0, y: points.map(\.y).min() ?? 0)
        high = GridPoint(x: points.map(\.x).max() ?? 0, y: points.map(\.y).max() ?? 0)
    }

    /// Where a point is.
    enum Position { case inside, outline, outside }

    func position(of point: GridPoint) -> Position {
        guard point.x >= low.x, point.x <= high.x, point.y >= low.y, point.y <= high.y else { return .outside }
        var isInside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for corner in ring {
                let side = GridPoint.side(previous, corner, point)
                if side == 0, GridPoint.isBetween(previous, corner, point) { return .outline }
                // Half-open in y, so that a corner at the height of the point counts once.
                if (corner.y > point.y) != (previous.y > point.y) {
                    let isUpwards = corner.y > previous.y
                    if (side > 0) == isUpwards { isInside.toggle() }
                }
                previous = corner
            }
        }
        return isInside ? .inside : .outside
    }

    /// The nearest point of the outline.
    func nearestOnOutline(_ point: PlanePoint) -> PlanePoint? {
        var best: (distance: Double, point: PlanePoint)?
        for ring in rings {
            guard var previous = ring.last?.plane else { continue }
            for corner in ring {
                let next = corner.plane
                let found = PlaneMath.nearest(point, previous, next).point
                let distance = found.distance(to: point)
                if best.map({ distance < $0.distance }) ?? true { best = (distance, found) }
                previous = next
            }
        }
        return best?.point
    }
}

extension PlaneShapes {
    /// The polygons of a geometry on the grid of millimetres, ordered by their least corner; parts smaller than `area` square
    /// metres are left out.
    func grid(_ geometry: Geometry, smallest area: Double) throws(GEOSError) -> [GridPolygon] {
        let polygons = try geometry.rounded(to: 0.001).polygons().filter { rings in
            rings.reduce(0) { $0 + PlaneMath.signedArea($1) } >= area
        }
        let found = polygons.map { rings in
            GridPolygon(rings.map { Self.startingAtLeast($0.map(GridPoint.init)) }.sortedHoles())
        }
        return found.sorted { ($0.rings.first ?? []).lexicographicallyPrecedes($1.rings.first ?? []) }
    }

    /// The ring from its least corner on, so that equal rings are equal lists.
    private static func startingAtLeast(_ ring: [GridPoint]) -> [GridPoint] {
        guard let least = ring.indices.min(by: { ring[$0] < ring[$1] }) else { return ring }
        return Array(ring[least...] + ring[..<least])
    }
}

extension [[GridPoint]] {
    /// The shell, then the holes in the order of their least corners.
    fileprivate func sortedHoles() -> [[GridPoint]] {
        prefix(1) + dropFirst().sorted { $0.lexicographicallyPrecedes($1) }
    }
}
