internal import GEOS

/// The free space of a level with the index of its outlines, and the corners at which paths turn.
struct LevelSight: Sendable {
    /// A corner at which a path may turn.
    struct Turn: Sendable {
        let corner: SightGrid.Corner
        /// The polygon of the free space in which it is.
        let part: Int
        /// Areas that have it strictly inside.
        let inside: [Int32]
        var point: GridPoint { corner.point }
    }

    /// A point from which paths begin or at which they end.
    struct Site: Sendable, Equatable {
        let point: GridPoint
        let part: Int
        /// Areas that have it strictly inside.
        let inside: [Int32]
        /// Those of them of which it is only in the margin that routes keep: in front of a wall, not behind it.
        let margin: [Int32]
    }

    let free: [GridPolygon]
    let areas: [ConditionalArea]
    let grid: SightGrid
    let turns: [Turn]

    /// No path crosses more areas than these at once: those of its start and of its end, and one between them.
    static let mostAreas = 3

    init(_ plan: LevelPlan) {
        free = plan.free
        areas = plan.areas
        grid = SightGrid(free: plan.free, areas: plan.areas.map(\.kept))
        // The corners of the free space come first, polygon by polygon.
        let owners = plan.free.enumerated().flatMap { part, polygon in
            Array(repeating: part, count: polygon.rings.reduce(0) { $0 + ($1.count >= 3 ? $1.count : 0) })
        }
        var turns: [Turn] = []
        for (index, corner) in grid.corners.enumerated() where corner.isTurn {
            let known = index < owners.count ? owners[index] : nil
            guard let part = known ?? Self.part(plan.free, corner.point) else { continue }
            turns.append(Turn(corner: corner, part: part, inside: Self.inside(plan.areas, corner.point)))
        }
        self.turns = turns
    }

    private static func part(_ free: [GridPolygon], _ point: GridPoint) -> Int? {
        free.firstIndex { $0.position(of: point) != .outside }
    }

    private static func inside(_ areas: [ConditionalArea], _ point: GridPoint) -> [Int32] {
        areas.indices.filter { index in areas[index].kept.contains { $0.position(of: point) == .inside } }.map {
            Int32($0)
        }
    }

    /// The site at a point of the free space; nil if it is outside.
    func site(_ point: GridPoint) -> Site? {
        guard let part = Self.part(free, point) else { return nil }
        let inside = Self.inside(areas, point)
        let margin = inside.filter { index in
            areas[Int(index)].area.allSatisfy { $0.position(of: point) == .outside }
        }
        return Site(point: point, part: part, inside: inside, margin: margin)
    }

    /// The site nearest to a point in metres, at most `reach` metres away; nil if there is none.
    ///
    /// With the rings of a unit, only points in it count: a point beside a wall stays on its side of it.
    func site(near point: PlanePoint, within unit: [[[PlanePoint]]]?, reach: Double) -> Site? {
        if let site = site(GridPoint(point)) { return site }
        var best: (distance: Double, point: PlanePoint)?
        for ring in free.flatMap(\.rings) {
            guard var previous = ring.last?.plane else { continue }
            for corner in ring {
                let next = corner.plane
                let found = PlaneMath.nearest(point, previous, next).point
                previous = next
                let distance = found.distance(to: point)
                guard distance <= min(reach, best?.distance ?? .infinity) else { continue }
                if let unit, !unit.contains(where: { PlaneMath.contains($0, found) }) { continue }
                best = (distance, found)
            }
        }
        return best.flatMap { siteAround(GridPoint($0.point)) }
    }

    /// The site at a point of an outline, or at one of the grid points around it: rounding may have moved it outside.
    private func siteAround(_ point: GridPoint) -> Site? {
        for ring in Int32(0)...3 {
            for dx in -ring...ring {
                for dy in -ring...ring where max(abs(dx), abs(dy)) == ring {
                    let near = GridPoint(x: point.x &+ dx, y: point.y &+ dy)
                    if let site = site(near) { return site }
                }
            }
        }
        return nil
    }

    // MARK: Sight

    /// The areas that a straight line between two sites crosses; nil if walls are between them.
    func areas(from one: Site, to other: Site) -> [Int32]? {
        guard one.part == other.part else { return nil }
        let inside = Self.union(one.inside, other.inside)
        guard case .open(let crossed) = grid.sight(one.point, other.point, inside: inside, most: Self.mostAreas + 2)
        else { return nil }
        return withoutMargins(crossed, one.margin + other.margin, one.point, other.point)
    }

    /// The areas that a straight line from a site to a turn crosses; nil if walls are between them or the path cannot turn
    /// there.
    func areas(from site: Site, to turn: Turn) -> [Int32]? {
        guard site.part == turn.part, site.point != turn.point, turn.corner.isTangent(from: site.point) else {
            return nil
        }
        let inside = Self.union(site.inside, turn.inside)
        guard case .open(let crossed) = grid.sight(site.point, turn.point, inside: inside, most: Self.mostAreas + 1)
        else { return nil }
        return withoutMargins(crossed, site.margin, site.point, turn.point)
    }

    /// Leaves out areas of which the line only crosses the margin in which it begins or ends.
    private func withoutMargins(_ crossed: [Int32], _ margin: [Int32], _ p: GridPoint, _ q: GridPoint) -> [Int32] {
        guard !margin.isEmpty else { return crossed }
        return crossed.filter { index in
            guard margin.contains(index) else { return true }
            let area = areas[Int(index)].area
            let inside: [Int32] = area.contains { $0.position(of: q) == .inside } ? [0] : []
            return SightGrid(free: [], areas: [area]).sight(p, q, inside: inside, most: 1) != .open([])
        }
    }

    /// The areas that a straight path from one turn to another crosses; nil if there is no such path.
    func areas(from one: Turn, to other: Turn) -> [Int32]? {
        guard one.part == other.part, one.corner.isTangent(from: other.point), other.corner.isTangent(from: one.point),
            one.point != other.point
        else { return nil }
        let inside = Self.union(one.inside, other.inside)
        guard case .open(let crossed) = grid.sight(one.point, other.point, inside: inside, most: Self.mostAreas) else {
            return nil
        }
        return crossed
    }

    private static func union(_ one: [Int32], _ other: [Int32]) -> [Int32] {
        if other.isEmpty { return one }
        return one + other.filter { !one.contains($0) }
    }
}
