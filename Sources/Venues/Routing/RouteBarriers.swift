internal import GEOS

/// What is closed, as the search looks at it. Made once for a set of closed units and openings.
struct RouteBarriers: Sendable {
    /// Closed units, by their positions in the venue's list.
    let units: Set<Int>
    /// Closed openings.
    let openings: Set<Int>
    /// For each level with closed areas: their outlines, and the areas in the order of the index.
    let areas: [Int: ClosedAreas]
    /// The lines of openings that are always closed, by level.
    let lines: [Int: [Line]]
    /// The lines of openings that are closed to wheelchairs, by level.
    let wheelchairLines: [Int: [Line]]

    struct ClosedAreas: Sendable {
        let grid: SightGrid
        let polygons: [[GridPolygon]]

        /// Whether a line passes through a closed area.
        func blocks(_ p: GridPoint, _ q: GridPoint) -> Bool {
            let isInside = polygons.contains { area in
                area.contains { $0.position(of: p) == .inside || $0.position(of: q) == .inside }
            }
            return isInside || grid.sight(p, q, inside: [], most: 1) != .open([])
        }
    }

    /// A closed door: a piece of a line.
    struct Line: Sendable {
        let opening: Int
        let start: GridPoint
        let end: GridPoint

        /// Whether a line goes through it.
        func blocks(_ p: GridPoint, _ q: GridPoint) -> Bool {
            let (a, b) = (GridPoint.side(p, q, start), GridPoint.side(p, q, end))
            guard a * b <= 0, a != 0 || b != 0 else { return false }
            return GridPoint.side(start, end, p) * GridPoint.side(start, end, q) <= 0
        }
    }

    init(_ venue: Venue, _ graph: VenueGraph, closed: Set<FeatureID>) {
        let units = Set(
            venue.units.indices.filter { index in
                let unit = venue.units[index]
                return closed.contains(unit.id) || unit.shared.map(closed.contains) ?? false
            })
        let openings = Set(venue.openings.indices.filter { closed.contains(venue.openings[$0].id) })
        self.units = units
        self.openings = openings
        var closedAreas: [Int: [[GridPolygon]]] = [:]
        if let shapes = try? PlaneShapes(venue.frame) {
            for unit in units.sorted() {
                guard let area = try? shapes.grid(try shapes.area([venue.units[unit].shape]), smallest: 0) else {
                    continue
                }
                closedAreas[venue.units[unit].level, default: []].append(area)
            }
        }
        areas = closedAreas.mapValues { ClosedAreas(grid: SightGrid(free: [], areas: $0), polygons: $0) }
        var lines: [Int: [Line]] = [:]
        var wheelchairLines: [Int: [Line]] = [:]
        for plan in graph.plans {
            for opening in plan.openings {
                let facts = venue.openings[opening.opening]
                let pieces = zip(opening.line, opening.line.dropFirst()).map { start, end in
                    Line(opening: opening.opening, start: start, end: end)
                }
                if openings.contains(opening.opening) || facts.access.isRestricted {
                    lines[plan.level, default: []] += pieces
                } else if facts.isStepFree == false {
                    wheelchairLines[plan.level, default: []] += pieces
                }
            }
        }
        self.lines = lines
        self.wheelchairLines = wheelchairLines
    }
}
